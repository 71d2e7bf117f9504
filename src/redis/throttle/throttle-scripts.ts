/**
 * The scripts for one limit of one token, which all processes share. There are four keys with one hash tag:
 * - `sent`: the calls that were sent, by time. A call that still waits for another limit has a time far in the future
 * - `queue`: the waiting calls, by ticket (first come, first served)
 * - `processes`: the processes with waiting calls, by the end of their lease
 * - `state`: the next ticket, and the time until which calls wait because the service reports a used-up limit
 *
 * Times come from the Redis server, in milliseconds. A call's id begins with the id of its process.
 */
import { RedisScript } from "../redis-server.js";

/** Reads the clock. */
const NOW = `
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
`;

/** Removes the calls of processes whose lease has ended, because those processes were killed. */
const REMOVE_DEAD = `
local function remove(key, ids, process)
  for _, id in ipairs(ids) do
    if string.sub(id, 1, #process + 1) == process .. ':' then redis.call('ZREM', key, id) end
  end
end
for _, process in ipairs(redis.call('ZRANGEBYSCORE', KEYS[3], '-inf', now)) do
  remove(KEYS[2], redis.call('ZRANGE', KEYS[2], 0, -1), process)
  remove(KEYS[1], redis.call('ZRANGEBYSCORE', KEYS[1], '(' .. now, '+inf'), process)
  redis.call('ZREM', KEYS[3], process)
end
`;

/**
 * ARGV: process, lease, time to live, margin, how far in the future a granted call is counted, number of windows, then
 * length and size of each window, then id, ticket (or empty) and longest wait (or -1) of each call that waits in this
 * process. Returns for each call its ticket and its wait: 0 if it may be sent now, -1 if it cannot be sent in time and
 * has left the queue.
 *
 * In any period of a window's length, at most as many calls are sent as the window's size. So a call may be sent when
 * the call that is "size" places before it is older than the window. The whole queue is planned, so that each wait is
 * known at once.
 */
export const TAKE_PLACES = new RedisScript(`${NOW}
local process, lease, keep, margin, ahead = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4]), tonumber(ARGV[5])
local windows, longest, index = {}, 0, 7
for _ = 1, tonumber(ARGV[6]) do
  windows[#windows + 1] = {tonumber(ARGV[index]), tonumber(ARGV[index + 1])}
  longest = math.max(longest, tonumber(ARGV[index]))
  index = index + 2
end
redis.call('ZADD', KEYS[3], now + tonumber(lease), process)
${REMOVE_DEAD}
local calls, order = {}, {}
while index <= #ARGV do
  local id, ticket, most = ARGV[index], ARGV[index + 1], tonumber(ARGV[index + 2])
  if ticket == '' then ticket = redis.call('HINCRBY', KEYS[4], 'ticket', 1) end
  redis.call('ZADD', KEYS[2], ticket, id)
  order[#order + 1] = id
  calls[id] = {ticket = tostring(ticket), most = most}
  index = index + 3
end
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - longest - margin)
local sent = redis.call('ZRANGE', KEYS[1], 0, -1, 'WITHSCORES')
local times = {}
for position = 2, #sent, 2 do times[#times + 1] = tonumber(sent[position]) end
local held = tonumber(redis.call('HGET', KEYS[4], 'held') or '0')
local function add(at)
  local position = #times + 1
  while position > 1 and times[position - 1] > at do position = position - 1 end
  table.insert(times, position, at)
end
for _, id in ipairs(redis.call('ZRANGE', KEYS[2], 0, -1)) do
  local at = math.max(now, held)
  for _, window in ipairs(windows) do
    local before = times[#times - window[2] + 1]
    if before then at = math.max(at, before + window[1] + margin) end
  end
  local call = calls[id]
  if call and call.most >= 0 and at - now > call.most then
    call.wait = -1
    redis.call('ZREM', KEYS[2], id)
  else
    if call then call.wait = at - now end
    if call and at <= now then
      redis.call('ZREM', KEYS[2], id)
      redis.call('ZADD', KEYS[1], now + ahead, id)
      at = now + ahead
    end
    add(at)
  end
end
for _, key in ipairs(KEYS) do redis.call('PEXPIRE', key, keep) end
local reply = {}
for _, id in ipairs(order) do
  reply[#reply + 1] = calls[id].ticket
  reply[#reply + 1] = calls[id].wait
end
return reply
`);

/** ARGV: id. Records that a call with a time in the future is sent now. */
export const CONFIRM = new RedisScript(`${NOW}
return redis.call('ZADD', KEYS[1], 'XX', now, ARGV[1])
`);

/** ARGV: ids. Removes calls that were cancelled or failed. */
export const GIVE_UP = new RedisScript(`
for _, id in ipairs(ARGV) do
  redis.call('ZREM', KEYS[1], id)
  redis.call('ZREM', KEYS[2], id)
end
return 1
`);

/**
 * ARGV: for how long, time to live. No call is sent before the end of this time, because the service reports that the
 * limit is used up.
 */
export const HOLD = new RedisScript(`${NOW}
local held = math.max(now + tonumber(ARGV[1]), tonumber(redis.call('HGET', KEYS[4], 'held') or '0'))
redis.call('HSET', KEYS[4], 'held', string.format('%.0f', held))
redis.call('PEXPIRE', KEYS[4], ARGV[2])
return 1
`);
