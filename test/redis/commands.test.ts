/** The commands that Redis gets, and what their answers and failures mean. No Redis runs; the tests answer. */
import { redisDedupe, redisEventLog, redisThrottle } from "notetaker-sdk/redis";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { RedisServer } from "../../src/redis/redis-server.js";
import { redisCounter } from "../../src/redis/throttle/redis-counter.js";
import { clientOf, refusal, rejection } from "../support/recorder.js";
import { eventOf } from "../webhooks/events.js";
import { eventually, moment, recordingClient } from "./support/recording-client.js";
import { TOKEN } from "./support/throttles.js";

const errorOf = async (work: unknown) => {
  try {
    await work;
    return undefined;
  } catch (error) {
    return error;
  }
};

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "performance"] });
});

/** Advances the time after each turn of the event loop, until `work` settles. Returns its error and how long it took. */
async function outcomeOf(work: PromiseLike<unknown> | unknown) {
  const startedAt = performance.now();
  let settled: { error: unknown; tookMs: number } | undefined;
  void errorOf(work).then((error) => {
    settled = { error, tookMs: performance.now() - startedAt };
  });
  return eventually(() => {
    if (settled === undefined) vi.advanceTimersByTime(10);
    return settled;
  });
}

describe("each kind of client", () => {
  const on = () => {};
  const sendCommand = (...args: unknown[]) => Promise.resolve(args);
  const nodeRedis = { on, isOpen: true, destroy() {}, sendCommand };
  const script = ["EVAL", "return 1", "2", "key", "key2", "arg"];

  it.each<[string, object, expected: unknown[]]>([
    ["a pool, which has no disconnect", { ...nodeRedis, destroy: undefined }, [script]],
    ["a client with disconnect", { ...nodeRedis, disconnect() {} }, [script]],
    ["a Cluster", { ...nodeRedis, nodeClient() {} }, ["key", false, script]],
    ["a Sentinel", { ...nodeRedis, getMasterNode() {} }, [false, script]],
    ["ioredis", { on, status: "ready", sendCommand: 1, call: sendCommand }, script],
    ["ioredis that connects at its first command", { on, status: "wait", call: sendCommand }, script],
  ])("gets a script with its keys in the form that it expects: %s", async (_, client, expected) => {
    const server = new RedisServer("test", client, {});
    expect(await server.run("return 1", ["key", "key2"], ["arg"])).toEqual(expected);
  });

  it.each<[string, object]>([
    ["redis", { ...nodeRedis, isReady: false }],
    ["a Cluster", { ...nodeRedis, isOpen: false, nodeClient() {} }],
    ["ioredis", { on, status: "reconnecting", call: sendCommand }],
  ])("is sent nothing while it is not connected: %s", async (_, client) => {
    const sent = vi.spyOn(client as { call: () => void }, ("call" in client ? "call" : "sendCommand") as "call");
    const { error, tookMs } = await outcomeOf(new RedisServer("test", client, {}).run("return 1", ["key"], []));
    expect(error).toMatchObject({ name: "ConnectionError", outcome: "not_sent" });
    expect(Math.floor(tookMs / 100)).toBe(20);
    expect(sent).not.toHaveBeenCalled();
  });
});

