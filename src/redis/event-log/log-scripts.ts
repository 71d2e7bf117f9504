/**
 * The log in Redis: a stream of entries and a hash with the `epoch` of the stream and the number of its `last` entry.
 * Both keys share a hash tag, so that a Cluster keeps them together, and a time to live.
 *
 * Entries are numbered one by one, so that a reader can tell whether the stream still reaches back to its position. The
 * numbers of a new stream start at the time in microseconds. So after a stream was lost, the numbers are higher than
 * all earlier ones, and a reader that waits for the next entry notices the loss.
 */
import { RedisScript } from "../redis-server.js";

/**
 * Reads the head of the log, and begins a new log if there is none. Sets the variables `epoch` and `last` (as text).
 */
const HEAD = `
local function number(value) return string.format('%.0f', value) end
local function begin(epoch)
  local time = redis.call('TIME')
  local last = number(tonumber(time[1]) * 1000000 + tonumber(time[2]))
  redis.call('DEL', KEYS[1], KEYS[2])
  redis.call('HSET', KEYS[1], 'epoch', epoch, 'last', last)
  return epoch, last
end
local head = redis.call('HMGET', KEYS[1], 'epoch', 'last')
local epoch, last = head[1], head[2]
if not epoch or not last then epoch, last = begin(ARGV[1]) end
`;

/** Extends the time to live of both keys. ARGV[2]: the time in milliseconds. */
const KEEP = `
redis.call('PEXPIRE', KEYS[1], ARGV[2])
redis.call('PEXPIRE', KEYS[2], ARGV[2])
`;

/**
 * ARGV: an epoch for a new log, time to live, maximum number of entries, 1 to begin a new log, event, audience (or
 * empty). Returns the epoch and the number of the entry.
 */
export const APPEND = new RedisScript(`${HEAD}
if ARGV[4] == '1' then epoch, last = begin(ARGV[1]) end
redis.call('HINCRBY', KEYS[1], 'last', 1)
last = redis.call('HGET', KEYS[1], 'last')
redis.call('XADD', KEYS[2], 'MAXLEN', ARGV[3], last .. '-0', 'event', ARGV[5], 'audience', ARGV[6])
${KEEP}
return {epoch, last}
`);

/** ARGV: an epoch for a new log, time to live. Returns the epoch and the number of the last entry. */
export const LATEST = new RedisScript(`${HEAD}${KEEP}
return {epoch, last}
`);

/**
 * ARGV: an epoch for a new log, time to live, epoch and number of a position, maximum number of entries. Returns epoch
 * and last number, then 1 if the log reaches back to the position, else 0. After a 1 follow event and audience of each
 * entry after the position, in order.
 */
export const READ = new RedisScript(`${HEAD}${KEEP}
local position = tonumber(ARGV[4])
local oldest = tonumber(last) - redis.call('XLEN', KEYS[2])
if epoch ~= ARGV[3] or position < oldest or position > tonumber(last) then return {epoch, last, 0} end
local reply = {epoch, last, 1}
local entries = redis.call('XRANGE', KEYS[2], number(position + 1) .. '-0', '+', 'COUNT', ARGV[5])
for _, entry in ipairs(entries) do
  reply[#reply + 1] = entry[2][2]
  reply[#reply + 1] = entry[2][4]
end
return reply
`);
