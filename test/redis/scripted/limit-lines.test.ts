/**
 * The commands that `redisThrottle` sends to Redis, and how it uses the answers. The server is a function of the test.
 */
import { type RedisThrottleOptions, redisThrottle, type ThrottleRequest } from "notetaker-sdk/redis";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ConfigurationError } from "../../../src/errors/argument-errors.js";
import { sha256 } from "../../../src/redis/sha256.js";
import { CONFIRM, GIVE_UP, HOLD, TAKE_PLACES } from "../../../src/redis/throttle/throttle-scripts.js";
import { never, scriptedClient, TIMERS, until } from "./scripted-client.js";

/** The name of each script by its SHA-1. */
const names = new Map<string, string>();

beforeEach(async () => {
  const scripts = { CONFIRM, GIVE_UP, HOLD, TAKE_PLACES };
  for (const [name, script] of Object.entries(scripts)) names.set(await script.sha1(), name);
  vi.useFakeTimers({ toFake: [...TIMERS] });
});
afterEach(() => {
  vi.useRealTimers();
});

const requestOf = (fields: Partial<ThrottleRequest> = {}): ThrottleRequest => ({
  operation: "rooms.list",
  token: "token",
  signal: undefined,
  remainingMs: () => Number.POSITIVE_INFINITY,
  onWait: () => {},
  createTimeoutError: () => new Error("it would take too long"),
  ...fields,
});

/** A call in a request to Redis. */
interface Asked {
  id: string;
  ticket: string;
  most: string;
}

/** The calls in the arguments of `TAKE_PLACES`. */
function callsIn(args: readonly string[]): Asked[] {
  const calls: Asked[] = [];
  for (let index = 6 + 2 * Number(args[5]); index < args.length; index += 3) {
    calls.push({ id: args[index] ?? "", ticket: args[index + 1] ?? "", most: args[index + 2] ?? "" });
  }
  return calls;
}

/** A throttle whose Redis gives each call the wait of `waitOf`, and tickets in order. */
function throttleOf(waitOf: (call: Asked, ask: number) => unknown = () => 0, options: RedisThrottleOptions = {}) {
  let tickets = 0;
  const asks: { keys: readonly string[]; args: readonly string[]; calls: Asked[] }[] = [];
  const scripts: Record<string, (...args: string[]) => unknown> = {};
  const scripted = scriptedClient(([, sha1 = "", , ...rest]) => {
    const name = names.get(sha1) ?? "";
    const [keys, args] = [rest.slice(0, 4), rest.slice(4)];
    const instead = scripts[name];
    if (name !== "TAKE_PLACES") return instead === undefined ? 1 : instead(...args);
    const calls = callsIn(args);
    asks.push({ keys, args, calls });
    if (instead !== undefined) return instead(...args);
    return calls.flatMap((call) => {
      const ticket = call.ticket === "" ? String(++tickets) : call.ticket;
      return [ticket, waitOf({ ...call, ticket }, asks.length)];
    });
  });
  /** The arguments of each run of a script. */
  const ran = (script: string) =>
    scripted.commands.filter(([, sha1 = ""]) => names.get(sha1) === script).map((command) => command.slice(7));
  const throttle = redisThrottle(scripted.client, options);
  /** Starts a call, and records its result. */
  const begin = (fields: Partial<ThrottleRequest> = {}) => {
    const call = { state: "waiting" as string, error: undefined as unknown };
    throttle.acquire(requestOf(fields)).then(
      () => {
        call.state = "gone";
      },
      (error: unknown) => {
        call.state = "failed";
        call.error = error;
      },
    );
    return call;
  };
  return { ...scripted, throttle, begin, asks, scripts, ran };
}

const fail = () => {
  throw new Error("READONLY");
};

