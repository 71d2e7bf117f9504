import fc from "fast-check";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { ConfigurationError } from "../../../src/errors/argument-errors.js";
import { type EventLog, memoryEventLog } from "../../../src/webhooks/relay/event-log.js";
import { createRelay, type RelayOptions } from "../../../src/webhooks/relay/relay.js";
import { eventOf } from "../events.js";

beforeEach(() => void vi.useFakeTimers());

const ask = (lastEventId?: string, init: RequestInit = {}) =>
  new Request("https://app.example.com/events", {
    ...init,
    headers: lastEventId === undefined ? {} : { "last-event-id": lastEventId },
  });

/** A relay that accepts every reader, and the errors that it reported. */
function openRelay(options: Partial<RelayOptions> = {}) {
  const errors: unknown[] = [];
  const relay = createRelay({ authorize: () => true, onError: (error) => errors.push(error), ...options });
  return { relay, errors };
}

/** `more` resolves to the text that arrives next in a stream, or to `undefined` at its end. */
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

/** A relay with a reader that has got the opening of its stream. */
async function connected(options: Partial<RelayOptions> = {}, lastEventId?: string) {
  const { relay, errors } = openRelay(options);
  const reader = readerOf(await relay.handle(ask(lastEventId)));
  const opening = (await reader.more()) ?? "";
  return { relay, errors, opening, position: idsIn(opening)[0], ...reader };
}

/** Reads to the end. `frames` has what has arrived so far. */
function readAll({ more }: { more: () => Promise<string | undefined> }) {
  const frames: string[] = [];
  const end = (async () => {
    for (let frame = await more(); frame !== undefined; frame = await more()) frames.push(frame);
  })();
  return { frames, end };
}

const meetingsIn = (text: string | undefined) => [...(text ?? "").matchAll(/"meetingId":"(\w+)"/g)].map(([, id]) => id);
const idsIn = (text: string | undefined) => [...(text ?? "").matchAll(/^id: (.+)$/gm)].map(([, id]) => id);

