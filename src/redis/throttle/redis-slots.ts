import type { LimitName } from "../../endpoints/limits.js";
import type { SlotAnswer, SlotQuestion, SlotSource } from "../../throttle/call-queue.js";
import type { WindowsByLimit } from "../../throttle/throttle-options.js";
import { hashOf } from "../redis-options.js";
import type { RedisServer } from "../redis-server.js";

/**
 * KEYS: for each limit, a sorted set of its slots by time, and a key that exists while the service's own pause lasts.
 * ARGV: a question as JSON. Returns whether the slot was taken, the wait for it, when to ask again, and how long the
 * pause lasts.
 *
 * Times come from the Redis server, in milliseconds. In any period of a window's length, there are at most `max` slots.
 * So a slot begins one window after the slot that is `max` places before it. Slots are taken in ascending order.
 *
 * A slot is taken before it begins, and the longer its call has waited by then, the earlier: so the calls of several
 * processes are sent about in the order of their arrival.
 */
const TAKE_SLOT = `
local question = cjson.decode(ARGV[1])
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local pause, wait = 0, 0
for limit in ipairs(question.windows) do
  pause = math.max(pause, redis.call('PTTL', KEYS[2 * limit]))
end
local function timeOf(slots, index)
  return tonumber(redis.call('ZRANGE', slots, index, index, 'WITHSCORES')[2]) or 0
end
for limit, windows in ipairs(question.windows) do
  local slots, ahead, longest = KEYS[2 * limit - 1], question.ahead[limit], 0
  for _, window in ipairs(windows) do longest = math.max(longest, window.windowMs) end
  -- Also a question that gets no slot writes: it fails at once if Redis is read-only.
  redis.call('ZREMRANGEBYSCORE', slots, '-inf', now - longest)
  local from = math.max(now + pause, timeOf(slots, -1))
  for _, window in ipairs(windows) do
    local before = timeOf(slots, ahead % window.max - window.max)
    local at = math.max(from, before + window.windowMs) + math.floor(ahead / window.max) * window.windowMs
    wait = math.max(wait, at - now)
  end
end
local askIn = wait - question.early * (question.age + wait) / (question.age + wait + 60000)
if askIn > 0 then return {0, wait, math.ceil(askIn), pause} end
for limit, windows in ipairs(question.windows) do
  local slots, longest = KEYS[2 * limit - 1], 0
  for _, window in ipairs(windows) do longest = math.max(longest, window.windowMs) end
  redis.call('ZADD', slots, now + wait, question.id)
  redis.call('PEXPIRE', slots, longest + 60000)
end
return {1, wait, 0, pause}
`;

/** KEYS: those of a question. ARGV: its id. The slot was not needed. */
const GIVE_BACK = `
for index = 1, #KEYS, 2 do redis.call('ZREM', KEYS[index], ARGV[1]) end
return 1
`;

/** KEYS: the key of a limit's pause. ARGV: for how long no slot may begin. A longer pause stays. */
const PAUSE = `
if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[1]) then redis.call('SET', KEYS[1], '1', 'PX', ARGV[1]) end
return 1
`;

/** How long before its beginning a slot may be taken, in milliseconds. */
const EARLY_MS = 2_000;

export function redisSlots(server: RedisServer, windows: WindowsByLimit, token: string): SlotSource {
  /** Settles when all pauses are stored. */
  let pausing: Promise<void> = Promise.resolve();
  let keyBase: Promise<string> | undefined;

  async function keysOf(limit: LimitName): Promise<[slots: string, pause: string]> {
    keyBase ??= hashOf(token);
    const key = `${server.prefix}throttle:{${await keyBase}}:${limit}`;
    return [`${key}:slots`, `${key}:pause`];
  }

  async function ask({ limits, ahead, ageMs }: SlotQuestion): Promise<SlotAnswer> {
    const keys = (await Promise.all(limits.map(keysOf))).flat() as [string, ...string[]];
    // If the question is sent twice, it takes one slot.
    const id = crypto.randomUUID().slice(-12);
    const question = {
      id,
      windows: limits.map((name) => windows[name]),
      ahead,
      age: Math.floor(ageMs),
      early: EARLY_MS,
    };
    const giveBack = () => void server.run(GIVE_BACK, keys, [id], { isBackground: true }).catch(() => {});
    // After a late reply, the call has failed. Its slot is returned: a few slow minutes must not use up an hour's slots.
    const reply = await server.run(TAKE_SLOT, keys, [JSON.stringify(question)], { onLate: giveBack });
    if (!Array.isArray(reply)) throw server.unexpectedReply();
    const [isTaken, waitMs = 0, askInMs = 0, pauseMs = 0] = reply.map(Number);
    return isTaken
      ? { ok: true, inMs: waitMs, giveBack }
      : { ok: false, waitMs, askInMs: Math.max(askInMs, 1), pauseMs };
  }

  return {
    windows,
    async take(question) {
      await pausing;
      // While Redis cannot be reached, calls are sent without a slot.
      return (await server.orOpen(ask(question))) ?? { ok: true, inMs: 0 };
    },
    async pause(limit, pauseMs) {
      const time = String(Math.ceil(pauseMs));
      const stored = keysOf(limit).then(([, key]) => server.run(PAUSE, [key], [time]));
      // Without `then`, the results of all pauses would be kept.
      pausing = Promise.allSettled([pausing, stored]).then(() => {});
      await stored;
    },
  };
}
