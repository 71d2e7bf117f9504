/** Reads and writes the log in Redis. Each operation is one script. */
import { isRecord } from "../../json/is-record.js";
import { parseJson } from "../../json/parse-json.js";
import type { WebhookEvent } from "../../webhooks/event/event.js";
import type { LogEntry } from "../../webhooks/relay/event-log.js";
import type { RedisScript, RedisServer } from "../redis-server.js";
import { type LogPosition, positionId } from "./log-position.js";
import { APPEND, LATEST, READ } from "./log-scripts.js";

/** The result of reading from a position. */
export interface LogRead {
  /** The newest entry of the log. */
  latest: LogPosition;
  /** `undefined` if the log does not reach back to the position. */
  entries: LogEntry[] | undefined;
}

export interface LogStoreOptions {
  prefix: string;
  maxEvents: number;
  keepMs: number;
}

const newEpoch = (): string => crypto.randomUUID().slice(0, 8);

export class LogStore {
  readonly server: RedisServer;
  readonly streamKey: string;
  readonly #keys: readonly [string, string];
  readonly #options: LogStoreOptions;

  constructor(server: RedisServer, options: LogStoreOptions) {
    this.server = server;
    this.#options = options;
    this.streamKey = `${options.prefix}{events}:stream`;
    this.#keys = [`${options.prefix}{events}:head`, this.streamKey];
  }

  /** @param isNew - Begins a new log: every reader has to resync. */
  async append(json: string, audience: readonly string[] | undefined, isNew: boolean): Promise<LogPosition> {
    const { maxEvents } = this.#options;
    const audienceJson = audience === undefined ? "" : JSON.stringify(audience);
    const reply = await this.#run(APPEND, [String(maxEvents), isNew ? "1" : "0", json, audienceJson]);
    return headOf(reply);
  }

  async latest(): Promise<LogPosition> {
    return headOf(await this.#run(LATEST, []));
  }

  async read(position: LogPosition, limit: number): Promise<LogRead> {
    const { epoch, number } = position;
    const reply = await this.#run(READ, [epoch, String(number), String(limit)]);
    const latest = headOf(reply);
    if (Number(reply[2]) !== 1) return { latest, entries: undefined };
    const entries: LogEntry[] = [];
    for (let index = 3; index + 1 < reply.length; index += 2) {
      const id = positionId({ epoch, number: number + 1 + entries.length });
      entries.push(entryOf(id, String(reply[index]), String(reply[index + 1])));
    }
    return { latest, entries };
  }

  async #run(script: RedisScript, args: readonly string[]): Promise<readonly unknown[]> {
    const reply = await this.server.run(script, this.#keys, [newEpoch(), String(this.#options.keepMs), ...args]);
    return Array.isArray(reply) ? reply : [];
  }
}

const headOf = (reply: readonly unknown[]): LogPosition => ({ epoch: String(reply[0]), number: Number(reply[1]) });

/** An entry of the stream. Its event is parsed only when it is used, because readers are sent the JSON. */
function entryOf(id: string, json: string, audienceJson: string): LogEntry {
  return {
    id,
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
