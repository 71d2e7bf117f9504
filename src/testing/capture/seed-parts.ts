/**
 * The parts of a seed, from received records. The fields that a seed accepts are copied. Where the emulator would send
 * something else than what was received, the difference is in `extra` and `absent`.
 */
import * as z from "zod/mini";
import { isRecord } from "../../json/is-record.js";
import { parseJson } from "../../json/parse-json.js";
import type { AutomationMode } from "../../schemas/automation.js";
import { parseTimestamp } from "../../schemas/primitives.js";
import { createEmulator } from "../emulator.js";
import { shapeOf } from "../emulator-error.js";
import { joinsAutomatically } from "../lifecycle/calendar.js";
import { UNKNOWN_PERSON } from "../lifecycle/meeting-processing.js";
import {
  blockSchema,
  documentSeedSchema,
  eventSeedSchema,
  meetingSeedSchema,
  permissionSeedSchema,
  roomSeedSchema,
  transcriptSeedSchema,
  webhookSeedSchema,
} from "../seed/check-seed.js";
import type { DocumentSeed, EventSeed, MeetingSeed, PermissionSeed, RoomSeed, WebhookSeed } from "../seed/seed.js";
import type { Block, WireChanges } from "../state/records.js";
import { WIRE_FIELDS, type WireForm, wire } from "../state/to-wire.js";

export type Json = Record<string, unknown>;

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
  const fields = Object.entries(value).map(([name, field]) => [wellFormed(name), writable(field, depth + 1)]);
  return Object.fromEntries(fields);
}

const wellFormed = (text: string) => text.replace(/\p{Surrogate}/gu, "\ufffd");

/** The start of a captured event whose `start_time` is absent or no date. */
export const UNKNOWN_START = "2025-06-30T09:00:00Z";

const DATE = /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d.*)?$/;

/** Whether the text is a date or a timestamp. Other texts that `Date` can parse are not moved. */
export const isDate = (text: string): boolean =>
  text.length <= 40 && DATE.test(text) && !Number.isNaN(parseTimestamp(text));

/** Whether a text is still valid in the field of that name after it was anonymised: a date, or a URL. */
function isUsual(name: string, value: unknown): boolean {
  if (typeof value !== "string") return true;
  return /_(at|time)$/.test(name) ? isDate(value) : !/^(meeting_)?url$/.test(name) || /^https?:/i.test(value);
}

const isAccepted = <T>(schema: z.core.$ZodType<T>, value: unknown): value is T => z.safeParse(schema, value).success;

/** The fields of `row` that the service sends, and that a seed with this schema accepts. */
function accepted<T>(schema: z.core.$ZodType, row: Json | undefined, sent: readonly string[]): Partial<T> {
  const shape = shapeOf(schema);
  const fields = Object.entries(row ?? {}).filter(([name, value]) => {
    const field = sent.includes(name) && name !== "id" ? shape[name] : undefined;
    return field !== undefined && isUsual(name, value) && isAccepted(field, value);
  });
  return Object.fromEntries(fields) as Partial<T>;
}

/**
 * The `extra` and `absent` that turn `sent` into what was received. `sent` is the emulator's JSON of a part of a seed. A
 * field that the part does not have is `undefined` in it: the emulator would fill it in.
 */
function differences(sent: Json, received: Json | undefined): WireChanges {
  if (received === undefined) return {};
  const extra = Object.entries(received).filter(
    ([name, value]) => JSON.stringify(sent[name]) !== JSON.stringify(value),
  );
  const absent = Object.keys(sent).filter((name) => !Object.hasOwn(received, name));
  return {
    ...(extra.length === 0 ? {} : { extra: Object.fromEntries(extra) }),
    ...(absent.length === 0 ? {} : { absent }),
  };
}

/** The part with its {@link differences} from `received`. `further`: what the emulator sends beside its own fields. */
const withDifferences = <Part extends object>(part: Part, form: WireForm, received?: Json, further?: object) => ({
  ...part,
  ...differences(wire(form, { ...part, ...further }), received),
});

export function roomPart(row: Json, own: { id: string; owned: boolean; meetings: string[] }): RoomSeed {
  const room = { title: "", share_url: null, ...accepted<RoomSeed>(roomSeedSchema, row, WIRE_FIELDS.room), ...own };
  const further = { share_url: room.share_url ?? undefined, meeting_count: own.meetings.length };
  return withDifferences(room, "room", row, further);
}

