/** Throttles on Redis with windows of seconds, and what Redis has recorded about them. */
import type { RedisClient, ThrottleRequest } from "notetaker-sdk/redis";
import { RedisServer as ScriptServer } from "../../../src/redis/redis-server.js";
import { redisCounter } from "../../../src/redis/throttle/redis-counter.js";
import { throttleByToken } from "../../../src/redis/throttle/redis-throttle.js";
import type { LimitWindow } from "../../../src/throttle/throttle-options.js";
import type { RedisServer } from "./redis-server.js";

export const TOKEN = "a-very-secret-token-0123456789";

export const requestOf = (fields: Partial<ThrottleRequest> = {}): ThrottleRequest => ({
  operation: "rooms.list",
  token: TOKEN,
  signal: undefined,
  onWait: () => {},
  ...fields,
});

/** A call that does not wait longer than this. */
export const impatientRequest = (mostMs: number, fields: Partial<ThrottleRequest> = {}): ThrottleRequest =>
  requestOf({
    ...fields,
    onWait(waitMs) {
      if (waitMs > mostMs) throw new Error("it would take too long");
    },
  });

/** A throttle as `redisThrottle` makes it, with the same windows for every limit. */
export function throttleWith(client: RedisClient, windows: readonly LimitWindow[]) {
  const server = new ScriptServer("test", client, { prefix: "test:" });
  const byLimit = { sendBot: windows, upload: windows, createWebhook: windows, other: windows };
  return throttleByToken((token) => redisCounter(server, byLimit, token));
}

/**
 * Collects the times of all calls, which Redis keeps only for the longest window. By these times, a test does not
 * depend on how fast the machine is.
 */
export function callRecorder(server: RedisServer) {
  const calls = new Map<string, number>();
  return {
    record() {
      for (const key of server.cli("KEYS", "*:calls").split("\n").filter(Boolean)) {
        const lines = server.cli("ZRANGE", key, "0", "-1", "WITHSCORES").split("\n");
        for (let index = 0; index + 1 < lines.length; index += 2) calls.set(lines[index]!, Number(lines[index + 1]));
      }
    },
    times: () => [...calls.values()].sort((a, b) => a - b),
  };
}

/** The largest number of times within any window of `windowMs`. */
export function mostWithin(times: readonly number[], windowMs: number): number {
  let most = 0;
  let from = 0;
  for (const [index, time] of times.entries()) {
    while (time - (times[from] ?? time) >= windowMs) from += 1;
    most = Math.max(most, index - from + 1);
  }
  return most;
}
