/** The slots of one token, which all processes share in Redis. */

import type { LimitName } from "../../endpoints/limits.js";
import { MOST_SLOTS, type SlotSource } from "../../throttle/call-queue.js";
import type { WindowsByLimit } from "../../throttle/throttle-options.js";
import { hashOf } from "../redis-options.js";
import type { RedisServer } from "../redis-server.js";

/**
 * KEYS: for each limit, a sorted set of its slots by time, and a key that exists while the service's own pause lasts.
 * ARGV: a question as JSON. Returns how many slots were taken, how long the pause lasts, when to ask for the first slot
 * that was not taken, then the wait for each slot.
 *
 * Times come from the Redis server, in milliseconds. In any period of a window's length, there are at most `max` slots.
 * So a slot begins one window after the slot that is `max` places before it. Slots are taken in ascending order.
 *
 * A slot is taken before it begins, and the longer its call has waited by then, the earlier: so the calls of several
 * processes are sent about in the order of their arrival. If a call gets no slot, the following slots are planned.
 */
const TAKE_SLOTS = `
local question = cjson.decode(ARGV[1])
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local pause, earliest = 0, now
for limit, windows in ipairs(question.windows) do
  local slots = KEYS[2 * limit - 1]
  for _, id in ipairs(question.unused) do redis.call('ZREM', slots, id) end
  local count, last = redis.call('ZCARD', slots), redis.call('ZRANGE', slots, -1, -1, 'WITHSCORES')
  earliest = math.max(earliest, tonumber(last[2]) or now)
  pause = math.max(pause, redis.call('PTTL', KEYS[2 * limit]))
  for _, window in ipairs(windows) do
    -- The slots that begin one window before the next ones. The first of them, \`free\` in number, do not exist.
    window.free = math.max(0, window.max - count)
    local to = math.min(-1, question.most - window.max - 1)
    window.slots = redis.call('ZRANGE', slots, -window.max, to, 'WITHSCORES')
  end
end
earliest = math.max(earliest, now + pause)
local times, taken, askIn, waits = {}, 0, 0, {}
for index = 1, question.most do
  local age = question.ages[index]
  if taken == index - 1 and not age then break end
  local at = times[index - 1] or earliest
  for _, windows in ipairs(question.windows) do
    for _, window in ipairs(windows) do
      local before = times[index - window.max] or tonumber(window.slots[2 * (index - window.free)])
      if before then at = math.max(at, before + window.windowMs) end
    end
  end
  local wait = at - now
  if taken == index - 1 then
    askIn = wait - question.ahead * (age + wait) / (age + wait + 60000)
    if askIn <= 0 then taken = index end
  end
  times[index], waits[index] = at, wait
end
for limit, windows in ipairs(question.windows) do
  local slots, longest = KEYS[2 * limit - 1], 0
  for _, window in ipairs(windows) do longest = math.max(longest, window.windowMs) end
  redis.call('ZREMRANGEBYSCORE', slots, '-inf', now - longest)
  for index = 1, taken do redis.call('ZADD', slots, times[index], question.id .. index) end
  redis.call('PEXPIRE', slots, longest + 60000)
end
return {taken, pause, math.ceil(askIn), unpack(waits)}
`;

/** KEYS: the key of a limit's pause. ARGV: for how long no slot may begin. A longer pause stays. */
const PAUSE = `
if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[1]) then redis.call('SET', KEYS[1], '1', 'PX', ARGV[1]) end
return 1
`;

/** The longest pause that is stored, in milliseconds: about a year. */
const MAX_PAUSE_MS = 3e10;

/** The longest time before its beginning at which a slot is taken, in milliseconds. */
const MOST_AHEAD_MS = 2_000;

/**
 * The longest time between two questions, in milliseconds. So the outage of Redis, or a pause that another process has
 * reported, is noticed during a long wait.
 */
const ASK_EVERY_MS = 2_000;

export function redisSlots(server: RedisServer, windows: WindowsByLimit, token: string): SlotSource {
  /** Settles when all pauses are stored. */
  let pausing: Promise<unknown> = Promise.resolve();

  async function keysOf(limit: LimitName): Promise<[slots: string, pause: string]> {
    const keyBase = `${server.prefix}throttle:{${await hashOf(token)}}:${limit}`;
    return [`${keyBase}:slots`, `${keyBase}:pause`];
  }

  async function ask(limits: readonly LimitName[], ages: readonly number[]): Promise<number[]> {
    const keys = (await Promise.all(limits.map(keysOf))).flat() as [string, ...string[]];
    // The beginning of the slots' ids: if the question is sent twice, it takes them once.
    const id = `${crypto.randomUUID().slice(-12)}.`;
    const question = { id, windows: limits.map((name) => windows[name]), ahead: MOST_AHEAD_MS, most: MOST_SLOTS };
    const send = (fields: { ages: number[]; unused: string[] }, onLate?: () => void) =>
      server.run(TAKE_SLOTS, keys, [JSON.stringify({ ...question, ...fields })], { onLate });
    const reply = await send({ ages: ages.map(Math.floor), unused: [] }, () => {
      // The calls have failed in the meantime, so their slots must not remain.
      const unused = ages.map((_, index) => `${id}${index + 1}`);
      send({ ages: [], unused }).catch(() => {});
    });
    if (!Array.isArray(reply)) throw server.unexpectedReply();
    return reply.map(Number);
  }

  return {
    windows,
    async take(limits, ages) {
      await pausing;
      const answer = await server.orOpen(ask(limits, ages));
      // While Redis cannot be reached, calls are sent without a slot.
      if (answer === undefined) return { taken: ages.map(() => 0), planned: [], askInMs: 0, pauseMs: 0 };
      const [taken = 0, pauseMs = 0, askInMs = 0, ...waits] = answer;
      return {
        taken: waits.slice(0, taken),
        planned: waits.slice(taken),
        askInMs: Math.min(Math.max(askInMs, 1), ASK_EVERY_MS),
        pauseMs,
      };
    },
    async pause(limit, pauseMs) {
      const time = String(Math.min(Math.ceil(pauseMs), MAX_PAUSE_MS));
      const stored = keysOf(limit).then(([, key]) => server.run(PAUSE, [key], [time]));
      pausing = Promise.allSettled([pausing, stored]);
      await stored;
    },
  };
}