export function meetingPart(
  own: Pick<MeetingSeed, "owned" | "recording" | "permissions"> & { id: string; documents: string[] },
  { row, summary, transcript, share_url }: { [Part in "row" | "summary" | "transcript"]?: Json | undefined } & Json,
): MeetingSeed {
  const meeting = {
    ...own,
    ...accepted<MeetingSeed>(meetingSeedSchema, row ?? summary, WIRE_FIELDS.meeting),
    ...accepted<MeetingSeed>(meetingSeedSchema, { share_url }, ["share_url"]),
    ...(transcript && { transcript: transcriptPart(own.id, transcript) }),
  } as MeetingSeed;
  const participants = meeting.participants?.map((person) => ({ ...UNKNOWN_PERSON, ...person }));
  const changes = summary && { summary: differences(wire("summary", meeting), summary) };
  return withDifferences({ ...meeting, ...changes }, "meeting", row, { participants });
}

function transcriptPart(meeting_id: string, received: Json) {
  const { language, speakers, segments } = received;
  const content = { language, speakers, segments };
  const transcript = isAccepted(transcriptSeedSchema, content) ? content : { speakers: [], segments: [] };
  return withDifferences(transcript, "transcript", received, { meeting_id });
}

export function permissionPart(received: Json): PermissionSeed {
  const { id, recipient, role } = received;
  const fields = { id, recipient, role };
  const unknown = { recipient: { type: "unknown" }, role: "unknown" };
  const permission = isAccepted(permissionSeedSchema, fields) ? fields : unknown;
  return withDifferences(permission, "permission", received);
}

export function documentPart(id: string, reference: Json, received: Json | undefined): DocumentSeed {
  const fields = accepted<DocumentSeed>(documentSeedSchema, received ?? reference, WIRE_FIELDS.reference);
  const blocks = blocksIn(received?.content);
  const document = { id, title: "", ...fields, blocks: blocks ?? paragraphOf(received?.content) };
  // A list of blocks is not compared: the seed contains these blocks, maybe with other white space in their JSON.
  const content = blocks === undefined ? undefined : received?.content;
  const changes = differences(wire("reference", document), reference);
  const part = { ...document, ...(Object.keys(changes).length > 0 && { reference: changes }) };
  return withDifferences(part, "document", received, { format: "json", content });
}

export function webhookPart(id: string, row: Json): WebhookSeed {
  const fields = accepted<WebhookSeed>(webhookSeedSchema, row, WIRE_FIELDS.webhook);
  const webhook = { id, url: "https://www.example.com/", ...fields };
  return withDifferences(webhook, "webhook", row);
}

/**
 * Without a valid `start_time`, the part has none. It is filled in after all dates were moved: a known date among them
 * would show by how much they were moved.
 */
export function eventParts(
  rows: readonly Json[],
  idOf: (row: Json) => string,
  automation: AutomationMode = "MANUAL",
): EventSeed[] {
  const events = rows.map((row) => {
    const event = {
      title: "",
      meeting_url: "https://zoom.us/j/123456",
      ...accepted<EventSeed>(eventSeedSchema, row, WIRE_FIELDS.event),
      id: idOf(row),
      organized: automation !== "JOIN_AS_HOST" || row.bot_scheduled !== false,
    };
    return { ...event, bot: row.bot_scheduled === true && !joinsAutomatically(automation, event) };
  });
  // Only one bot is sent to a call, however many events have its link: an emulator knows to which.
  const seed = { account: { automation }, events: events.map((event) => ({ start_time: UNKNOWN_START, ...event })) };
  const { bots } = createEmulator({ now: 0, seed });
  return events.map((event, index) => {
    const wantsBot = event.bot || joinsAutomatically(automation, event);
    // Another link of the same call may be anonymised as the link of another call, which gets a bot of its own.
    const withoutBot = wantsBot ? undefined : false;
    const bot_scheduled = bots.get(event.id) === undefined ? withoutBot : true;
    return withDifferences(event, "event", rows[index], { bot_scheduled }) as EventSeed;
  });
}

/** The blocks of the `json` format; `undefined` if the content is not a JSON array. */
function blocksIn(content: unknown): Block[] | undefined {
  const blocks = writable(typeof content === "string" ? parseJson(content) : content);
  if (!Array.isArray(blocks)) return undefined;
  return blocks.map((block: unknown): Block => {
    const isKnown = isRecord(block) && block.type !== "other" && isAccepted(blockSchema, block);
    return isKnown ? (block as Block) : { type: "other", json: block };
  });
}

const paragraphOf = (content: unknown): Block[] =>
  typeof content === "string" ? [{ type: "paragraph", text: content }] : [];
