/**
 * The scripts that claim, renew, complete and release a delivery. Redis runs each script as one step, so no other
 * process can interfere.
 */
import { RedisScript } from "../redis-server.js";

/** The value of a completed delivery. A claim's value is its owner, a random string that begins with `claim:`. */
export const DONE = "done";

export const ownerValue = (owner: string): string => `claim:${owner}`;

/** KEYS: the delivery. ARGV: owner, how long the claim lasts. Returns the current value of the key. */
export const CLAIM = new RedisScript(`
local current = redis.call('GET', KEYS[1])
if current then return current end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return ARGV[1]
`);

/**
 * KEYS: the delivery. ARGV: owner, how long the claim lasts from now on. Returns 1 if the owner still has the claim.
 */
export const RENEW = new RedisScript(`
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 1
`);

/**
 * KEYS: the delivery. ARGV: owner, how long the delivery is remembered. Changes nothing if another owner has the claim.
 */
export const COMPLETE = new RedisScript(`
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], '${DONE}', 'PX', ARGV[2])
return 1
`);

/** KEYS: the delivery. ARGV: owner. Changes nothing if another owner has the claim. */
export const RELEASE = new RedisScript(`
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('DEL', KEYS[1])
return 1
`);