describe("a script", () => {
  const failing = (failure: unknown) => {
    const { client } = recordingClient(() => Promise.reject(failure));
    return new RedisServer("test", client, {});
  };
  const uncertain = { isUncertain: true };

  it.each<[string, unknown, cause: object | undefined, outcome: string]>([
    ["an error", new TypeError("lost"), { name: "TypeError", message: "lost" }, "unknown"],
    ["a refusal", new Error("OOM command"), { message: "OOM command" }, "not_sent"],
    ["a code that is no word", new Error("a OOM x"), {}, "unknown"],
    ["a short word", new Error("A note"), {}, "unknown"],
    ["no error", "away", undefined, "unknown"],
  ])("that fails with %s has an error that says whether it may have been run", async (_, failure, cause, outcome) => {
    const { error } = await outcomeOf(failing(failure).run("", ["key"], [], uncertain));
    expect(error).toMatchObject({ name: "ConnectionError", outcome, retryable: outcome === "not_sent" });
    expect((error as Error).cause).toEqual(cause && expect.objectContaining(cause));
    expect((await outcomeOf(failing(failure).run("", ["key"], []))).error).toMatchObject({ outcome: "not_sent" });
    expect(vi.getTimerCount()).toBe(0);
  });

  it("has an error of this library if the client throws at once", async () => {
    const call = () => {
      throw new TypeError("not a client");
    };
    const server = new RedisServer("test", { on() {}, status: "ready", call }, {});
    expect((await outcomeOf(server.run("", ["key"], []))).error).toMatchObject({ name: "ConnectionError" });
    expect(vi.getTimerCount()).toBe(0);
  });

  it("that fails has an error with a code that is a string, and without the command and its keys", async () => {
    for (const [code, kept] of [
      ["ECONNRESET", "ECONNRESET"],
      [5, undefined],
    ] as const) {
      const failure = Object.assign(new Error("lost"), { code, command: { args: ["topsecret"] } });
      const { error } = await outcomeOf(failing(failure).run("topsecret", ["topsecret"], ["topsecret"]));
      const { cause } = error as { cause: { code?: unknown } };
      expect(cause.code).toBe(kept);
      expect(JSON.stringify(error) + JSON.stringify(cause)).not.toContain("topsecret");
    }
  });

  it("has three seconds for its answer, which may have buffers in place of texts", async () => {
    const never = new RedisServer("test", recordingClient(() => new Promise(() => {})).client, {});
    const { error, tookMs } = await outcomeOf(never.run("", ["key"], []));
    expect(error).toMatchObject({ name: "ConnectionError", outcome: "not_sent" });
    expect(Math.round(tookMs / 100)).toBe(30);
    const second = outcomeOf(never.run("", ["key"], [], uncertain));
    expect(await second).toMatchObject({ error: { outcome: "unknown", retryable: false } });
    const { client } = recordingClient(() => [Buffer.from("text"), 5, [null, Buffer.from("ü")]]);
    expect(await new RedisServer("test", client, {}).run("", ["key"], [])).toEqual(["text", 5, [null, "ü"]]);
  });

  it("that must not be run twice is sent after the client could notice a lost connection", async () => {
    const { client, sent } = recordingClient();
    const running = outcomeOf(new RedisServer("test", client, {}).run("", ["key"], [], uncertain));
    client.isReady = false;
    expect(await running).toMatchObject({ error: { outcome: "not_sent" } });
    expect(sent).toEqual([]);
  });

  it('is waited for once in an outage with onError "open", which is reported once, and each time with "closed"', async () => {
    const { client } = recordingClient(() => 1);
    const logged = vi.spyOn(console, "error").mockImplementation(() => {});
    const onUnavailable = vi.fn(() => {
      throw new Error("callback");
    });
    const secondsOf = async (server: RedisServer, error: unknown) => {
      const outcome = await outcomeOf(server.orOpen(server.run("", ["key"], [])));
      expect(outcome.error).toEqual(error);
      return Math.floor(outcome.tookMs / 1_000);
    };
    const failure = expect.objectContaining({ name: "ConnectionError", outcome: "not_sent" });
    const closed = new RedisServer("test", client, { onUnavailable });
    const open = new RedisServer("test", client, { onError: "open", onUnavailable });
    for (const outage of [1, 2]) {
      client.isReady = false;
      expect([await secondsOf(closed, failure), await secondsOf(closed, failure)]).toEqual([2, 2]);
      expect([await secondsOf(open, undefined), await secondsOf(open, undefined)]).toEqual([2, 0]);
      expect(onUnavailable.mock.calls).toEqual(Array(outage).fill([failure]));
      client.isReady = true;
      expect(await open.orOpen(open.run("", ["key"], []))).toBe(1);
    }
    // What the callbacks threw.
    expect(logged).toHaveBeenCalledTimes(2);
    client.isReady = false;
    await secondsOf(new RedisServer("test", client, { onError: "open" }), undefined);
    expect(logged.mock.lastCall).toContainEqual(failure);
  });
});

