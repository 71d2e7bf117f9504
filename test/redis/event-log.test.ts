/**
 * Events over several processes: one order, no gap, no duplicate, and a resync if the log does not reach back far
 * enough.
 */
import { Redis } from "ioredis";
import { redisEventLog } from "notetaker-sdk/redis";
import { createRelay, type EventLog, subscribe, type WebhookEvent } from "notetaker-sdk/webhooks";
import { createClient } from "redis";
import { describe, expect, it, vi } from "vitest";
import { eventOf } from "../webhooks/events.js";
import { CLIENT_NAMES, CLIENTS } from "./support/clients.js";
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

  it("has the same order in all processes, whichever publishes", async () => {
    const logs = [1, 2, 3].map(() => redisEventLog(setup.client));
    const start = await logs[0]!.latestId();
    await Promise.all(Array.from({ length: 60 }, (_, number) => logs[number % 3]!.append(eventOf(number), undefined)));
    const orders = await Promise.all(logs.map(async (log) => (await log.after(start, 100))?.map(({ id }) => id)));
    expect(orders[0]).toHaveLength(60);
    expect(orders[1]).toEqual(orders[0]);
    expect(orders[2]).toEqual(orders[0]);
  });

  it("returns each entry with its event, JSON and audience, in parts", async () => {
    const log = redisEventLog(setup.client);
    const start = await log.latestId();
    await log.append(eventOf(1), ["usr_1", "team_ä"]);
    await log.append(eventOf(2), undefined, JSON.stringify(eventOf(2)));
    const [first, ...none] = (await log.after(start, 1)) ?? [];
    expect(none).toEqual([]);
    expect(first).toMatchObject({ event: eventOf(1), audience: ["usr_1", "team_ä"], json: JSON.stringify(eventOf(1)) });
    expect(await log.after(first!.id, 10)).toMatchObject([{ event: eventOf(2), audience: undefined }]);
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

  it.each(CLIENT_NAMES)(
    "tells all readers of a process of an event of another, and asks Redis no more after the last reader: %s",
    async (name) => {
      const own = await CLIENTS[name](setup.server.url);
      const log = redisEventLog(own.client);
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
      // It uses the connection of the user alone.
      expect(connections()).toBe(before);
      for (const stop of stops) stop();
      const scripts = () => Number(/cmdstat_eval:calls=(\d+)/.exec(setup.server.cli("INFO", "commandstats"))?.[1]);
      await vi.waitFor(
        async () => {
          const asked = scripts();
          await new Promise((resolve) => setTimeout(resolve, 1_000));
          expect(scripts()).toBe(asked);
        },
        { timeout: 60_000, interval: 10 },
      );
      own.close();
    },
  );

  it("shows an event to no wrong reader if another program wrote nonsense into the log", async () => {
    const log = redisEventLog(setup.client);
    const start = await log.latestId();
    const add = (event: string, audience: string) =>
      setup.server.cli(
        "XADD",
        "notetaker:{events}:log",
        "*",
        "mark",
        "0123456789ab",
        "event",
        event,
        "audience",
        audience,
      );
    add("{", "");
    add("{}", "[");
    add("{}", '["usr_1",5,null]');
    expect(await log.after(start, 10)).toMatchObject([
      { event: { kind: "unknown", payload: {} }, audience: undefined },
      { audience: [] },
      { audience: ["usr_1"] },
    ]);
  });

  it("does not cut an idle reader if the client has a short socketTimeout", async () => {
    const node = createClient({ url: setup.server.url, socket: { socketTimeout: 5_000, reconnectStrategy: 50 } });
    await node.on("error", () => {}).connect();
    const io = new Redis(setup.server.url, { socketTimeout: 5_000, commandTimeout: 5_000 }).on("error", () => {});
    const [broken, changed] = [vi.fn(), [vi.fn(), vi.fn()]];
    const stops = await Promise.all(
      [node, io].map((client, index) => redisEventLog(client).listen(changed[index]!, broken)),
    );
    await new Promise((resolve) => setTimeout(resolve, 7_500));
    for (const mock of changed) mock.mockClear();
    await redisEventLog(setup.client).append(eventOf(1), undefined);
    await vi.waitFor(() => {
      for (const mock of changed) expect(mock).toHaveBeenCalled();
    }, 60_000);
    expect(broken).not.toHaveBeenCalled();
    for (const stop of stops) stop();
    node.destroy();
    io.disconnect();
  });

  it("sends Redis the same commands per event, however many readers a process has", async () => {
    const log = redisEventLog(setup.client);
    const relay = createRelay({ authorize: () => true, log, heartbeatMs: 600_000 });
    const get = () => new Request("https://app.example.com/");
    const responses = await Promise.all(Array.from({ length: 50 }, () => relay.handle(get())));
    const readers = responses.map((response) => response.body!.getReader());
    for (const reader of readers) await reader.read();
    const commands = () => Number(/total_commands_processed:(\d+)/.exec(setup.server.cli("INFO", "stats"))?.[1]);
    // Each command inside a script counts: append, look for new events, read. The number of readers does not matter. On
    // a busy machine, the relay looks several times before an event arrives, so a later event may show it.
    let sent = Number.POSITIVE_INFINITY;
    for (let number = 1; sent >= 40 && number <= 30; number += 1) {
      const pending = readers.map((reader) => reader.read());
      const before = commands();
      await relay.publish(eventOf(number));
      for (const read of pending) expect(new TextDecoder().decode((await read).value)).toContain(`mtg_${number}`);
      sent = commands() - before;
    }
    expect(sent).toBeLessThan(40);
    await Promise.all(readers.map((reader) => reader.cancel()));
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