/** A few turns of the event loop: enough for everything that happens immediately. */
const settle = async () => {
  for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

describe("redisThrottle, for a call,", () => {
  it("sends one request to Redis if the call may be sent at once, and leaves no timer", async () => {
    const { throttle, asks, commands } = throttleOf(() => 0, { prefix: "app:" });
    await throttle.acquire(requestOf());
    expect(commands).toHaveLength(1);
    const base = `app:throttle:{${await sha256("token")}}:other`;
    expect(asks[0]?.keys).toEqual([`${base}:sent`, `${base}:queue`, `${base}:processes`, `${base}:state`]);
    const process = asks[0]?.args[0] ?? "";
    expect(process).toMatch(/^[0-9a-f-]{36}$/);
    // Lease, time to live, margin, time ahead, and one window of 60 calls a minute.
    expect(asks[0]?.args.slice(1, 8)).toEqual(["4000", "660000", "300", "0", "1", "60000", "60"]);
    expect(asks[0]?.calls).toEqual([{ id: expect.stringMatching(`^${process}:\\d+$`), ticket: "", most: "-1" }]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("has separate windows and keys for each limit, and an id for each call", async () => {
    const { throttle, asks } = throttleOf(() => 0, { limits: { sendBot: { perMinute: 3, perHour: 7 } } });
    await throttle.acquire(requestOf({ operation: "meetings.sendBot" }));
    await throttle.acquire(requestOf({ operation: "meetings.sendBot" }));
    expect(asks[0]?.keys[0]).toMatch(/^notetaker:throttle:\{[\w-]{43}\}:sendBot:sent$/);
    expect(asks[0]?.args.slice(2, 10)).toEqual(["4200000", "300", "0", "2", "60000", "3", "3600000", "7"]);
    expect(asks[0]?.calls[0]?.id).not.toBe(asks[1]?.calls[0]?.id);
    expect(asks[0]?.args[0]).toBe(asks[1]?.args[0]);
  });

  it.each([
    [1_500.7, "1500"],
    [0, "0"],
    [-5, "0"],
    [Number.POSITIVE_INFINITY, "-1"],
  ])("sends Redis the time that a call can wait: %d ms", async (remainingMs, most) => {
    const { throttle, asks } = throttleOf();
    await throttle.acquire(requestOf({ remainingMs: () => remainingMs }));
    expect(asks[0]?.calls[0]?.most).toBe(most);
  });

  it("calls onWait once if the call has to wait, and asks Redis again with the call's ticket afterwards", async () => {
    const { begin, asks } = throttleOf((_, ask) => (ask === 1 ? 500 : 0));
    const waits: number[] = [];
    const call = begin({ onWait: (waitMs) => waits.push(waitMs) });
    await until(() => waits.length === 1);
    await vi.advanceTimersByTimeAsync(499);
    expect(asks).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    await until(() => call.state === "gone");
    expect(asks[1]?.calls).toEqual([{ ...asks[0]?.calls[0], ticket: "1" }]);
    expect(waits).toEqual([500]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("asks Redis again every 1.3 seconds during a wait, and does not call onWait again", async () => {
    const { begin, asks } = throttleOf((_, ask) => 5_000 - ask * 1_000);
    const waits: number[] = [];
    begin({ onWait: (waitMs) => waits.push(waitMs) });
    await until(() => waits.length === 1);
    await vi.advanceTimersByTimeAsync(1_299);
    expect(asks).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(asks).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(1_300);
    expect(asks).toHaveLength(3);
    expect(waits).toEqual([4_000]);
  });

  it("asks Redis again after the shortest of several waits", async () => {
    const waits = [900, 400, 700];
    const { begin, asks } = throttleOf(({ ticket }) => waits[Number(ticket) - 1]);
    for (const _ of waits) begin();
    await until(() => asks.some(({ calls }) => calls.length === 3));
    const before = asks.length;
    await settle();
    await vi.advanceTimersByTimeAsync(399);
    expect(asks).toHaveLength(before);
    await vi.advanceTimersByTimeAsync(1);
    expect(asks).toHaveLength(before + 1);
  });

  it("collects the calls that start during a request to Redis into the next request", async () => {
    const { begin, asks, scripts } = throttleOf();
    let answer = (_: unknown) => {};
    scripts.TAKE_PLACES = () => new Promise((resolve) => (answer = resolve));
    const first = begin();
    await until(() => asks.length === 1);
    const others = [begin(), begin()];
    await settle();
    expect(asks).toHaveLength(1);
    delete scripts.TAKE_PLACES;
    answer(["7", 0]);
    await until(() => others.every(({ state }) => state === "gone"));
    expect(first.state).toBe("gone");
    expect(asks.map(({ calls }) => calls.length)).toEqual([1, 2]);
  });

  it("asks Redis only about calls that still wait for this limit", async () => {
    const reason = new Error("the user left");
    // The first call has its place under its own limit and waits for the other one. The other calls wait for their own
    // limit.
    const { begin, asks } = throttleOf((_, ask) => (ask === 1 ? 0 : 500));
    const waited = vi.fn();
    const aborts = [new AbortController(), new AbortController(), new AbortController()];
    const calls = aborts.map(({ signal }) => begin({ operation: "webhooks.create", signal, onWait: waited }));
    await until(() => waited.mock.calls.length === 3);
    await settle();
    aborts[2]?.abort(reason);
    await until(() => calls[2]?.state === "failed");
    await settle();
    const askedAbout = () => asks.filter(({ keys }) => keys[0]?.includes("createWebhook")).at(-1)?.calls.length;
    const before = asks.length;
    await vi.advanceTimersByTimeAsync(500);
    await until(() => asks.length >= before + 2);
    await settle();
    expect(askedAbout()).toBe(1);
    const again = asks.length;
    await vi.advanceTimersByTimeAsync(500);
    await until(() => asks.length >= again + 2);
    expect(askedAbout()).toBe(1);
  });

  it("lets a call wait for the answer under way if the call before was cancelled", async () => {
    const { begin, asks, scripts } = throttleOf();
    let answer = (_: unknown) => {};
    scripts.TAKE_PLACES = () => new Promise((resolve) => (answer = resolve));
    const abort = new AbortController();
    const cancelled = begin({ signal: abort.signal });
    await until(() => asks.length === 1);
    abort.abort(new Error("the user left"));
    await until(() => cancelled.state === "failed");
    const next = begin();
    await settle();
    expect(asks).toHaveLength(1);
    delete scripts.TAKE_PLACES;
    answer(["7", 0]);
    await until(() => next.state === "gone");
    expect(asks).toHaveLength(2);
  });

  it("rejects a call that cannot be sent in time with the call's own error, and takes no place for it", async () => {
    const { throttle } = throttleOf(() => -1);
    const timeout = new Error("mine");
    await expect(throttle.acquire(requestOf({ createTimeoutError: () => timeout }))).rejects.toBe(timeout);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("ends only the one call whose onWait throws", async () => {
    const { begin, ran, asks } = throttleOf((_, ask) => (ask === 1 ? 500 : 0));
    const failure = new Error("in the callback");
    const call = begin({
      onWait: () => {
        throw failure;
      },
    });
    await until(() => call.state === "failed");
    expect(call.error).toBe(failure);
    // GIVE_UP runs when the callback throws and when the call ends, with the same id.
    await until(() => ran("GIVE_UP").length > 0);
    expect(new Set(ran("GIVE_UP").flat())).toEqual(new Set([asks[0]?.calls[0]?.id]));
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("redisThrottle, for a call that is cancelled,", () => {
  const reason = new Error("the user left");

  it("sends Redis nothing if the call was already cancelled", async () => {
    const { throttle, commands } = throttleOf();
    await expect(throttle.acquire(requestOf({ signal: AbortSignal.abort(reason) }))).rejects.toBe(reason);
    expect(commands).toEqual([]);
  });

  it("gives up the place of a waiting call, and leaves no timer and no listener", async () => {
    const { begin, ran, asks } = throttleOf(() => 5_000);
    const abort = new AbortController();
    const removed = vi.spyOn(abort.signal, "removeEventListener");
    const waited = vi.fn();
    const call = begin({ signal: abort.signal, onWait: waited });
    await until(() => waited.mock.calls.length === 1);
    await settle();
    abort.abort(reason);
    await until(() => call.state === "failed");
    expect(call.error).toBe(reason);
    await until(() => ran("GIVE_UP").length === 1);
    expect(ran("GIVE_UP")[0]).toEqual([asks[0]?.calls[0]?.id]);
    expect(vi.getTimerCount()).toBe(0);
    expect(removed).not.toHaveBeenCalled();
  });

  it("leaves no listener on the signal of a call that was sent", async () => {
    const { throttle } = throttleOf();
    const { signal } = new AbortController();
    const added = vi.spyOn(signal, "addEventListener");
    const removed = vi.spyOn(signal, "removeEventListener");
    await throttle.acquire(requestOf({ signal }));
    expect([added.mock.calls.length, removed.mock.calls.length]).toEqual([1, 1]);
  });

  it("gives up the place that a call gets after it was cancelled", async () => {
    const { begin, ran, asks, scripts } = throttleOf();
    let answer = (_: unknown) => {};
    scripts.TAKE_PLACES = () => new Promise((resolve) => (answer = resolve));
    const abort = new AbortController();
    const waited = vi.fn();
    const call = begin({ signal: abort.signal, onWait: waited });
    const other = begin();
    await until(() => asks.length === 1);
    abort.abort(reason);
    await until(() => call.state === "failed");
    delete scripts.TAKE_PLACES;
    answer(asks[0]?.calls.flatMap(() => ["7", 500]));
    await until(() => other.state === "gone");
    expect(waited).not.toHaveBeenCalled();
    expect(ran("GIVE_UP").flat()).toEqual(Array(ran("GIVE_UP").length).fill(asks[0]?.calls[0]?.id));
    expect(ran("GIVE_UP").length).toBeGreaterThan(1);
  });

  it("ignores an error while it gives up a place", async () => {
    const unhandled = vi.fn();
    process.on("unhandledRejection", unhandled);
    const { begin, scripts } = throttleOf(() => 5_000);
    scripts.GIVE_UP = fail;
    const abort = new AbortController();
    const waited = vi.fn();
    const call = begin({ signal: abort.signal, onWait: waited });
    await until(() => waited.mock.calls.length === 1);
    abort.abort(reason);
    await until(() => call.state === "failed");
    await settle();
    process.off("unhandledRejection", unhandled);
    expect(unhandled).not.toHaveBeenCalled();
  });
});

describe("redisThrottle, for a call that counts for two limits,", () => {
  const create = { operation: "webhooks.create" };

  it("reserves the place under the first limit far ahead, and confirms it with the second place", async () => {
    const { throttle, asks, ran, commands } = throttleOf();
    await throttle.acquire(requestOf(create));
    expect(asks.map(({ keys, args }) => [keys[0]?.split(":").at(-2), args[4]])).toEqual([
      ["createWebhook", "3600000"],
      ["other", "0"],
    ]);
    expect(ran("CONFIRM")).toEqual([[asks[0]?.calls[0]?.id]]);
    expect(commands.at(-1)?.[3]).toBe(asks[0]?.keys[0]);
    expect(ran("GIVE_UP")).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("sends a sign of life for the first limit every 1.3 seconds while the call waits for the second", async () => {
    const { begin, asks } = throttleOf((_, ask) => (ask === 1 ? 0 : 2_000));
    const waited = vi.fn();
    begin({ ...create, onWait: waited });
    await until(() => waited.mock.calls.length === 1);
    await settle();
    await vi.advanceTimersByTimeAsync(1_300);
    await settle();
    const first = asks.filter(({ keys }) => keys[0]?.includes("createWebhook"));
    expect(first.map(({ calls }) => calls.length)).toEqual([1, 0]);
  });

  it("gives up the place under the first limit if the second place does not come in time", async () => {
    const { throttle, asks, ran } = throttleOf((_, ask) => (ask === 1 ? 0 : -1));
    await expect(throttle.acquire(requestOf(create))).rejects.toThrow("it would take too long");
    await until(() => ran("GIVE_UP").length === 1);
    expect(ran("GIVE_UP")).toEqual([[asks[0]?.calls[0]?.id]]);
    expect(ran("CONFIRM")).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("ends the call and gives up its places if the confirmation fails", async () => {
    const { begin, asks, ran, scripts } = throttleOf();
    scripts.CONFIRM = fail;
    const call = begin(create);
    await until(() => call.state === "failed");
    expect(call.error).toMatchObject({ message: "redisThrottle: Redis failed: READONLY", outcome: "not_sent" });
    await until(() => ran("GIVE_UP").length === 2);
    expect(ran("GIVE_UP").flat()).toEqual(asks.map(({ calls }) => calls[0]?.id));
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("redisThrottle, after a response with a rate limit,", () => {
  it.each<[operation: string, limit: number | undefined, name: string]>([
    ["rooms.list", 60, "other"],
    ["meetings.upload", undefined, "upload"],
    ["webhooks.create", undefined, "createWebhook"],
    ["webhooks.create", 20, "createWebhook"],
    ["webhooks.create", 60, "other"],
  ])("pauses the right limit: %s, %s", async (operation, limit, name) => {
    const { throttle, commands, ran } = throttleOf();
    await throttle.hold({ operation, token: "token", limit, holdMs: 800.2 });
    expect(ran("HOLD")).toEqual([["801", "600801"]]);
    expect(commands[0]?.[3]).toBe(`notetaker:throttle:{${await sha256("token")}}:${name}:sent`);
  });

  it("chooses the limit by the options, if they change a limit", async () => {
    const { throttle, commands } = throttleOf(() => 0, { limits: { other: { perMinute: 20 } } });
    await throttle.hold({ operation: "webhooks.create", token: "token", limit: 20, holdMs: 1 });
    expect(commands[0]?.[3]).toMatch(/:other:sent$/);
  });

  it("reports a pause that could not be stored, and does not fail the response", async () => {
    const reported: unknown[] = [];
    const { throttle, scripts } = throttleOf(() => 0, { onUnavailable: (error) => reported.push(error) });
    scripts.HOLD = fail;
    await throttle.hold({ operation: "rooms.list", token: "token", limit: undefined, holdMs: 1 });
    expect(reported).toEqual([expect.objectContaining({ message: "redisThrottle: Redis failed: READONLY" })]);
  });
});

describe("redisThrottle, if Redis fails,", () => {
  it("rejects all waiting calls, and asks Redis again for the next call", async () => {
    const { begin, scripts, throttle, asks } = throttleOf(() => 500);
    const waited = vi.fn();
    const calls = [begin({ onWait: waited }), begin({ onWait: waited })];
    await until(() => waited.mock.calls.length === 2);
    await settle();
    scripts.TAKE_PLACES = fail;
    await vi.advanceTimersByTimeAsync(500);
    await until(() => calls.every(({ state }) => state === "failed"));
    expect(calls[0]?.error).toMatchObject({ message: "redisThrottle: Redis failed: READONLY", outcome: "not_sent" });
    expect(vi.getTimerCount()).toBe(0);
    scripts.TAKE_PLACES = () => ["9", 0];
    const before = asks.length;
    await throttle.acquire(requestOf());
    expect(asks).toHaveLength(before + 1);
  });

  it('sends calls if onError is "open", and reports the first error of each outage', async () => {
    const reported: unknown[] = [];
    const { throttle, scripts } = throttleOf(() => 0, {
      onError: "open",
      onUnavailable: (error) => reported.push(error),
    });
    scripts.TAKE_PLACES = fail;
    scripts.CONFIRM = fail;
    await throttle.acquire(requestOf());
    await throttle.acquire(requestOf({ operation: "webhooks.create" }));
    expect(reported).toHaveLength(1);
    delete scripts.TAKE_PLACES;
    await throttle.acquire(requestOf());
    scripts.TAKE_PLACES = fail;
    await throttle.acquire(requestOf());
    expect(reported).toHaveLength(2);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("gives back places that Redis grants after the time limit", async () => {
    const { begin, scripts, asks, ran } = throttleOf();
    let answer = (_: unknown) => {};
    scripts.TAKE_PLACES = () => new Promise((resolve) => (answer = resolve));
    const calls = [begin(), begin()];
    await until(() => asks.length === 1);
    const ids = asks[0]?.calls.map(({ id }) => id);
    await settle();
    await vi.advanceTimersByTimeAsync(3_000);
    await until(() => calls.every(({ state }) => state === "failed"));
    expect(calls[0]?.error).toMatchObject({ message: "redisThrottle: Redis did not answer within 3000 ms" });
    expect(ran("GIVE_UP")).toEqual([]);
    answer(["1", 0]);
    await until(() => ran("GIVE_UP").length === 1);
    expect(ran("GIVE_UP")).toEqual([ids]);
  });
});

it.each<[options: object, message: string]>([
  [{ limits: { other: { perMinute: 0 } } }, "limits.other.perMinute: expected an integer of 1 or more, received 0"],
  [{ limits: 5 }, "limits"],
  [{ prefix: "{a}" }, "prefix: expected a non-empty string without { and }, received a string"],
  [{ onerror: "open" }, "onerror: unknown option; did you mean onError?"],
])("an invalid option of redisThrottle causes a ConfigurationError: %j", (options, message) => {
  const { client } = scriptedClient(never);
  expect(() => redisThrottle(client, options)).toThrow(ConfigurationError);
  expect(() => redisThrottle(client, options)).toThrow(`redisThrottle: ${message}`);
});

it('redisThrottle refuses a value that is not a client, and accepts onError "closed"', () => {
  expect(() => redisThrottle({} as never)).toThrow(
    "redisThrottle: redis: expected a client of the package redis or ioredis",
  );
  expect(() => redisThrottle(scriptedClient(never).client, { onError: "closed" })).not.toThrow();
});
