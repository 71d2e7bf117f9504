/** What a capture reads from an account: the JSON of each record, as it was received. */
import { isRecord } from "../../json/is-record.js";

/** The JSON of a record, as it was received. */
export type Json = Record<string, unknown>;

export interface CapturedRoom {
  /** The row of the room list, without its expansions. */
  row: Json;
  owned: boolean;
  meetingIds: string[];
}

export interface CapturedMeeting {
  id: string;
  owned: boolean;
  /** The row of the meeting list, without its expansion; `undefined` if the meeting is not in the list. */
  row: Json | undefined;
  /** The summary of the meeting in a room. */
  summary: Json | undefined;
  documentIds: string[];
  transcript: Json | undefined;
  recording: boolean;
  permissions: Json[];
  share_url: unknown;
}

export interface CapturedDocument {
  id: string;
  /** The reference in a meeting or a room. */
  reference: Json | undefined;
  /** The document in the `json` format. */
  document: Json | undefined;
}

/** The content that a capture reads from an account. */
export interface CapturedAccount {
  rooms: CapturedRoom[];
  meetings: CapturedMeeting[];
  documents: CapturedDocument[];
  webhooks: Json[];
  events: Json[];
  automation: unknown;
}

/** The deepest nesting that is kept. No real account has deeper values. */
const MAX_DEPTH = 60;

/**
 * A copy that a file can hold: hostile JSON may be nested to any depth, and have halves of characters, which UTF-8
 * cannot represent.
 */
export function writable(value: unknown, depth = 0): unknown {
  if (typeof value === "string") return wellFormed(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth > MAX_DEPTH) return null;
  if (Array.isArray(value)) return value.map((item) => writable(item, depth + 1));
  if (!isRecord(value)) return value;
  const fields = Object.entries(value).map(([name, field]) => [wellFormed(name), writable(field, depth + 1)]);
  return Object.fromEntries(fields);
}

const wellFormed = (text: string) => text.replace(/\p{Surrogate}/gu, "\ufffd");
