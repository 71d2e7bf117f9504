import type { LimitName } from "../../endpoints/limits.js";
import type { WindowsByLimit } from "../../throttle/throttle-options.js";
import type { CallCounter, RequiredWait } from "../../throttle/waiting-calls.js";
import { hashOf } from "../redis-options.js";
import type { RedisServer } from "../redis-server.js";

/**
 * KEYS: for each limit, a sorted set of its calls by time, and a key that exists while the service's own pause lasts.
 * ARGV: an id for the call, and the windows of each limit as JSON. Returns how long the call has to wait, and how much of
 * this is a pause; or nothing, if the call was counted.
 *
 * Times come from the Redis server, in milliseconds. In any window there are at most `max` calls: the next one is sent a
 * window after the call `max` places before it.
 */
const TAKE = `
local limits = cjson.decode(ARGV[2])
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local pause, wait, longest = 0, 0, {}
for limit, windows in ipairs(limits) do
  local calls = KEYS[2 * limit - 1]
  longest[limit] = 0
  for _, window in ipairs(windows) do longest[limit] = math.max(longest[limit], window.windowMs) end
  -- Also a question that has to wait writes: it fails at once if Redis is read-only.
  redis.call('ZREMRANGEBYSCORE', calls, '-inf', now - longest[limit])
  pause = math.max(pause, redis.call('PTTL', KEYS[2 * limit]))
  for _, window in ipairs(windows) do
    local before = tonumber(redis.call('ZRANGE', calls, -window.max, -window.max, 'WITHSCORES')[2]) or 0
    wait = math.max(wait, before + window.windowMs - now)
  end
end
wait = math.max(wait, pause)
if wait > 0 then return {wait, pause} end
for limit in ipairs(limits) do
  redis.call('ZADD', KEYS[2 * limit - 1], now, ARGV[1])
  redis.call('PEXPIRE', KEYS[2 * limit - 1], longest[limit] + 60000)
end
return {}
`;

/** KEYS: those of a call. ARGV: its id. The call is sent now, and was counted earlier. */
const COUNT_NOW = `
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
for index = 1, #KEYS, 2 do redis.call('ZADD', KEYS[index], 'XX', now, ARGV[1]) end
return 1
`;

/** KEYS: the key of a limit's pause. ARGV: for how long no call may be sent. A longer pause stays. */
const PAUSE = `
if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[1]) then redis.call('SET', KEYS[1], '1', 'PX', ARGV[1]) end
return 1
`;

/** A reply that took longer, in milliseconds, reports a call that is sent clearly after Redis has counted it. */
const LATE_REPLY_MS = 100;

export function redisCounter(server: RedisServer, windows: WindowsByLimit, token: string): CallCounter {
  let keyBase: Promise<string> | undefined;

  async function keysOf(limit: LimitName): Promise<[calls: string, pause: string]> {
    keyBase ??= hashOf(token);
    const key = `${server.prefix}throttle:{${await keyBase}}:${limit}`;
    return [`${key}:calls`, `${key}:pause`];
  }

  async function ask(limits: readonly LimitName[]): Promise<"now" | RequiredWait> {
    const keys = (await Promise.all(limits.map(keysOf))).flat() as [string, ...string[]];
    // If the client sends the question twice, the call is counted once.
    const id = crypto.randomUUID().slice(-12);
    const askedAt = performance.now();
    const reply = await server.run(TAKE, keys, [id, JSON.stringify(limits.map((name) => windows[name]))]);
    if (!Array.isArray(reply)) throw server.unexpectedReply();
    const [waitMs, pauseMs = 0] = reply.map(Number);
    if (waitMs !== undefined) return { waitMs: Math.max(waitMs, 1), pauseMs };
    if (performance.now() - askedAt > LATE_REPLY_MS) {
      server.run(COUNT_NOW, keys, [id], { isBackground: true }).catch(() => {});
    }
    return "now";
  }

  return {
    windows,
    spreadMs: 100,
    // While Redis cannot be reached, and `onError` is "open", calls are sent without being counted.
    take: async (limits) => (await server.orOpen(ask(limits))) ?? "now",
    async pause(limit, pauseMs) {
      const [, key] = await keysOf(limit);
      await server.run(PAUSE, [key], [String(Math.ceil(pauseMs))]);
    },
  };
}
