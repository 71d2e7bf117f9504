/**
 * Events over several processes: one order, no gap, no duplicate, and a resync if the log does not reach back far
 * enough.
 */
import { redisEventLog } from "notetaker-sdk/redis";
import { createRelay, type EventLog, subscribe, type WebhookEvent } from "notetaker-sdk/webhooks";
import { describe, expect, it, vi } from "vitest";
import { eventOf } from "../webhooks/events.js";
import { redisOfEachTest } from "./support/redis-of-each-test.js";
import { hasRedis } from "./support/redis-server.js";

describe.runIf(hasRedis)("redisEventLog", () => {
  const setup = redisOfEachTest();
  const controller = () => new AbortController();

  const startRelay = async () => {
    const worker = setup.startWorker("relay");
    return { worker, url: String((await worker.message("url")).url) };
  };
  const publish = (url: string, from: number, to: number) => fetch(`${url}?from=${from}&to=${to}`, { method: "POST" });
  const connections = () => setup.server.cli("CLIENT", "LIST").split("\n").length;

  it("returns fewer entries at a time if they are large, and at least one", async () => {
    const log = redisEventLog(setup.client);
    const start = await log.latestId();
    const sizes = [40_000, 40_000, 10, 500_000, 10];
    const ids: string[] = [];
    for (const size of sizes)
      ids.push(await log.append({ ...eventOf(1), payload: { text: "x".repeat(size) } }, undefined));
    const read = [];
    for (let id = start; id !== ids.at(-1); id = read.at(-1)?.at(-1) ?? "") {
      read.push((await log.after(id, 16))?.map((entry) => entry.id) ?? []);
    }
    expect(read).toEqual([ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)]);
  });

  it("gives one reader 500 events of three processes without loss or duplicate, while one process is killed", async () => {
    const [first, second, third] = await Promise.all([startRelay(), startRelay(), startRelay()]);
    // The reader connects to one process, then to the other, whichever responds.
    const urls = [first.url, second.url];
    let connection = 0;
    const abort = controller();
    const events = subscribe("http://127.0.0.1/", {
      signal: abort.signal,
      fetch: (_, init) => {
        connection += 1;
        return fetch(urls[connection % 2] ?? "", init);
      },
    });
    const numbers: number[] = [];
    const reading = (async () => {
      for await (const { payload } of events) {
        numbers.push(payload.number as number);
        if (numbers.length === 500) return;
      }
    })();
    await vi.waitFor(() => expect(events.lastEventId).toBeDefined(), 60_000);
    await publish(second.url, 0, 100);
    await publish(third.url, 100, 200);
    await vi.waitFor(() => expect(numbers.length).toBeGreaterThan(50), 60_000);
    // The reader's process dies; the other two continue to publish.
    const atFirst = connection % 2 === 0;
    await (atFirst ? first : second).worker.kill();
    const alive = atFirst ? second.url : first.url;
    await publish(alive, 200, 350);
    await publish(third.url, 350, 500);
    await reading;
    expect(numbers).toEqual(Array.from({ length: 500 }, (_, number) => number));
    expect(connection).toBeGreaterThan(1);
  });

  it("treats an id as unknown if the log dropped it, never returned it or was flushed, so the reader resyncs", async () => {
    const log = redisEventLog(setup.client, { maxEvents: 3 });
    const start = await log.latestId();
    const ids: string[] = [];
    for (let number = 0; number < 5; number += 1) ids.push(await log.append(eventOf(number), undefined));
    expect((await log.after(ids[1]!, 10))?.map(({ id }) => id)).toEqual(ids.slice(2));
    const newest = ids[4]!;
    const [entry = "", mark = ""] = newest.split(/-(?=[^-]*$)/);
    const dropped = [start, ids[0]!];
    const altered = [`${newest}0`, `0${newest}`, `${newest} `, `${entry}-0123456789ab`, `5-0-${mark}`];
    const huge = `${"9".repeat(19)}-${"9".repeat(19)}-${mark}`;
    for (const id of [...dropped, ...altered, huge, `9${huge}`, "", "x", "not-appended", entry, `${entry}-`]) {
      expect(await log.after(id, 10), id).toBeUndefined();
    }
    setup.server.cli("FLUSHALL");
    expect(await log.after(ids[4]!, 10)).toBeUndefined();
    expect(await log.after(await log.latestId(), 10)).toEqual([]);
  });

  it("tells readers to resync after the log was flushed, and then sends the next events", async () => {
    const relay = createRelay({
      authorize: () => true,
      log: redisEventLog(setup.client),
      retryMs: 50,
      onError: () => {},
    });
    const abort = controller();
    const events = subscribe("https://app.example.com/", {
      signal: abort.signal,
      fetch: (url, init) => relay.handle(new Request(url, init)),
    });
    const kinds: string[] = [];
    const reading = (async () => {
      for await (const event of events) kinds.push(event.meetingId ?? event.kind);
    })().catch(() => {});
    await vi.waitFor(() => expect(events.lastEventId).toBeDefined(), 60_000);
    await relay.publish(eventOf(1));
    await vi.waitFor(() => expect(kinds).toEqual(["mtg_1"]), 60_000);
    setup.server.cli("FLUSHALL");
    await vi.waitFor(() => expect(kinds).toEqual(["mtg_1", "resync"]), 60_000);
    await relay.publish(eventOf(2));
    await vi.waitFor(() => expect(kinds).toEqual(["mtg_1", "resync", "mtg_2"]), 60_000);
    abort.abort();
    await reading;
  });

  it("tells all readers of a process of an event of another, over the connection of the user alone", async () => {
    const log = redisEventLog(setup.client);
    await log.latestId();
    const before = connections();
    const listeners = Array.from({ length: 20 }, () => vi.fn());
    const stops = await Promise.all(
      listeners.map((changed) => log.listen(changed, (error) => expect.fail(String(error)))),
    );
    await redisEventLog(setup.client).append(eventOf(1), undefined);
    await vi.waitFor(() => {
      for (const changed of listeners) expect(changed).toHaveBeenCalled();
    }, 60_000);
    expect(connections()).toBe(before);
    for (const stop of stops) stop();
  });

  it('resolves publish while Redis is down if onError is "open", and readers resync afterwards', async () => {
    const reported: unknown[] = [];
    const log: EventLog = redisEventLog(setup.client, {
      onError: "open",
      onUnavailable: (error) => reported.push(error),
    });
    const before = await log.append(eventOf(1) as WebhookEvent, undefined);
    setup.server.signal("SIGSTOP");
    expect(await log.append(eventOf(2), undefined)).toBe("not-appended");
    expect(reported).toHaveLength(1);
    setup.server.signal("SIGCONT");
    const next = await log.append(eventOf(3), undefined);
    expect(await log.after(before, 10)).toBeUndefined();
    expect(await log.after(next, 10)).toEqual([]);
  });
});
