/** An id has its entry's random mark: a restored Redis does not take it for another's. A new log has an empty entry. */
import { isRecord } from "../../json/is-record.js";
import { parseJson } from "../../json/parse-json.js";
import type { WebhookEvent } from "../../webhooks/event/event.js";
import type { LogEntry } from "../../webhooks/relay/event-log.js";

/** Redis refuses numbers of more than 64 bits, which all have more than 19 digits. */
export const ID = /^(\d{1,19}-\d{1,19})-([\da-f]{12})$/;

export const newMark = (): string => crypto.randomUUID().slice(-12);

const ADD = `
local function add(mark, event, audience)
  return redis.call('XADD', KEYS[1], '*', 'mark', mark, 'event', event, 'audience', audience)
end
`;

/** KEYS: log, this event (once, if sent twice). ARGV: TTL, new log's mark, 1 to begin, max, mark, event, audience. */
export const APPEND = `${ADD}
local before = redis.call('GET', KEYS[2])
if before then return before end
if ARGV[3] == '1' then redis.call('DEL', KEYS[1]) end
if redis.call('EXISTS', KEYS[1]) == 0 then add(ARGV[2], '', '') end
local id = add(ARGV[5], ARGV[6], ARGV[7])
redis.call('XTRIM', KEYS[1], 'MAXLEN', ARGV[4])
redis.call('PEXPIRE', KEYS[1], ARGV[1])
redis.call('SET', KEYS[2], id, 'PX', 300000)
return id
`;

/** KEYS: the log. ARGV: time to live, a mark for a new log. Returns id and mark of the newest entry. */
export const LATEST = `${ADD}
local newest = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
local reply = newest and {newest[1], newest[2][2]} or {add(ARGV[2], '', ''), ARGV[2]}
redis.call('PEXPIRE', KEYS[1], ARGV[1])
return reply
`;

/** KEYS: log. ARGV: TTL, an entry's id and mark, maximum entries, bytes. The entries after it, or nothing. */
export const READ = `
redis.call('PEXPIRE', KEYS[1], ARGV[1])
local entries = redis.call('XRANGE', KEYS[1], ARGV[2], '+', 'COUNT', ARGV[4] + 1)
if not entries[1] or entries[1][1] ~= ARGV[2] or entries[1][2][2] ~= ARGV[3] then return false end
table.remove(entries, 1)
local read, bytes = {}, 0
for number, entry in ipairs(entries) do
  if bytes >= tonumber(ARGV[5]) then break end
  read[number], bytes = entry, bytes + #entry[2][4]
end
return read
`;

/** Unreadable JSON gives an event of an unknown kind, or no names, so that no subscriber receives the event. */
export function entryOf([id, fields]: [string, string[]]): LogEntry {
  const [, mark, , event = "", , audience = ""] = fields;
  const parsed = parseJson(event);
  const names = parseJson(audience);
  return {
    id: `${id}-${mark}`,
    event: isRecord(parsed) ? (parsed as unknown as WebhookEvent) : UNKNOWN,
    audience: audience === "" ? undefined : (Array.isArray(names) ? names : []).filter(isString),
  };
}

const isString = (value: unknown): value is string => typeof value === "string";

const UNKNOWN: WebhookEvent = { kind: "unknown", meetingId: undefined, payload: {} };
