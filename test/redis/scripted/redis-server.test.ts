/** Scripts on the user's Redis: the commands that are sent, the time limits, and what an error contains. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ConnectionError } from "../../../src/errors/call-errors.js";
import { recogniseClient } from "../../../src/redis/connection/recognise-client.js";
import { Outage } from "../../../src/redis/outage.js";
import { RedisScript, RedisServer } from "../../../src/redis/redis-server.js";
import { sha256 } from "../../../src/redis/sha256.js";
import { rejectionOf } from "../../support/recorder.js";
import { never, scriptedClient } from "./scripted-client.js";

const SCRIPT = new RedisScript("return 1");

beforeEach(async () => {
  // Computing a SHA-1 takes real time, even with fake timers.
  await SCRIPT.sha1();
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const SHA1_OF_RETURN_1 = "e0e1f9fabfc9d4800c877a703b823ac0578ff8db";

/** A server whose client answers with `answer`. */
function serverOf(answer: Parameters<typeof scriptedClient>[0], onError?: "open" | "closed") {
  const scripted = scriptedClient(answer);
  const server = new RedisServer("redisThing", recogniseClient("redisThing", scripted.client), onError);
  const run = (onLate?: (result: unknown) => void) => server.run(SCRIPT, ["a", "b"], ["c"], onLate);
  return { ...scripted, server, run };
}

