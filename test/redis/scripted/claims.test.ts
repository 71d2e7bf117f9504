/**
 * The commands that `redisDedupe` sends to Redis, and how it uses the answers. The server is a function of the test.
 */
import { type RedisDedupeOptions, redisDedupe } from "notetaker-sdk/redis";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ConfigurationError } from "../../../src/errors/argument-errors.js";
import { ConnectionError } from "../../../src/errors/call-errors.js";
import { CLAIM, COMPLETE, RELEASE, RENEW } from "../../../src/redis/dedupe/dedupe-scripts.js";
import { sha256 } from "../../../src/redis/sha256.js";
import { rejectionOf } from "../../support/recorder.js";
import { never, scriptedClient, TIMERS, until } from "./scripted-client.js";

/** The name of each script by its SHA-1. */
const names = new Map<string, string>();

beforeEach(async () => {
  for (const [name, script] of Object.entries({ CLAIM, COMPLETE, RELEASE, RENEW }))
    names.set(await script.sha1(), name);
  vi.useFakeTimers({ toFake: [...TIMERS] });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

type Answers = Partial<Record<string, (...args: string[]) => unknown>>;

/** A store whose Redis answers each script by its name. A claim is granted unless `answers` contains another answer. */
function storeOf(answers: Answers = {}, options: RedisDedupeOptions = {}) {
  const table: Answers = { CLAIM: (owner) => owner, ...answers };
  const { client, commands, state } = scriptedClient(([, sha1 = "", , , ...args]) => {
    const answer = table[names.get(sha1) ?? ""];
    return answer === undefined ? 1 : answer(...args);
  });
  /** The scripts that were run, with their arguments. */
  const ran = () => commands.map(([, sha1 = "", , , ...args]) => [names.get(sha1), ...args]);
  return { store: redisDedupe(client, options), table, commands, ran, state };
}

/** Fails like an error of Redis. */
const fail = () => {
  throw new Error("READONLY");
};

describe("redisDedupe", () => {
  it("claims a delivery, and completes it for three minutes, under the SHA-256 of its key", async () => {
    const { store, commands, ran } = storeOf();
    expect(await store.claim("key", "me")).toBe("claimed");
    await store.complete("key", "me");
    expect(ran()).toEqual([
      ["CLAIM", "claim:me", "9000"],
      ["COMPLETE", "claim:me", "180000"],
    ]);
    expect(commands.map(([, , count, key]) => [count, key])).toEqual(
      Array(2).fill(["1", `notetaker:dedupe:{${await sha256("key")}}`]),
    );
    expect(vi.getTimerCount()).toBe(0);
  });

  it("takes the duration of a claim and of a completion, and the prefix of keys, from its options", async () => {
    const { store, commands, ran } = storeOf({}, { claimMs: 1_000, keepMs: 5, prefix: "app:" });
    await store.claim("key", "me");
    await store.complete("key", "me");
    expect(ran()).toEqual([
      ["CLAIM", "claim:me", "1000"],
      ["COMPLETE", "claim:me", "5"],
    ]);
    expect(commands[0]?.[3]).toBe(`app:dedupe:{${await sha256("key")}}`);
  });

  it.each([
    ["done", "done"],
    ["claim:other", "in_progress"],
  ])("reads the value %s as %s, and renews nothing", async (value, result) => {
    const { store } = storeOf({ CLAIM: () => value });
    expect(await store.claim("key", "me")).toBe(result);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("renews a claim three times within its duration, until the claim is settled", async () => {
    const { store, ran } = storeOf({}, { claimMs: 9_000 });
    await store.claim("a", "1");
    await store.claim("b", "2");
    expect(vi.getTimerCount()).toBe(1);
    await vi.advanceTimersByTimeAsync(2_999);
    expect(ran()).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(1);
    expect(ran().slice(2)).toEqual([
      ["RENEW", "claim:1", "9000"],
      ["RENEW", "claim:2", "9000"],
    ]);
    await store.release("a", "1");
    await vi.advanceTimersByTimeAsync(3_000);
    expect(ran().slice(4)).toEqual([
      ["RELEASE", "claim:1"],
      ["RENEW", "claim:2", "9000"],
    ]);
    await store.complete("b", "2");
    expect(vi.getTimerCount()).toBe(0);
    await store.claim("c", "3");
    await vi.advanceTimersByTimeAsync(3_000);
    expect(ran().at(-1)).toEqual(["RENEW", "claim:3", "9000"]);
  });

  it("retries a renewal that fails, without an unhandled rejection", async () => {
    const unhandled = vi.fn();
    process.on("unhandledRejection", unhandled);
    const { store, ran } = storeOf({ RENEW: fail });
    await store.claim("a", "1");
    await vi.advanceTimersByTimeAsync(6_000);
    expect(ran().filter(([name]) => name === "RENEW")).toHaveLength(2);
    await until(() => true);
    process.off("unhandledRejection", unhandled);
    expect(unhandled).not.toHaveBeenCalled();
  });

  it("continues the renewal of a claim if another owner is settled", async () => {
    const { store, ran } = storeOf();
    await store.claim("a", "mine");
    await store.release("a", "other");
    await vi.advanceTimersByTimeAsync(3_000);
    expect(ran().at(-1)).toEqual(["RENEW", "claim:mine", "9000"]);
  });

  it("lets the process exit during a renewal, and works if timers are numbers", async () => {
    const unref = vi.fn();
    const timers: unknown[] = [{ unref }, 7];
    const set = vi.spyOn(globalThis, "setInterval").mockImplementation(() => timers.shift() as never);
    await storeOf().store.claim("a", "1");
    expect(unref).toHaveBeenCalledOnce();
    expect(await storeOf().store.claim("a", "1")).toBe("claimed");
    set.mockRestore();
  });

  it("releases a claim that Redis grants after the time limit", async () => {
    let grant = () => {};
    const { store, ran } = storeOf({
      CLAIM: (owner) =>
        new Promise((resolve) => {
          grant = () => resolve(owner);
        }),
    });
    const claiming = rejectionOf(ConnectionError, Promise.resolve(store.claim("key", "me")));
    await until(() => ran().length === 1);
    await vi.advanceTimersByTimeAsync(3_000);
    expect((await claiming).message).toBe("redisDedupe: Redis did not answer within 3000 ms");
    grant();
    await until(() => ran().length === 2);
    expect(ran()[1]).toEqual(["RELEASE", "claim:me"]);
  });

  it.each<[what: string, value: string, options: RedisDedupeOptions]>([
    ["the claim of another owner", "claim:other", {}],
    ["a claim whose delivery is handled anyway", "claim:me", { onError: "open", onUnavailable: () => {} }],
  ])("does not release %s if the answer comes after the time limit", async (_, value, options) => {
    let answer = (_value: string) => {};
    const { store, ran } = storeOf({ CLAIM: () => new Promise((resolve) => (answer = resolve)) }, options);
    const claiming = Promise.resolve(store.claim("key", "me")).catch(() => {});
    await until(() => ran().length === 1);
    await vi.advanceTimersByTimeAsync(3_000);
    await claiming;
    answer(value);
    for (let turn = 0; turn < 5; turn += 1) await until(() => true);
    await new Promise((resolve) => setImmediate(resolve));
    expect(ran()).toHaveLength(1);
  });
});

describe("redisDedupe, if Redis fails,", () => {
  it("rejects a claim and a release", async () => {
    const { store } = storeOf({ CLAIM: fail, RELEASE: fail });
    await expect(store.claim("key", "me")).rejects.toThrow("redisDedupe: Redis failed: READONLY");
    await expect(store.release("key", "me")).rejects.toThrow("redisDedupe: Redis failed: READONLY");
  });

  it("rejects a completion, and retries it until it succeeds", async () => {
    const { store, table, ran } = storeOf({ COMPLETE: fail });
    await store.claim("key", "me");
    await expect(store.complete("key", "me")).rejects.toThrow("READONLY");
    await vi.advanceTimersByTimeAsync(3_000);
    expect(ran().slice(1)).toEqual(Array(2).fill(["COMPLETE", "claim:me", "180000"]));
    table.COMPLETE = () => 1;
    await vi.advanceTimersByTimeAsync(3_000);
    expect(ran()).toHaveLength(4);
    await until(() => vi.getTimerCount() === 0);
  });

  it("stops retrying a completion after three minutes, when the service's last retry is over", async () => {
    const { store, ran } = storeOf({ COMPLETE: fail }, { claimMs: 60_000 });
    await store.claim("key", "me");
    await expect(store.complete("key", "me")).rejects.toThrow("READONLY");
    await vi.advanceTimersByTimeAsync(180_000);
    // A retry every 20 seconds, the last one at the end of the three minutes.
    expect(ran().filter(([name]) => name === "COMPLETE")).toHaveLength(10);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(ran().filter(([name]) => name === "COMPLETE")).toHaveLength(10);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('redisDedupe, if Redis fails and onError is "open",', () => {
  const open = (answers: Answers) => {
    const reported: unknown[] = [];
    return { reported, ...storeOf(answers, { onError: "open", onUnavailable: (error) => reported.push(error) }) };
  };

  it("claims and settles a delivery without Redis", async () => {
    const { store, ran, reported } = open({ CLAIM: fail });
    expect(await store.claim("a", "1")).toBe("claimed");
    expect(await store.claim("b", "2")).toBe("claimed");
    await store.complete("a", "1");
    await store.release("b", "2");
    expect(ran().map(([name]) => name)).toEqual(["CLAIM", "CLAIM"]);
    expect(reported).toEqual([expect.objectContaining({ message: "redisDedupe: Redis failed: READONLY" })]);
    // The next delivery of the same owner gets a normal claim.
    await store.complete("a", "1");
    expect(ran().at(-1)?.[0]).toBe("COMPLETE");
  });

  it("reports a failed release or completion once per outage, and does not reject", async () => {
    const { store, table, ran, reported } = open({ COMPLETE: fail, RELEASE: fail });
    await store.claim("a", "1");
    await store.complete("a", "1");
    await store.release("b", "2");
    expect(reported).toHaveLength(1);
    table.COMPLETE = () => 1;
    await vi.advanceTimersByTimeAsync(3_000);
    expect(ran().at(-1)).toEqual(["COMPLETE", "claim:1", "180000"]);
    expect(await store.claim("c", "3")).toBe("claimed");
    await store.release("b", "2");
    expect(reported).toHaveLength(2);
  });

  it("does not wait for a disconnected client again after the first operation of an outage", async () => {
    const { store, state, reported } = open({ CLAIM: never });
    state.isReady = false;
    const claiming = store.claim("a", "1");
    await until(() => vi.getTimerCount() > 0);
    await vi.advanceTimersByTimeAsync(2_050);
    expect(await claiming).toBe("claimed");
    expect(await store.claim("b", "2")).toBe("claimed");
    expect(reported).toHaveLength(1);
  });
});

it.each<[options: object, message: string]>([
  [{ claimMs: 999 }, "claimMs: expected a whole number of 1000 or more, received 999"],
  [{ claimMs: "9000" }, 'claimMs: expected a whole number of 1000 or more, received "9000"'],
  [{ claimMs: 2 ** 31 }, "claimMs: expected a whole number of 1000 or more, received 2147483648"],
  [{ keepMs: 1.5 }, "keepMs: expected a whole number from 1 to 2147483647, received 1.5"],
  [{ keepMs: 0 }, "keepMs: expected a whole number from 1 to 2147483647, received 0"],
  [{ prefix: "" }, "prefix: expected a non-empty string without { and }, received "],
  [{ prefix: "a{b" }, "prefix: expected a non-empty string without { and }, received a string"],
  [{ prefix: "a}b" }, "prefix: expected a non-empty string without { and }, received a string"],
  [{ onError: "ignore" }, 'onError: expected one of open, closed, received "ignore"'],
  [{ onUnavailable: "log" }, "onUnavailable: expected a function, received a string"],
  [{ keepms: 5 }, "keepms: unknown option; did you mean keepMs?"],
])("an invalid option of redisDedupe causes a ConfigurationError: %j", (options, message) => {
  const { client } = scriptedClient(never);
  expect(() => redisDedupe(client, options)).toThrow(ConfigurationError);
  expect(() => redisDedupe(client, options)).toThrow(`redisDedupe: ${message}`);
});

it('redisDedupe refuses a value that is not a client, and accepts onError "closed"', () => {
  expect(() => redisDedupe({} as never)).toThrow(
    "redisDedupe: redis: expected a client of the package redis or ioredis",
  );
  expect(() => redisDedupe(scriptedClient(never).client, { onError: "closed" })).not.toThrow();
});
