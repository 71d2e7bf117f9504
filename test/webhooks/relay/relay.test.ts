import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ConfigurationError } from "../../../src/errors/argument-errors.js";
import { type EventLog, memoryEventLog } from "../../../src/webhooks/relay/event-log.js";
import { followLog, type OpenConnection } from "../../../src/webhooks/relay/log-follower.js";
import type { RelayOptions } from "../../../src/webhooks/relay/relay.js";
import { createRelay } from "../../../src/webhooks/relay/relay.js";
import { eventOf } from "../events.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const ask = (lastEventId?: string, init: RequestInit = {}) =>
  new Request("https://app.example.com/events", {
    ...init,
    headers: lastEventId === undefined ? {} : { "last-event-id": lastEventId },
  });

/** A log that can fail for its listeners, and counts how often listening began and was stopped. */
function breakableLog(overrides: Partial<EventLog> = {}) {
  const memory = memoryEventLog();
  const listening = { began: 0, stopped: 0, breakOff: (_: unknown) => {} };
  const log: EventLog = {
    ...memory,
    async listen(changed, broken) {
      listening.began += 1;
      const breakEarlier = listening.breakOff;
      listening.breakOff = (error) => {
        breakEarlier(error);
        broken(error);
      };
      const stop = await memory.listen(changed, broken);
      return () => {
        listening.stopped += 1;
        stop();
      };
    },
    ...overrides,
  };
  return { log, listening };
}

/** A relay that accepts every reader, and the errors that it reported. */
function openRelay(options: Partial<RelayOptions> = {}) {
  const errors: unknown[] = [];
  const relay = createRelay({
    authorize: () => true,
    onError: (error) => errors.push(error),
    ...options,
  });
  return { relay, errors };
}

/** The text that has arrived in a stream. */
function readerOf(response: Response) {
  expect(response.status).toBe(200);
  const reader = response.body!.getReader();
  const decoder = new TextDecoder();
  const more = async () => {
    const { done, value } = await reader.read();
    return done ? undefined : decoder.decode(value);
  };
  return { more, cancel: () => reader.cancel(), closed: reader.closed };
}

const meetingsIn = (text: string | undefined) => [...(text ?? "").matchAll(/"meetingId":"(\w+)"/g)].map(([, id]) => id);
const idsIn = (text: string | undefined) => [...(text ?? "").matchAll(/^id: (.+)$/gm)].map(([, id]) => id);