describe("a script on Redis", () => {
  it("is run by its SHA-1, with the number of its keys", async () => {
    const { run, commands } = serverOf(() => "answer");
    expect(await run()).toBe("answer");
    expect(commands).toEqual([["EVALSHA", SHA1_OF_RETURN_1, "2", "a", "b", "c"]]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("is sent as text if the server does not know it yet", async () => {
    const { run, commands } = serverOf(([name]) => {
      if (name === "EVALSHA") throw new Error("NOSCRIPT No matching script.");
      return "answer";
    });
    expect(await run()).toBe("answer");
    expect(commands[1]).toEqual(["EVAL", "return 1", "2", "a", "b", "c"]);
  });

  it("has its SHA-1 computed once", () => {
    const script = new RedisScript("return 1");
    expect(script.sha1()).toBe(script.sha1());
  });

  it.each<[what: string, failure: unknown, message: string, cause: object | undefined]>([
    ["an error", new Error("OOM command not allowed"), ": OOM command not allowed", { name: "Error" }],
    ["NOSCRIPT inside the message", new Error("ERR NOSCRIPT"), ": ERR NOSCRIPT", { name: "Error" }],
    [
      "an error with a code and its command",
      Object.assign(new TypeError("lost"), { code: "ECONNRESET", command: { args: ["topsecret"] } }),
      ": lost",
      { name: "TypeError", code: "ECONNRESET" },
    ],
    ["an error with a number as code", Object.assign(new Error("lost"), { code: 5 }), ": lost", { name: "Error" }],
    ["a value that is not an error", "topsecret", "", undefined],
  ])("fails with a ConnectionError that does not contain the command: %s", async (_, failure, message, cause) => {
    const { run, commands } = serverOf(() => {
      throw failure;
    });
    const error = await rejectionOf(ConnectionError, run());
    expect(error.message).toBe(`redisThing: Redis failed${message}`);
    expect(error).toMatchObject({ outcome: "not_sent", retryable: true });
    expect(error.cause instanceof Error ? { ...error.cause, name: error.cause.name } : undefined).toEqual(cause);
    if (cause !== undefined) expect((error.cause as Error).message).toBe(message.slice(2));
    expect(JSON.stringify(error)).not.toContain("topsecret");
    expect(commands).toHaveLength(1);
  });
});

describe("a Redis operation with a time limit", () => {
  it("rejects after 3 seconds, and passes a late answer to its callback once", async () => {
    let answer = (_: string) => {};
    const { run } = serverOf(() => new Promise<string>((resolve) => (answer = resolve)));
    const late = vi.fn();
    const running = run(late);
    running.catch(() => {});
    await vi.advanceTimersByTimeAsync(2_999);
    await expect(Promise.race([running, Promise.resolve("still waiting")])).resolves.toBe("still waiting");
    await vi.advanceTimersByTimeAsync(1);
    const error = await rejectionOf(ConnectionError, running);
    expect(error.message).toBe("redisThing: Redis did not answer within 3000 ms");
    expect(error).toMatchObject({ outcome: "not_sent", retryable: true });
    expect(error.cause).toBeUndefined();
    expect(late).not.toHaveBeenCalled();
    answer("late");
    await vi.advanceTimersByTimeAsync(0);
    expect(late.mock.calls).toEqual([["late"]]);
  });

  it("does not call its callback if the answer comes in time", async () => {
    const late = vi.fn();
    expect(await serverOf(() => "answer").run(late)).toBe("answer");
    await vi.advanceTimersByTimeAsync(5_000);
    expect(late).not.toHaveBeenCalled();
  });

  it("causes no unhandled rejection if it fails after the time limit", async () => {
    const unhandled = vi.fn();
    process.on("unhandledRejection", unhandled);
    let fail = (_: Error) => {};
    const { run } = serverOf(() => new Promise((_, reject) => (fail = reject)));
    const running = rejectionOf(ConnectionError, run());
    await vi.advanceTimersByTimeAsync(3_000);
    await running;
    fail(new Error("late"));
    vi.useRealTimers();
    await new Promise((resolve) => setImmediate(resolve));
    process.off("unhandledRejection", unhandled);
    expect(unhandled).not.toHaveBeenCalled();
  });
});

describe("a Redis operation of a client that is not connected", () => {
  it("rejects after 2 seconds, and sends nothing", async () => {
    const { run, state, commands } = serverOf(never);
    state.isReady = false;
    const running = run();
    running.catch(() => {});
    await vi.advanceTimersByTimeAsync(1_999);
    await expect(Promise.race([running, Promise.resolve("still waiting")])).resolves.toBe("still waiting");
    await vi.advanceTimersByTimeAsync(51);
    await expect(running).rejects.toThrow("redisThing: the Redis client is not connected");
    expect(commands).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("continues as soon as the client is connected again", async () => {
    const { run, state } = serverOf(() => "answer");
    state.isReady = false;
    const running = run();
    await vi.advanceTimersByTimeAsync(500);
    state.isReady = true;
    await vi.advanceTimersByTimeAsync(50);
    expect(await Promise.race([running, Promise.resolve("still waiting")])).toBe("answer");
  });

  /** How long an operation waits before it rejects. */
  async function waitOf(run: () => Promise<unknown>): Promise<number> {
    const startedAt = Date.now();
    const failing = rejectionOf(ConnectionError, run()).then(() => Date.now() - startedAt);
    await vi.advanceTimersByTimeAsync(3_000);
    return failing;
  }

  it('waits each time, or with onError "open" only the first time of an outage', async () => {
    const closed = serverOf(() => "answer");
    const open = serverOf(() => "answer", "open");
    closed.state.isReady = false;
    open.state.isReady = false;
    expect([await waitOf(closed.run), await waitOf(closed.run)]).toEqual([2_000, 2_000]);
    expect([await waitOf(open.run), await waitOf(open.run)]).toEqual([2_000, 0]);
    open.state.isReady = true;
    expect(await open.run()).toBe("answer");
    open.state.isReady = false;
    expect([await waitOf(open.run), await waitOf(open.run)]).toEqual([2_000, 0]);
  });
});

describe("an outage of Redis", () => {
  it("is reported once, with its first error", () => {
    const reported: unknown[] = [];
    const outage = new Outage((error) => reported.push(error));
    outage.failed("a");
    outage.failed("b");
    outage.reached();
    outage.failed("c");
    expect(reported).toEqual(["a", "c"]);
  });

  it("is reported on the console by default, as is an error of the reporting function", () => {
    const logged = vi.spyOn(console, "error").mockImplementation(() => {});
    const failure = new Error("reporter");
    new Outage().failed("a");
    new Outage(() => {
      throw failure;
    }).failed("b");
    expect(logged.mock.calls).toEqual([
      ["notetaker-sdk:", "a"],
      ["notetaker-sdk:", failure],
    ]);
    logged.mockRestore();
  });
});

it("a key contains the SHA-256 of a text as 43 characters of URL-safe base64", async () => {
  const texts = Array.from({ length: 16 }, (_, index) => `text ${index}`);
  const hashes = await Promise.all(texts.map(sha256));
  const { createHash } = await import("node:crypto");
  expect(hashes).toEqual(texts.map((text) => createHash("sha256").update(text).digest("base64url")));
  expect(hashes.join()).toMatch(/-.*_|_.*-/);
});