describe("a claim", () => {
  const KEY = /^notetaker:dedupe:\{[\w-]{43}\}$/;

  it("has the durations of the options, and is renewed three times in its duration until it ends", async () => {
    for (const [options, claimMs, keepMs] of [
      [{}, 9_000, 180_000],
      [{ claimMs: 3_000, keepMs: 5 }, 3_000, 5],
    ] as const) {
      const { client, sent } = recordingClient(({ args }) => args[0]);
      const store = redisDedupe(client, options);
      expect(await store.claim("key", "me")).toBe("claimed");
      expect(sent).toMatchObject([{ args: ["me", String(claimMs)], keys: [expect.stringMatching(KEY)] }]);
      vi.advanceTimersByTime(claimMs / 3 - 1);
      expect(vi.getTimerCount()).toBe(1);
      vi.advanceTimersByTime(1);
      expect((await eventually(() => sent[1])).args).toEqual(["me", "me", String(claimMs)]);
      for (let count = 3; count < 12; count += 1) {
        vi.advanceTimersByTime(claimMs / 3);
        await eventually(() => sent[count - 1]);
      }
      await store.complete("key", "me");
      expect(sent.at(-1)?.args).toEqual(["me", "done", String(keepMs)]);
      expect(new Set(sent.map(({ keys }) => keys[0])).size).toBe(1);
      expect(vi.getTimerCount()).toBe(0);
    }
  });

  it("ends without the claims of other deliveries and holders of the same process", async () => {
    const { client, sent } = recordingClient(({ args }) => args[0]);
    const store = redisDedupe(client);
    const claims = [
      ["a", "me"],
      ["a", "you"],
      ["b", "me"],
    ] as const;
    for (const [key, holder] of claims) await store.claim(key, holder);
    for (const [index, [key, holder]] of claims.entries()) {
      await store.release(key, holder);
      expect(vi.getTimerCount()).toBe(2 - index);
    }
    expect(new Set(sent.map(({ keys }) => keys[0])).size).toBe(2);
  });

  it("of another process is not renewed", async () => {
    for (const [current, result] of [
      ["done", "done"],
      ["else", "in_progress"],
    ] as const) {
      const { client } = recordingClient(() => current);
      expect(await redisDedupe(client).claim("key", "me")).toBe(result);
      expect(vi.getTimerCount()).toBe(0);
    }
  });

  it.each([
    ["complete", ["me", "done", "180000"]],
    ["release", ["me", "", "0"]],
  ] as const)("whose %s fails is tried again until it succeeds, or until the claim has expired", async (end, args) => {
    for (const attempts of [2, Number.POSITIVE_INFINITY]) {
      let ends = 0;
      const { client, sent } = recordingClient((command) => {
        if (command.args[1] === args[1]) {
          ends += 1;
          if (ends < attempts) throw new Error("READONLY");
        }
        return command.args[0];
      });
      const store = redisDedupe(client);
      await store.claim("key", "me");
      expect(await errorOf(store[end]("key", "me"))).toMatchObject({ name: "ConnectionError" });
      for (let third = 0; third < 6; third += 1) {
        const before = sent.length;
        vi.advanceTimersByTime(3_000);
        if (vi.getTimerCount() > 0) await eventually(() => sent[before]);
        await moment();
      }
      expect(vi.getTimerCount()).toBe(0);
      expect(sent.slice(1).map((command) => command.args)).toEqual(Array(attempts === 2 ? 2 : 4).fill(args));
    }
  });

  it('made without Redis is not ended there, with onError "open"', async () => {
    let current: unknown;
    const { client, sent } = recordingClient(() => {
      if (current === undefined) throw new Error("away");
      return current;
    });
    const store = redisDedupe(client, { onError: "open", onUnavailable: () => {} });
    expect(await store.claim("key", "me")).toBe("claimed");
    await store.complete("key", "me");
    expect(sent).toHaveLength(1);
    current = "me";
    expect(await store.claim("key", "me")).toBe("claimed");
    current = undefined;
    expect(await errorOf(store.release("key", "me"))).toBeUndefined();
    expect(sent).toHaveLength(3);
  });

  it.each([
    ["closed", "me", 2],
    ["closed", "else", 1],
    ["open", "me", 1],
  ] as const)('that Redis grants too late, with onError "%s", to "%s"', async (onError, holder, commands) => {
    let answer: (value: unknown) => void = () => {};
    const { client, sent } = recordingClient(() => new Promise((resolve) => (answer = resolve)));
    await outcomeOf(redisDedupe(client, { onError, onUnavailable: () => {} }).claim("key", "me"));
    answer(holder);
    if (commands === 2) await eventually(() => sent[1]);
    await moment();
    expect(sent).toHaveLength(commands);
    if (commands === 2) expect(sent[1]?.args).toEqual(["me", "", "0"]);
  });
});