describe("a connection of the relay", () => {
  it("a connection starts with the retry time and the position, and then gets the published events", async () => {
    const { relay } = openRelay({ retryMs: 1234 });
    const response = await relay.handle(ask());
    expect(Object.fromEntries(response.headers)).toEqual({
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-cache, no-transform",
      "x-accel-buffering": "no",
      // Else a reader connects again over a connection that keeps a server from stopping.
      connection: "close",
    });
    const { more } = readerOf(response);
    expect(await more()).toMatch(/^retry: 1234\n\nid: (\S+)\n: at \1\n\n$/);
    const id = await relay.publish(eventOf(1));
    expect(await more()).toBe(`id: ${id}\ndata: ${JSON.stringify(eventOf(1))}\n\n`);
  });

  it("a connection resumes after the event with the id that it sends", async () => {
    const { relay } = openRelay();
    const ids = await Promise.all([1, 2, 3].map((number) => relay.publish(eventOf(number))));
    const { more } = readerOf(await relay.handle(ask(ids[0])));
    expect(idsIn(await more())).toEqual([ids[0]]);
    const text = `${await more()}${await more()}`;
    expect(meetingsIn(text)).toEqual(["mtg_2", "mtg_3"]);
    expect(idsIn(text)).toEqual([ids[1], ids[2]]);
  });

  it("the id of a connection is read as UTF-8, and used unchanged if it needs no decoding or cannot be decoded", async () => {
    const cutOff = Buffer.from("…").toString("latin1").slice(0, 2);
    const asked: string[] = [];
    const { relay } = openRelay({ log: { ...memoryEventLog(), after: (id) => void asked.push(id) } });
    for (const id of [Buffer.from("é🙂").toString("latin1"), "0123abcd-7", "\xff", "id-\xe9-7", cutOff, "é…", "…é"]) {
      // `Headers` accepts only some of these; other runtimes have decoded them already.
      const request = { method: "GET", headers: new Map([["last-event-id", id]]) };
      await readerOf(await relay.handle(request as unknown as Request)).cancel();
    }
    expect(asked).toEqual(["é🙂", "0123abcd-7", "\xff", "id-\xe9-7", cutOff, "é…", "…é"]);
  });

  it("a connection neither misses nor repeats events that are published while it is opened, however slow the log is", async () => {
    const ticks = async (count: number) => {
      for (let i = 0; i < count; i++) await undefined;
    };
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(20), { maxLength: 8 }), fc.infiniteStream(fc.nat(6)), async (gaps, slowness) => {
        const memory = memoryEventLog();
        const slow = async <T>(value: () => T | Promise<T>) => {
          await ticks(slowness.next().value);
          const result = await value();
          await ticks(slowness.next().value);
          return result;
        };
        const { relay } = openRelay({
          log: {
            append: (event, audience) => slow(() => memory.append(event, audience)),
            latestId: () => slow(() => memory.latestId()),
            after: (id, limit) => slow(() => memory.after(id, limit)),
            listen: (changed, broken) => slow(() => memory.listen(changed, broken)),
          },
        });
        const connecting = relay.handle(ask());
        const ids: unknown[] = [];
        const publishing = (async () => {
          for (const [number, gap] of gaps.entries()) {
            await ticks(gap);
            ids.push(await relay.publish(eventOf(number)));
          }
        })();
        const response = await connecting;
        await publishing;
        relay.close();
        const [position, ...heard] = idsIn(await response.text());
        expect(heard).toEqual(ids.slice(ids.indexOf(position) + 1));
      }),
    );
  });

  it("a connection gets a resync if its id is no longer in the log, or belongs to another process", async () => {
    const { relay } = openRelay({ log: memoryEventLog({ maxEvents: 2 }) });
    const [first, ...others] = await Promise.all([1, 2, 3, 4].map((number) => relay.publish(eventOf(number))));
    for (const lost of [first, "0123abcd-1", "x"]) {
      const { more, cancel } = readerOf(await relay.handle(ask(lost)));
      const opening = await more();
      expect(opening).toContain(`event: resync\nid: ${others[2]}\ndata: {"kind":"resync"`);
      const id = await relay.publish(eventOf(5));
      expect(idsIn(await more())).toEqual([id]);
      others[2] = id;
      await cancel();
    }
  });

  it("an idle connection gets heartbeats with its position, which also moves past events for others", async () => {
    const { relay } = openRelay({ heartbeatMs: 1000, authorize: () => "team_a" });
    const { more } = readerOf(await relay.handle(ask()));
    const [start] = idsIn(await more());
    const pending = more();
    await vi.advanceTimersByTimeAsync(1000);
    expect(await pending).toBe(`id: ${start}\n: at ${start}\n\n`);
    const others = await relay.publish(eventOf(1), { audience: "team_b" });
    const next = more();
    await vi.advanceTimersByTimeAsync(1000);
    expect(await next).toBe(`id: ${others}\n: at ${others}\n\n`);
  });

  it("the log is not read for a heartbeat", async () => {
    const memory = memoryEventLog();
    const after = vi.fn(memory.after);
    const { relay } = openRelay({ log: { ...memory, after }, heartbeatMs: 1_000 });
    const { more } = readerOf(await relay.handle(ask()));
    await more();
    const frames = [more(), more(), more()];
    await vi.advanceTimersByTimeAsync(3_000);
    for (const frame of await Promise.all(frames)) expect(frame).toContain(": at ");
    expect(after).toHaveBeenCalledOnce();
  });

  it("a connection gets no heartbeat early, after an event or while events for others are published", async () => {
    const { relay } = openRelay({ heartbeatMs: 1_000, authorize: () => "team_a" });
    const { more } = readerOf(await relay.handle(ask()));
    await more();
    let frames = 0;
    const reading = (async () => {
      while (await more()) frames += 1;
    })();
    await relay.publish(eventOf(1), { audience: "team_b" });
    await vi.advanceTimersByTimeAsync(999);
    expect(frames).toBe(0);
    await vi.advanceTimersByTimeAsync(2_501);
    expect(frames).toBe(3);
    await relay.publish(eventOf(2), { audience: "team_a" });
    await vi.advanceTimersByTimeAsync(999);
    expect(frames).toBe(4);
    await vi.advanceTimersByTimeAsync(1);
    expect(frames).toBe(5);
    relay.close();
    await reading;
  });

  it("an idle connection gets an event at once, even after many events for others", async () => {
    const { relay } = openRelay({ authorize: () => "team_a" });
    const { more } = readerOf(await relay.handle(ask()));
    await more();
    for (let number = 1; number <= 40; number += 1) await relay.publish(eventOf(number), { audience: "team_b" });
    await relay.publish(eventOf(41), { audience: "team_a" });
    expect(meetingsIn(await more())).toEqual(["mtg_41"]);
    const pending = more();
    await relay.publish(eventOf(42));
    expect(meetingsIn(await pending)).toEqual(["mtg_42"]);
  });

  it("an event that is published while the log is read is sent without waiting for a heartbeat", async () => {
    const memory = memoryEventLog();
    let duringRead = async () => {};
    const { relay } = openRelay({
      log: {
        ...memory,
        async after(id, limit) {
          const entries = await memory.after(id, limit);
          await duringRead();
          return entries;
        },
      },
    });
    const { more } = readerOf(await relay.handle(ask()));
    await more();
    duringRead = async () => {
      duringRead = async () => {};
      await relay.publish(eventOf(1));
    };
    expect(meetingsIn(await more())).toEqual(["mtg_1"]);
  });

  it("an event is sent with the JSON that the log stored, and is serialised if the log stores none", async () => {
    const json = JSON.stringify(eventOf(7));
    const entries = [
      {
        id: "1",
        audience: undefined,
        json,
        get event(): never {
          throw new Error("a log that keeps the JSON parses no event");
        },
      },
      { id: "2", audience: undefined, event: eventOf(8) },
    ];
    const log: EventLog = {
      append: () => "",
      latestId: () => "0",
      after: (id) => entries.slice(Number(id)),
      listen: () => () => {},
    };
    const { more } = readerOf(await openRelay({ log }).relay.handle(ask("0")));
    await more();
    expect(await more()).toBe(`id: 1\ndata: ${json}\n\n`);
    expect(await more()).toBe(`id: 2\ndata: ${JSON.stringify(eventOf(8))}\n\n`);
  });
});

