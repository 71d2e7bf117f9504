/**
 * Events over several processes: one order, no gap, no duplicate, and a resync if the log does not reach back far
 * enough.
 */
import { redisEventLog } from "notetaker-sdk/redis";
import { createRelay, type Relay, subscribe } from "notetaker-sdk/webhooks";
import { describe, expect, it, vi } from "vitest";
import { eventOf } from "../webhooks/events.js";
import { redisOfEachTest } from "./support/redis-of-each-test.js";
import { hasRedis } from "./support/redis-server.js";

describe.runIf(hasRedis)("redisEventLog", () => {
  const setup = redisOfEachTest();
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

  it("gives one reader 200 events of three processes without loss or duplicate, while one of them dies", async () => {
    const connected = [await setup.connect(), await setup.connect(), await setup.connect()];
    const relays = connected.map(({ client }) =>
      createRelay({ authorize: () => true, log: redisEventLog(client), retryMs: 50, onError: () => {} }),
    );
    // The reader connects to one process, then to the other, whichever responds.
    let connection = 0;
    const fetch = (url: string, init: RequestInit) => {
      connection += 1;
      return relays[connection % 2]!.handle(new Request(url, init));
    };
    const events = subscribe("https://app.example.com/", { fetch });
    const meetings: unknown[] = [];
    const reading = (async () => {
      for await (const { meetingId } of events) if (meetings.push(meetingId) === 200) return;
    })();
    const publish = async (relay: Relay, from: number, to: number) => {
      for (let number = from; number < to; number += 1) await relay.publish(eventOf(number));
    };
    await vi.waitFor(() => expect(events.lastEventId).toBeDefined(), 60_000);
    await publish(relays[0]!, 0, 50);
    await publish(relays[2]!, 50, 100);
    await vi.waitFor(() => expect(meetings.length).toBeGreaterThan(20), 60_000);
    const [dies, lives] = connection % 2 === 0 ? [0, 1] : [1, 0];
    connected[dies]!.close();
    await publish(relays[lives]!, 100, 150);
    await publish(relays[2]!, 150, 200);
    await reading;
    expect(meetings).toEqual(Array.from({ length: 200 }, (_, number) => `mtg_${number}`));
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
    const abort = new AbortController();
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
});