describe("the log of events", () => {
  const ENTRY = "1-2-0123456789ab";

  it("announces a loss that happens during another append with the next one", async () => {
    const answers: { resolve: (value: unknown) => void; reject: (error: Error) => void }[] = [];
    const { client, sent } = recordingClient(() => new Promise((resolve, reject) => answers.push({ resolve, reject })));
    const log = redisEventLog(client, { onError: "open", onUnavailable: () => {} });
    const appends = [0, 1].map(() => outcomeOf(log.append(eventOf(1), undefined)));
    await eventually(() => answers[1]);
    answers[0]?.reject(new Error("lost"));
    await appends[0];
    answers[1]?.resolve("1-1");
    await appends[1];
    for (const beginsAnew of ["1", "1", "0"]) {
      const running = outcomeOf(log.append(eventOf(1), undefined));
      const count = answers.length;
      const { resolve, reject } = await eventually(() => answers[count]);
      expect(sent.at(-1)?.args[2]).toBe(beginsAnew);
      if (answers.length === 3) reject(new Error("lost again"));
      else resolve("1-1");
      await running;
    }
  });

  it("rejects an answer that no script gives", async () => {
    const { client } = recordingClient(() => "QUEUED");
    const log = redisEventLog(client);
    expect((await outcomeOf(log.append(eventOf(1), undefined))).error).toMatchObject({ outcome: "unknown" });
    expect((await outcomeOf(log.latestId())).error).toMatchObject({ outcome: "not_sent" });
    expect(await log.after(ENTRY, 5)).toBeUndefined();
  });

  it("gives an event that cannot be read to no audience, and as an unknown kind", async () => {
    const entry = (json?: string, audience?: string) => ["1-3", ["mark", "m", "event", json, "audience", audience]];
    const unknown = { kind: "unknown", meetingId: undefined, payload: {} };
    const { client } = recordingClient(() => [
      entry("{", "{"),
      entry("5", '["a",5,"b"]'),
      entry('{"kind":"x"}', '"text"'),
      ["1-4", ["mark", "m"]],
    ]);
    const entries = await redisEventLog(client).after(ENTRY, 5);
    expect(entries).toEqual([
      { id: "1-3-m", event: unknown, audience: [] },
      { id: "1-3-m", event: unknown, audience: ["a", "b"] },
      { id: "1-3-m", event: { kind: "x" }, audience: [] },
      { id: "1-4-m", event: unknown, audience: undefined },
    ]);
  });

  it("is asked for its newest event five times a second while anybody listens, by one loop", async () => {
    let newest: unknown = ["1-1", "a"];
    const { client, sent } = recordingClient(() => newest);
    const log = redisEventLog(client);
    const changed = [vi.fn(), vi.fn()];
    const broken = vi.fn();
    const stops = changed.map((listener) => log.listen(listener, broken));
    await eventually(() => changed[0]?.mock.calls[0]);
    const poll = async () => {
      const { length } = sent;
      vi.advanceTimersByTime(199);
      expect(sent).toHaveLength(length);
      vi.advanceTimersByTime(1);
      await eventually(() => sent[length]);
      await eventually(() => vi.getTimerCount() || undefined);
      expect(sent).toHaveLength(length + 1);
    };
    await eventually(() => vi.getTimerCount() || undefined);
    const countsOf = () => changed.map((listener) => listener.mock.calls.length);
    expect(countsOf()).toEqual([1, 1]);
    await poll();
    expect(countsOf()).toEqual([1, 1]);
    newest = ["1-2", "a"];
    await poll();
    expect(countsOf()).toEqual([2, 2]);
    (await stops[0])?.();
    newest = ["1-2", "b"];
    await poll();
    expect(countsOf()).toEqual([2, 3]);
    await outcomeOf(log.append(eventOf(1), undefined));
    // The log fails: its listeners learn it once, and the next one makes it ask again.
    newest = "QUEUED";
    vi.advanceTimersByTime(200);
    await eventually(() => broken.mock.calls[0]);
    expect(broken.mock.calls).toEqual([[expect.objectContaining({ name: "ConnectionError" })]]);
    expect(vi.getTimerCount()).toBe(0);
    newest = ["1-9", "a"];
    const again = vi.fn();
    const stop = await log.listen(again, broken);
    await eventually(() => again.mock.calls[0]);
    await eventually(() => vi.getTimerCount() || undefined);
    stop();
    vi.advanceTimersByTime(200);
    await outcomeOf(Promise.resolve());
    expect(vi.getTimerCount()).toBe(0);
    const { length } = sent;
    await log.listen(again, broken);
    await eventually(() => sent[length]);
  });

  it("has one newer read for its readers, although an older read at the same position ends meanwhile", async () => {
    const reads: ((entries: unknown[]) => void)[] = [];
    const reading = () => new Promise((resolve) => reads.push(resolve));
    const { client } = recordingClient(({ script }) => (script.includes("'XRANGE'") ? reading() : "1-1"));
    const log = redisEventLog(client);
    const older = log.after(ENTRY, 10);
    await outcomeOf(log.append(eventOf(1), undefined));
    const newer = log.after(ENTRY, 10);
    await eventually(() => reads[1]);
    reads[0]?.([]);
    await older;
    expect(log.after(ENTRY, 10)).toBe(newer);
    expect(log.after(ENTRY, 11)).not.toBe(newer);
  });
});