describe("the audience of a connection", () => {
  const heardBy = async (authorize: RelayOptions["authorize"]) => {
    const { relay } = openRelay({ authorize });
    const response = await relay.handle(ask());
    await relay.publish(eventOf(1));
    await relay.publish(eventOf(2), { audience: "user_a" });
    await relay.publish(eventOf(3), { audience: ["user_b", "team_c"] });
    relay.close();
    return meetingsIn(await response.text());
  };

  it("a connection gets only events for its audience", async () => {
    expect(await heardBy(() => true)).toEqual(["mtg_1", "mtg_2", "mtg_3"]);
    expect(await heardBy(async () => "user_a")).toEqual(["mtg_1", "mtg_2"]);
    expect(await heardBy(() => ["user_b", "team_c"])).toEqual(["mtg_1", "mtg_3"]);
    expect(await heardBy(() => ["user_a", "team_c"])).toEqual(["mtg_1", "mtg_2", "mtg_3"]);
    expect(await heardBy(() => [])).toEqual(["mtg_1"]);
    expect(await heardBy(() => "user_")).toEqual(["mtg_1"]);
  });

  it("authorize is called for every connection, and a refused connection gets JSON with the reason", async () => {
    let user: unknown = "user_a";
    const { relay } = openRelay({ authorize: () => user as string });
    const first = await relay.handle(ask());
    expect(first.status).toBe(200);
    await first.body?.cancel();
    const refusals: [status: number, code: string, response: Response][] = [];
    for (user of [false, "", null, undefined]) refusals.push([403, "forbidden", await relay.handle(ask())]);
    for (const method of ["POST", "PUT"]) {
      refusals.push([405, "method_not_allowed", await relay.handle(ask(undefined, { method }))]);
    }
    relay.close();
    refusals.push([503, "unavailable", await relay.handle(ask())]);
    for (const [status, code, response] of refusals) {
      expect([response.status, await response.json()]).toEqual([status, { error: { code, message: code } }]);
      expect(response.headers.get("content-type")).toBe("application/json");
      expect(response.headers.get("allow")).toBe(status === 405 ? "GET" : null);
    }
  });

  it.each([[5], [{ user: "user_a" }], [["user_a", 5]]])(
    "an invalid result of authorize refuses the connection, and is reported: %j",
    async (result) => {
      const { relay, errors } = openRelay({ authorize: () => result as never });
      expect((await relay.handle(ask())).status).toBe(503);
      expect(errors).toEqual([
        new ConfigurationError({
          message: "authorize: expected true, a name, a list of names, a Response or a falsy value",
        }),
      ]);
    },
  );

  it("a Response that authorize returns is sent as the response", async () => {
    const { relay } = openRelay({ authorize: () => new Response("log in", { status: 401 }) });
    const response = await relay.handle(ask());
    expect([response.status, await response.text()]).toEqual([401, "log in"]);
  });

  it("the relay responds with 503 and calls onError if authorize throws, even if onError rejects", async () => {
    const failure = new Error("session store is away");
    const { relay, errors } = openRelay({ authorize: () => Promise.reject(failure) });
    expect((await relay.handle(ask())).status).toBe(503);
    expect(errors).toEqual([failure]);
    const logged = vi.spyOn(console, "error").mockImplementation(() => {});
    const rejecting = openRelay({
      authorize: () => Promise.reject(failure),
      onError: async () => {
        throw new Error("reporter");
      },
    });
    expect((await rejecting.relay.handle(ask())).status).toBe(503);
    await vi.waitFor(() => expect(logged.mock.calls).toEqual([["notetaker-sdk:", new Error("reporter")]]), 60_000);
    logged.mockRestore();
  });
});

