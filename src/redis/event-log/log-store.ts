/**
 * Reads and writes the log in Redis. Each operation is one script.
 *
 * The log is a stream. Its entries are numbered one by one, and each has a random mark. A position in the log is the
 * number and the mark of an entry, so a position that names another entry than before is noticed: after Redis was
 * restored from an older snapshot, numbers are used again. A new log begins with an entry that is no event, so that
 * there is an entry for the position before the first event. Its number is the time in microseconds.
 */
import { isRecord } from "../../json/is-record.js";
import { parseJson } from "../../json/parse-json.js";
import type { WebhookEvent } from "../../webhooks/event/event.js";
import type { LogEntry } from "../../webhooks/relay/event-log.js";
import type { RedisServer, Reply } from "../redis-server.js";

/** A position in the log: an entry, and so the place after this entry. */
export interface LogPosition {
  readonly number: number;
  readonly mark: string;
}

/** The id that browsers send back. */
export const positionId = ({ number, mark }: LogPosition): string => `${number}-${mark}`;

/** The position that an id names, or `undefined` if this log cannot have returned it. */
export function parsePosition(id: string): LogPosition | undefined {
  const [, digits, mark] = /^([1-9]\d{0,15})-([\da-f]{12})$/.exec(id) ?? [];
  return digits === undefined || mark === undefined ? undefined : { number: Number(digits), mark };
}

const newMark = (): string => crypto.randomUUID().slice(-12);

/** An event as it is in the log. */
export interface StoredEntry extends LogEntry {
  readonly position: LogPosition;
}

/** `newest()` returns number and mark of the newest entry, if there is one. `begin(mark)` begins a new log. */
const LOG = `
local function newest()
  local entry = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
  if entry then return tonumber(string.match(entry[1], '^%d+')), entry[2][2] end
end
local function add(number, mark, event, audience)
  number = string.format('%.0f', number)
  redis.call('XADD', KEYS[1], number .. '-0', 'mark', mark, 'event', event, 'audience', audience)
  return number
end
local function begin(mark)
  local time = redis.call('TIME')
  redis.call('DEL', KEYS[1])
  return tonumber(add(tonumber(time[1]) * 1000000 + tonumber(time[2]), mark, '', '')), mark
end
`;

/**
 * KEYS: the log, and a key for this event. ARGV: time to live, a mark for a new log, 1 to begin a new log, maximum
 * number of entries, mark, event, audience (or empty). Returns the number of the entry. The key for the event makes
 * sure that the event is appended once, even if the client sends the script twice.
 */
const APPEND = `${LOG}
local before = redis.call('GET', KEYS[2])
if before then return before end
local last = newest()
if ARGV[3] == '1' or not last then last = begin(ARGV[2]) end
local number = add(last + 1, ARGV[5], ARGV[6], ARGV[7])
redis.call('XTRIM', KEYS[1], 'MAXLEN', ARGV[4])
redis.call('PEXPIRE', KEYS[1], ARGV[1])
redis.call('SET', KEYS[2], number, 'PX', 300000)
return number
`;

/** KEYS: the log. ARGV: time to live, a mark for a new log. Returns number and mark of the newest entry. */
const LATEST = `${LOG}
local number, mark = newest()
if not number then number, mark = begin(ARGV[2]) end
redis.call('PEXPIRE', KEYS[1], ARGV[1])
return {string.format('%.0f', number), mark}
`;

/**
 * KEYS: the log. ARGV: time to live, number and mark of a position, maximum number of entries. Returns mark, event and
 * audience of each entry after the position, in order; nothing if the log does not have the position.
 */
const READ = `
redis.call('PEXPIRE', KEYS[1], ARGV[1])
local entries = redis.call('XRANGE', KEYS[1], ARGV[2] .. '-0', '+', 'COUNT', ARGV[4] + 1)
if not entries[1] or entries[1][1] ~= ARGV[2] .. '-0' or entries[1][2][2] ~= ARGV[3] then return false end
local reply = {}
for index = 2, #entries do
  local fields = entries[index][2]
  for _, field in ipairs({2, 4, 6}) do reply[#reply + 1] = fields[field] end
end
return reply
`;

export interface LogStoreOptions {
  prefix: string;
  maxEvents: number;
  keepMs: number;
}

export class LogStore {
  readonly server: RedisServer;
  readonly key: string;
  readonly #maxEntries: string;
  readonly #keepMs: string;

  constructor(server: RedisServer, { prefix, maxEvents, keepMs }: LogStoreOptions) {
    this.server = server;
    this.key = `${prefix}{events}:log`;
    // One entry more than events, for the position before the oldest event.
    this.#maxEntries = String(maxEvents + 1);
    this.#keepMs = String(keepMs);
  }

  /** @param isNew - Begins a new log: every reader has to resync. */
  async append(json: string, audience: readonly string[] | undefined, isNew: boolean): Promise<LogPosition> {
    const mark = newMark();
    const keys = [this.key, `${this.key}:${mark}`] as const;
    const audienceJson = audience === undefined ? "" : JSON.stringify(audience);
    const args = [this.#keepMs, newMark(), isNew ? "1" : "0", this.#maxEntries, mark, json, audienceJson];
    const number = Number(await this.server.run(APPEND, [...keys], args, { isUncertain: true }));
    if (Number.isNaN(number)) throw this.server.unexpectedReply("unknown");
    return { number, mark };
  }

  async latest(): Promise<LogPosition> {
    const reply = await this.server.run(LATEST, [this.key], [this.#keepMs, newMark()]);
    if (!Array.isArray(reply)) throw this.server.unexpectedReply();
    return { number: Number(reply[0]), mark: String(reply[1]) };
  }

  /** The entries after a position, or `undefined` if the log does not have the position. */
  async read({ number, mark }: LogPosition, limit: number): Promise<StoredEntry[] | undefined> {
    const args = [this.#keepMs, String(number), mark, String(limit)];
    const reply: Reply = await this.server.run(READ, [this.key], args);
    if (!Array.isArray(reply)) return undefined;
    const entries: StoredEntry[] = [];
    for (let index = 0; index + 2 < reply.length; index += 3) {
      const position = { number: number + 1 + entries.length, mark: String(reply[index]) };
      entries.push(entryOf(position, String(reply[index + 1]), String(reply[index + 2])));
    }
    return entries;
  }
}

/** An entry of the stream. Its event is parsed only when it is used, because readers are sent the JSON. */
function entryOf(position: LogPosition, json: string, audienceJson: string): StoredEntry {
  return {
    id: positionId(position),
    position,
    json,
    audience: audienceJson === "" ? undefined : audienceOf(audienceJson),
    get event() {
      return eventOf(json);
    },
  };
}

/** The names of an audience. Unreadable JSON gives no names, so nobody receives the event. */
function audienceOf(json: string): string[] {
  const names = parseJson(json);
  return Array.isArray(names) ? names.filter((name) => typeof name === "string") : [];
}

function eventOf(json: string): WebhookEvent {
  const event = parseJson(json);
  if (isRecord(event)) return event as unknown as WebhookEvent;
  return { kind: "unknown", meetingId: undefined, payload: {} };
}