describe("a connection of the relay", () => {
  it("starts with the retry time and the position, and then gets the published events", async () => {
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
    // A page of another origin sends an empty id before it has one.
    expect((await connected({ retryMs: 1234 }, "")).opening).toContain(": at ");
    const id = await relay.publish(eventOf(1));
    expect(await more()).toBe(`id: ${id}\ndata: ${JSON.stringify(eventOf(1))}\n\n`);
  });

  it("resumes after the event with the id that it sends", async () => {
    const log = memoryEventLog();
    const ids = [1, 2, 3].map((number) => log.append(eventOf(number), undefined) as string);
    const { position, more } = await connected({ log }, ids[0]);
    expect(position).toBe(ids[0]);
    const text = `${await more()}${await more()}`;
    expect(meetingsIn(text)).toEqual(["mtg_2", "mtg_3"]);
    expect(idsIn(text)).toEqual([ids[1], ids[2]]);
  });

  it("neither misses nor repeats events that are published while it is opened, however slow the log is", async () => {
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

  it("gets a resync if its id is no longer in the log, or belongs to another process", async () => {
    const log = memoryEventLog({ maxEvents: 2 });
    const ids = [1, 2, 3, 4].map((number) => log.append(eventOf(number), undefined));
    for (const lost of [ids[0] as string, "0123abcd-1", "x"]) {
      const { relay, opening, more } = await connected({ log }, lost);
      expect(opening).toContain(`event: resync\nid: ${ids.at(-1)}\ndata: {"kind":"resync"`);
      ids.push(await relay.publish(eventOf(5)));
      expect(idsIn(await more())).toEqual([ids.at(-1)]);
    }
  });

  it("gets heartbeats with its position, which also moves past events for others", async () => {
    const { relay, position, more } = await connected({ heartbeatMs: 1000, authorize: () => "team_a" });
    const pending = more();
    await vi.advanceTimersByTimeAsync(1000);
    expect(await pending).toBe(`id: ${position}\n: at ${position}\n\n`);
    const others = await relay.publish(eventOf(1), { audience: "team_b" });
    const next = more();
    await vi.advanceTimersByTimeAsync(1000);
    expect(await next).toBe(`id: ${others}\n: at ${others}\n\n`);
  });

  it("gets no heartbeat early, after an event or while events for others are published; the log is not read for it", async () => {
    const memory = memoryEventLog();
    const after = vi.fn(memory.after);
    const log = { ...memory, after };
    const { relay, ...reader } = await connected({ log, heartbeatMs: 1_000, authorize: () => "team_a" });
    const { frames, end } = readAll(reader);
    await relay.publish(eventOf(1), { audience: "team_b" });
    await vi.advanceTimersByTimeAsync(999);
    expect(frames).toHaveLength(0);
    const reads = after.mock.calls.length;
    await vi.advanceTimersByTimeAsync(2_501);
    expect(frames).toHaveLength(3);
    expect(after).toHaveBeenCalledTimes(reads);
    await relay.publish(eventOf(2), { audience: "team_a" });
    await vi.advanceTimersByTimeAsync(999);
    expect(frames).toHaveLength(4);
    await vi.advanceTimersByTimeAsync(1);
    expect(frames).toHaveLength(5);
    relay.close();
    await end;
  });

  it("gets an event at once, even after many events for others", async () => {
    const { relay, more } = await connected({ authorize: () => "team_a" });
    for (let number = 1; number <= 40; number += 1) await relay.publish(eventOf(number), { audience: "team_b" });
    await relay.publish(eventOf(41), { audience: "team_a" });
    expect(meetingsIn(await more())).toEqual(["mtg_41"]);
    const pending = more();
    await relay.publish(eventOf(42));
    expect(meetingsIn(await pending)).toEqual(["mtg_42"]);
  });

  it("gets an event that is published while the log is read without waiting for a heartbeat", async () => {
    const memory = memoryEventLog();
    const duringRead: (() => unknown)[] = [];
    const after: EventLog["after"] = async (id, limit) => {
      const entries = await memory.after(id, limit);
      await duringRead.pop()?.();
      return entries;
    };
    const { relay, more } = await connected({ log: { ...memory, after } });
    duringRead.push(() => relay.publish(eventOf(1)));
    expect(meetingsIn(await more())).toEqual(["mtg_1"]);
  });
});

describe("the audience of a connection", () => {
  it.each<[audience: unknown, heard: number[]]>([
    [true, [1, 2, 3]],
    ["user_a", [1, 2]],
    [
      ["user_b", "team_c"],
      [1, 3],
    ],
    [
      ["user_a", "team_c"],
      [1, 2, 3],
    ],
    [[], [1]],
    ["user_", [1]],
  ])("%j: a connection gets only events for its audience", async (audience, heard) => {
    const { relay } = openRelay({ authorize: async () => audience as string });
    const response = await relay.handle(ask());
    await relay.publish(eventOf(1));
    await relay.publish(eventOf(2), { audience: "user_a" });
    await relay.publish(eventOf(3), { audience: ["user_b", "team_c"] });
    relay.close();
    expect(meetingsIn(await response.text())).toEqual(heard.map((number) => `mtg_${number}`));
  });

  it("authorize is called for every connection, and a refused connection gets JSON with the reason", async () => {
    let user: unknown = "user_a";
    const { relay } = openRelay({ authorize: () => user as string });
    await readerOf(await relay.handle(ask())).cancel();
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
      expect(errors).toEqual([expect.any(ConfigurationError)]);
    },
  );

  it("a Response that authorize returns is sent as the response", async () => {
    const { relay } = openRelay({ authorize: () => new Response("log in", { status: 401 }) });
    const response = await relay.handle(ask());
    expect([response.status, await response.text()]).toEqual([401, "log in"]);
  });

  it("the relay responds with 503 and calls onError if authorize throws, even if onError rejects", async () => {
    const failure = new Error("session store is away");
    const reported: unknown[] = [];
    const onError = async (error: unknown) => {
      reported.push(error);
      throw new Error("reporter");
    };
    const logged = vi.spyOn(console, "error").mockImplementation(() => {});
    const { relay } = openRelay({ authorize: () => Promise.reject(failure), onError });
    expect((await relay.handle(ask())).status).toBe(503);
    expect(reported).toEqual([failure]);
    await vi.waitFor(() => expect(logged.mock.calls).toEqual([["notetaker-sdk:", new Error("reporter")]]), 60_000);
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
    await open("ada");
  });

  it.each(["authorize", "the log"])("end() also ends a stream that waits for %s to open", async (what) => {
    const memory = memoryEventLog();
    let answer = () => {};
    const slow = <T>(value: T | Promise<T>) => new Promise<T>((resolve) => (answer = () => resolve(value)));
    const { relay, errors } = openRelay({
      authorize: () => (what === "authorize" ? slow("ada") : "ada"),
      log: { ...memory, latestId: () => (what === "the log" ? slow(memory.latestId()) : memory.latestId()) },
    });
    for (const user of ["bob", "ada"]) {
      const connecting = relay.handle(ask());
      await vi.advanceTimersByTimeAsync(0);
      relay.end(({ audience }) => audience === user);
      answer();
      const { more, cancel } = readerOf(await connecting);
      expect(idsIn(await more())).toHaveLength(1);
      const next = await Promise.race([more(), vi.advanceTimersByTimeAsync(0).then(() => "open")]);
      expect(next).toBe(user === "ada" ? undefined : "open");
      await cancel();
    }
    expect(errors).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it.each<[what: string, result: () => unknown, reported: number, afterMs?: number]>([
    ["a falsy value", () => undefined, 0],
    ["a Response", () => new Response(null, { status: 401 }), 0],
    ["an error", () => Promise.reject(new Error("the session store is away")), 1],
    ["a falsy value", () => undefined, 0, 3_600_000],
  ])(
    "after reauthorizeMs, authorize is asked again with the request; %s ends the stream",
    async (_, result, reported, reauthorizeMs) => {
      const authorize = vi.fn((_request: Request): unknown => "team_a");
      const { relay, errors } = openRelay({
        reauthorizeMs: reauthorizeMs === undefined ? 10_000 : undefined,
        authorize: (request) => authorize(request) as string,
      });
      const untilAsked = (reauthorizeMs ?? 10_000) - 1;
      const request = ask();
      const { frames, end } = readAll(readerOf(await relay.handle(request)));
      end.catch(() => {});
      await vi.advanceTimersByTimeAsync(untilAsked);
      expect(authorize).toHaveBeenCalledOnce();
      // Another audience holds from now on.
      authorize.mockReturnValue("team_b");
      await vi.advanceTimersByTimeAsync(1);
      expect(authorize.mock.calls).toEqual([[request], [request]]);
      await relay.publish(eventOf(1), { audience: "team_a" });
      await relay.publish(eventOf(2), { audience: "team_b" });
      authorize.mockImplementation(result);
      await vi.advanceTimersByTimeAsync(untilAsked);
      await relay.publish(eventOf(3), { audience: "team_b" });
      await vi.advanceTimersByTimeAsync(1);
      await relay.publish(eventOf(4), { audience: "team_b" });
      await end.catch(() => {});
      expect(meetingsIn(frames.join(""))).toEqual(["mtg_2", "mtg_3"]);
      expect(errors).toHaveLength(reported);
      expect(vi.getTimerCount()).toBe(0);
    },
  );
});

describe("a slow reader", () => {
  it("gets every event in order, from the log", async () => {
    const { relay, ...reader } = await connected();
    const published = Array.from({ length: 500 }, (_, number) => `mtg_${number}`);
    for (const number of published.keys()) await relay.publish(eventOf(number));
    relay.close();
    const { frames, end } = readAll(reader);
    await end;
    expect(meetingsIn(frames.join(""))).toEqual(published);
  });

  it("that falls behind the log is disconnected, so that it skips no event", async () => {
    const log = memoryEventLog({ maxEvents: 10 });
    const { relay, errors, more, position } = await connected({ log });
    for (let number = 0; number < 11; number++) await relay.publish(eventOf(number));
    await expect(more()).rejects.toThrow("too slow");
    expect((await connected({ log }, position)).opening).toContain("event: resync");
    expect(errors).toEqual([]);
  });

  it("that takes no data for a minute is disconnected, and a reader that waits for data is not", async () => {
    const { relay, more } = await connected({ heartbeatMs: 100_000 });
    const stalled = readerOf(await relay.handle(ask()));
    const ended = vi.fn();
    stalled.closed.catch(ended);
    const beat = more();
    await vi.advanceTimersByTimeAsync(59_999);
    expect(ended).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    await expect(stalled.closed).rejects.toThrow("too slow");
    await vi.advanceTimersByTimeAsync(40_000);
    expect(await beat).toContain(": at ");
  });
});

describe("the end of a relay", () => {
  it("the relay has timers only while connections are open", async () => {
    const { relay } = openRelay();
    await relay.publish(eventOf(1));
    expect(vi.getTimerCount()).toBe(0);
    const responses = [await relay.handle(ask()), await relay.handle(ask())];
    expect(vi.getTimerCount()).toBe(2);
    for (const { body } of responses) await body?.cancel();
    expect(vi.getTimerCount()).toBe(0);
  });

  it.each(["close()", "await using"])("%s sends the log, ends the connections and refuses new ones", async (how) => {
    const { relay, ...reader } = await connected();
    const waiting = readerOf(await relay.handle(ask()));
    await waiting.more();
    await relay.publish(eventOf(1));
    expect(meetingsIn(await waiting.more())).toEqual(["mtg_1"]);
    const pending = waiting.more();
    const connecting = relay.handle(ask());
    // The symbol of the runtime, which TypeScript's `lib` may not know.
    const { asyncDispose } = Symbol as unknown as { asyncDispose: "close" };
    await relay[how === "close()" ? "close" : asyncDispose]();
    expect(await pending).toBeUndefined();
    const received = readAll(reader);
    const opened = readAll(readerOf(await connecting));
    await Promise.all([received.end, opened.end]);
    expect(received.frames.map(meetingsIn)).toEqual([["mtg_1"]]);
    expect(opened.frames).toEqual([expect.stringContaining("retry:")]);
    const refused = await relay.handle(ask());
    expect([refused.status, refused.headers.get("connection")]).toEqual([503, "close"]);
    expect(vi.getTimerCount()).toBe(0);
    await expect(relay.publish(eventOf(2))).resolves.toBeTypeOf("string");
  });

  it("close() gives a reader that does not read everything a second, and reports nothing", async () => {
    const { relay, errors, more, closed } = await connected();
    const ended = vi.fn();
    closed.catch(ended);
    for (const number of [1, 2]) await relay.publish(eventOf(number));
    relay.close();
    await vi.advanceTimersByTimeAsync(900);
    expect(meetingsIn(await more())).toEqual(["mtg_1"]);
    await vi.advanceTimersByTimeAsync(99);
    expect(ended).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    await expect(closed).rejects.toThrow("too slow");
    expect(errors).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("a log that fails", () => {
  /** A log in memory that breaks for all its listeners, and counts them. */
  function breakableLog() {
    const memory = memoryEventLog();
    const listeners = new Set<(error: unknown) => void>();
    const log: EventLog = {
      ...memory,
      async listen(changed, broken) {
        listeners.add(broken);
        const stop = await memory.listen(changed, broken);
        return () => {
          if (!listeners.delete(broken)) throw new Error("stopped twice");
          stop();
        };
      },
    };
    const breakOff = (error: unknown) => {
      for (const broken of [...listeners]) broken(error);
    };
    return { log, listeners, breakOff };
  }

  const failure = new Error("connection lost");

  it("the relay responds with 503 and calls onError while the log fails, and works again afterwards", async () => {
    const { log, listeners } = breakableLog();
    let fails: keyof EventLog | undefined;
    const failing = <K extends keyof EventLog>(name: K) =>
      (async (...values: never[]) => {
        if (fails === name) throw failure;
        return (log[name] as (...values: never[]) => unknown)(...values);
      }) as EventLog[K];
    const { relay, errors } = openRelay({
      log: {
        append: failing("append"),
        latestId: failing("latestId"),
        after: failing("after"),
        listen: failing("listen"),
      },
    });
    for (fails of ["listen", "latestId", "after"] as const) expect((await relay.handle(ask("x"))).status).toBe(503);
    expect(errors).toEqual([failure, failure, failure]);
    expect(listeners.size).toBe(0);
    expect(vi.getTimerCount()).toBe(0);

    const { more } = readerOf(await relay.handle(ask()));
    await more();
    await expect(more()).rejects.toBe(failure);
    fails = "append";
    await expect(relay.publish(eventOf(2))).rejects.toBe(failure);
    fails = undefined;
    await expect(relay.publish(eventOf(2))).resolves.toBeTypeOf("string");
  });

  it.each(["listen", "latestId"] as const)(
    "the relay responds with 503 if the log breaks during %s, and leaves no listener",
    async (step) => {
      const { log, listeners, breakOff } = breakableLog();
      const breaking = async (...values: never[]) => {
        const result = await (log[step] as (...values: never[]) => unknown)(...values);
        breakOff(failure);
        return result;
      };
      const { relay, errors } = openRelay({ log: { ...log, [step]: breaking } });
      expect((await relay.handle(ask())).status).toBe(503);
      expect(listeners.size).toBe(0);
      expect(errors).toEqual([failure]);
      expect(vi.getTimerCount()).toBe(0);
    },
  );

  it("ends all connections, is reported once, and is listened to again by the next reader", async () => {
    const { log, listeners, breakOff } = breakableLog();
    const { relay, errors } = openRelay({ log });
    await readerOf(await relay.handle(ask())).cancel();
    breakOff(new Error("after the last reader has left"));
    const responses = [await relay.handle(ask()), await relay.handle(ask()), await relay.handle(ask())];
    breakOff(failure);
    for (const response of responses) await expect(response.text()).rejects.toBe(failure);
    expect(errors).toEqual([failure]);
    expect(listeners.size).toBe(0);
    relay.end(() => expect.fail("no stream is open"));
    const { more } = readerOf(await relay.handle(ask()));
    await more();
    await relay.publish(eventOf(1));
    expect(meetingsIn(await more())).toEqual(["mtg_1"]);
  });
});