describe("the end of a reader's access", () => {
  it("end() ends at once the streams that its test accepts, and no other", async () => {
    const { relay, errors } = openRelay({
      authorize: ({ url }) => ({ audience: "tenant_1", user: new URL(url).searchParams.get("user") }),
    });
    const open = async (user: string) =>
      readerOf(await relay.handle(new Request(`https://app.example.com/events?user=${user}`)));
    const [ada, bob] = [await open("ada"), await open("bob")];
    for (const { more } of [ada, bob]) await more();
    const pending = bob.more();
    await relay.publish(eventOf(1), { audience: "tenant_1" });
    const seen: unknown[] = [];
    relay.end((connection) => {
      seen.push(connection.audience);
      return (connection.identity as { user?: string }).user === "ada";
    });
    expect(seen).toEqual(["tenant_1", "tenant_1"]);
    // The event that was published before the end, too, is not sent any more.
    expect(await ada.more()).toBeUndefined();
    expect(meetingsIn(await pending)).toEqual(["mtg_1"]);
    const waiting = bob.more();
    relay.end(({ audience }) => audience === "tenant_1");
    expect(await waiting).toBeUndefined();
    relay.end(() => expect.fail("no stream is open"));
    expect(errors).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
    // A reader that reconnects is up to authorize.
    expect((await open("ada")).closed).toBeInstanceOf(Promise);
  });

  it.each<[what: string, result: () => unknown, reported: number]>([
    ["a falsy value", () => undefined, 0],
    ["a Response", () => new Response(null, { status: 401 }), 0],
    ["an error", () => Promise.reject(new Error("the session store is away")), 1],
  ])(
    "after reauthorizeMs, authorize is asked again with the request; %s ends the stream",
    async (_, result, reported) => {
      let authorize: () => unknown = () => "team_a";
      const requests: Request[] = [];
      const { relay, errors } = openRelay({
        reauthorizeMs: 10_000,
        heartbeatMs: 4_000,
        authorize: (request) => {
          requests.push(request);
          return authorize() as string;
        },
      });
      const request = ask();
      const { more, closed } = readerOf(await relay.handle(request));
      closed.catch(() => {});
      let text = "";
      const reading = (async () => {
        for (let part = await more(); part !== undefined; part = await more()) text += part;
      })().catch(() => {});
      await vi.advanceTimersByTimeAsync(9_999);
      expect(requests).toHaveLength(1);
      // Another audience holds from now on.
      authorize = () => "team_b";
      await vi.advanceTimersByTimeAsync(1);
      expect(requests).toEqual([request, request]);
      await relay.publish(eventOf(1), { audience: "team_a" });
      await relay.publish(eventOf(2), { audience: "team_b" });
      authorize = result;
      await vi.advanceTimersByTimeAsync(9_999);
      await relay.publish(eventOf(3), { audience: "team_b" });
      await vi.advanceTimersByTimeAsync(1);
      await relay.publish(eventOf(4), { audience: "team_b" });
      await reading;
      expect(meetingsIn(text)).toEqual(["mtg_2", "mtg_3"]);
      expect(errors).toHaveLength(reported);
      expect(vi.getTimerCount()).toBe(0);
    },
  );

  it("authorize is asked again after an hour by default", async () => {
    const authorize = vi.fn(() => true);
    const { relay } = openRelay({ authorize });
    const { more, cancel } = readerOf(await relay.handle(ask()));
    const reading = (async () => {
      while (await more());
    })();
    await vi.advanceTimersByTimeAsync(3_599_999);
    expect(authorize).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(authorize).toHaveBeenCalledTimes(2);
    await cancel();
    await reading;
  });
});