describe("the calls of a token", () => {
  const windows = [{ windowMs: 1_000, max: 5 }];
  const byLimit = { sendBot: windows, upload: windows, createWebhook: windows, other: windows };
  const counterOf = (answer: () => unknown, options: object = {}) => {
    const { client, sent } = recordingClient(answer);
    const server = new RedisServer("test", client, { prefix: "app:", ...options });
    return { counter: redisCounter(server, byLimit, TOKEN), sent };
  };
  const keyOf = (name: string) => expect.stringMatching(new RegExp(`^app:throttle:\\{[\\w-]{43}\\}:${name}$`));

  it("are counted by one script with the keys of each limit", async () => {
    const { counter, sent } = counterOf(() => ["50", "7"]);
    expect(await counter.take(["other", "upload"])).toEqual({ waitMs: 50, pauseMs: 7 });
    expect(sent[0]?.keys).toEqual(["other:calls", "other:pause", "upload:calls", "upload:pause"].map(keyOf));
    expect(sent[0]?.args).toEqual([expect.stringMatching(/^[\da-f]{12}$/), JSON.stringify([windows, windows])]);
    expect(await counterOf(() => []).counter.take(["other"])).toBe("now");
    // The next question is not before a millisecond has passed.
    expect(await counterOf(() => [0.2, 0]).counter.take(["other"])).toEqual({ waitMs: 1, pauseMs: 0 });
  });

  it("are not sent after an answer that no script gives", async () => {
    const { error } = await outcomeOf(counterOf(() => "QUEUED").counter.take(["other"]));
    expect(error).toMatchObject({ name: "ConnectionError", outcome: "not_sent" });
  });

  it("have errors of their own if Redis fails, with the facts of each call", async () => {
    const fail: ((error: Error) => void)[] = [];
    const { client, sent } = recordingClient(() => {
      if (sent.length === 1) return [];
      return new Promise((_, reject) => fail.push(reject));
    });
    const { notetaker } = clientOf(() => refusal(503, "unavailable"), { throttle: redisThrottle(client) });
    const list = rejection(notetaker.rooms.list());
    await eventually(() => {
      vi.advanceTimersByTime(10);
      return fail[0];
    });
    // The second attempt of the list has asked Redis. The bot waits for the same answer.
    const bot = rejection(notetaker.meetings.sendBot({ meeting_url: "https://zoom.us/j/1" }));
    await moment();
    fail[0]?.(new Error("Socket closed"));
    const failed = { name: "ConnectionError", message: "redisThrottle: Redis failed: Socket closed" };
    const cause = { message: "Socket closed" };
    expect(await bot).toMatchObject({ ...failed, cause, outcome: "not_sent", attempts: 0, retryable: true });
    expect(await list).toMatchObject({ ...failed, cause, outcome: "unknown", attempts: 1, retryable: true });
    expect(await bot).toMatchObject({ outcome: "not_sent", attempts: 0 });
    expect(sent).toHaveLength(2);
  });

  it("are paused for a whole number of milliseconds", async () => {
    const { counter, sent } = counterOf(() => 1);
    await counter.pause("upload", 5.2);
    expect(sent.map(({ keys, args }) => [keys, args])).toEqual([[[keyOf("upload:pause")], ["6"]]]);
  });
});