describe("a slow reader", () => {
  it("a slow reader gets every event in order, from the log", async () => {
    const { relay } = openRelay({ log: memoryEventLog({ maxEvents: 5000 }) });
    const { more } = readerOf(await relay.handle(ask()));
    for (let number = 0; number < 5000; number++) await relay.publish(eventOf(number));
    const heard: (string | undefined)[] = [];
    while (heard.length < 5000) heard.push(...meetingsIn(await more()));
    expect(heard).toEqual(Array.from({ length: 5000 }, (_, number) => `mtg_${number}`));
  });

  it("a reader that falls behind the log is disconnected, so that it skips no event", async () => {
    const { relay, errors } = openRelay({ log: memoryEventLog({ maxEvents: 10 }) });
    const { more } = readerOf(await relay.handle(ask()));
    const [position] = idsIn(await more());
    for (let number = 0; number < 11; number++) await relay.publish(eventOf(number));
    await expect(more()).rejects.toThrow("too slow");
    expect(await readerOf(await relay.handle(ask(position))).more()).toContain("event: resync");
    expect(errors).toEqual([]);
  });

  it("a reader that waits for data is connected for as long as a heartbeat takes", async () => {
    const { relay } = openRelay({ heartbeatMs: 100_000 });
    const { more } = readerOf(await relay.handle(ask()));
    await more();
    const beat = more();
    await vi.advanceTimersByTimeAsync(100_000);
    expect(await beat).toContain(": at ");
  });

  it("a reader that takes no data for a minute is disconnected, and a reader that waits for data is not", async () => {
    const { relay } = openRelay();
    const stalled = readerOf(await relay.handle(ask()));
    const quiet = readerOf(await relay.handle(ask()));
    for (const { more } of [stalled, quiet]) await more();
    let beats = 0;
    const listening = (async () => {
      while (await quiet.more()) beats += 1;
    })();
    await vi.advanceTimersByTimeAsync(59_999);
    await expect(Promise.race([stalled.closed, Promise.resolve("open")])).resolves.toBe("open");
    await vi.advanceTimersByTimeAsync(1);
    await expect(stalled.closed).rejects.toThrow("too slow");
    expect(beats).toBe(7);
    relay.close();
    await listening;
  });
});

describe("the relay and its log", () => {
  it("the relay has timers only while connections are open", async () => {
    const { relay } = openRelay();
    await relay.publish(eventOf(1));
    expect(vi.getTimerCount()).toBe(0);
    const responses = [await relay.handle(ask()), await relay.handle(ask())];
    expect(vi.getTimerCount()).toBe(2);
    for (const { body } of responses) await body?.cancel();
    expect(vi.getTimerCount()).toBe(0);
  });

  it("a connection that has ended is not kept, whether its reader left or the log broke", async () => {
    const { log, listening } = breakableLog();
    const connections = new Map<object, OpenConnection>();
    const options = { log, lastEventId: null, retryMs: 50, heartbeatMs: 1_000, reauthorizeMs: 9_000, connections };
    const mayContinue = async () => true;
    const connect = () =>
      followLog({ ...options, connection: {}, mayContinue, mayReceive: () => true, onError: () => {} });
    const first = await connect();
    await connect();
    expect(connections.size).toBe(2);
    await first.cancel();
    expect(connections.size).toBe(1);
    listening.breakOff(new Error("the log is lost"));
    expect(connections.size).toBe(0);
  });

  it("close() sends the events in the log, ends the connections and refuses new ones", async () => {
    const { relay } = openRelay();
    const response = await relay.handle(ask());
    const { more } = readerOf(response);
    await more();
    await relay.publish(eventOf(1));
    relay.close();
    expect(meetingsIn(await more())).toEqual(["mtg_1"]);
    expect(await more()).toBeUndefined();
    const refused = await relay.handle(ask());
    expect([refused.status, refused.headers.get("connection")]).toEqual([503, "close"]);
    expect(vi.getTimerCount()).toBe(0);
    await expect(relay.publish(eventOf(2))).resolves.toBeTypeOf("string");
  });

  it("close() gives a reader that does not read everything a second, and reports nothing", async () => {
    const { relay, errors } = openRelay();
    const { more, closed } = readerOf(await relay.handle(ask()));
    await more();
    for (const number of [1, 2]) await relay.publish({ ...eventOf(number), payload: { text: "x".repeat(70_000) } });
    relay.close();
    await vi.advanceTimersByTimeAsync(900);
    expect(meetingsIn(await more())).toEqual(["mtg_1"]);
    await vi.advanceTimersByTimeAsync(99);
    await expect(Promise.race([closed, Promise.resolve("open")])).resolves.toBe("open");
    await vi.advanceTimersByTimeAsync(1);
    await expect(closed).rejects.toThrow("too slow");
    expect(errors).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("an error by which a framework gets control is thrown, and not reported", async () => {
    // Next.js throws such errors for redirect(), and when a route that is being built reads its request.
    const redirect = Object.assign(new Error("NEXT_REDIRECT"), { digest: "NEXT_REDIRECT;replace;/login;307;" });
    const cors = { origin: () => Promise.reject(redirect) };
    const request = new Request("https://app.example.com/events", { headers: { origin: "https://example.com" } });
    for (const options of [{ authorize: () => Promise.reject(redirect) }, { cors }]) {
      const { relay, errors } = openRelay(options);
      await expect(relay.handle(request)).rejects.toBe(redirect);
      expect(errors).toEqual([]);
    }
  });

  it("close() ends a connection that is being opened, and one that is waiting", async () => {
    const { relay } = openRelay();
    const connecting = relay.handle(ask());
    relay.close();
    const opened = readerOf(await connecting);
    expect(await opened.more()).toContain("retry:");
    expect(await opened.more()).toBeUndefined();

    const other = openRelay().relay;
    const { more } = readerOf(await other.handle(ask()));
    await more();
    const pending = more();
    other.close();
    expect(await pending).toBeUndefined();
  });

  it("the relay responds with 503 and calls onError while the log fails, and works again afterwards", async () => {
    const memory = memoryEventLog();
    const failure = new Error("connection refused");
    let fails: keyof EventLog | undefined;
    const failing = <T>(name: keyof EventLog, value: () => T) => {
      if (fails === name) throw failure;
      return value();
    };
    const { log, listening } = breakableLog({
      append: (event, audience) => failing("append", () => memory.append(event, audience)),
      latestId: async () => failing("latestId", () => memory.latestId()),
      after: async (id, limit) => failing("after", () => memory.after(id, limit)),
    });
    const { relay, errors } = openRelay({
      log: { ...log, listen: async (changed, broken) => failing("listen", () => log.listen(changed, broken)) },
    });
    for (fails of ["listen", "latestId"] as const) expect((await relay.handle(ask())).status).toBe(503);
    fails = "after";
    expect((await relay.handle(ask("x"))).status).toBe(503);
    expect(errors).toEqual([failure, failure, failure]);
    expect(listening.stopped).toBe(listening.began);
    expect(vi.getTimerCount()).toBe(0);

    fails = "after";
    const { more } = readerOf(await relay.handle(ask()));
    await more();
    await expect(more()).rejects.toThrow("connection refused");
    expect(errors).toHaveLength(4);
    fails = "append";
    await expect(relay.publish(eventOf(2))).rejects.toBe(failure);
    fails = undefined;
    await expect(relay.publish(eventOf(2))).resolves.toBeTypeOf("string");
  });

  it.each([
    ["listening begins", "listen"],
    ["its position is read", "latestId"],
  ] as const)("the relay responds with 503 if the log breaks while %s, and leaves no listener", async (_, step) => {
    const failure = new Error("connection lost");
    const { log, listening } = breakableLog();
    const breaking: EventLog = {
      ...log,
      latestId() {
        if (step === "latestId") listening.breakOff(failure);
        return log.latestId();
      },
      async listen(changed, broken) {
        const stop = await log.listen(changed, broken);
        if (step === "listen") broken(failure);
        return stop;
      },
    };
    const { relay, errors } = openRelay({ log: breaking });
    expect((await relay.handle(ask())).status).toBe(503);
    expect(listening.stopped).toBe(1);
    expect(errors).toEqual([failure]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("a log that breaks ends all connections, is reported once, and is listened to again by the next reader", async () => {
    const { log, listening } = breakableLog();
    const { relay, errors } = openRelay({ log });
    const left = await relay.handle(ask());
    await left.body?.cancel();
    const responses = [await relay.handle(ask()), await relay.handle(ask()), await relay.handle(ask())];
    const failure = new Error("connection lost");
    listening.breakOff(failure);
    for (const response of responses) await expect(response.text()).rejects.toBe(failure);
    expect(errors).toEqual([failure]);
    expect([listening.began, listening.stopped]).toEqual([4, 4]);
    const { more } = readerOf(await relay.handle(ask()));
    await more();
    await relay.publish(eventOf(1));
    expect(meetingsIn(await more())).toEqual(["mtg_1"]);
  });

  it("a log that breaks after the last reader has left is not reported, and no listener is stopped twice", async () => {
    const { log, listening } = breakableLog();
    const { relay, errors } = openRelay({ log });
    const response = await relay.handle(ask());
    await response.body?.cancel();
    listening.breakOff(new Error("connection lost"));
    expect(listening.stopped).toBe(1);
    expect(errors).toEqual([]);
  });
});
