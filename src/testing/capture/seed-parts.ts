/**
 * The parts of a seed, from received records. The fields that a seed accepts are copied. Where the emulator would send
 * something else than what was received, the difference is in `extra` and `absent`.
 */
import * as z from "zod/mini";
import { isRecord } from "../../json/is-record.js";
import { parseJson } from "../../json/parse-json.js";
import type { AutomationMode } from "../../schemas/automation.js";
import { parseTimestamp } from "../../schemas/primitives.js";
import { callKey } from "../lifecycle/bots.js";
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
import type {
  Block,
  DocumentRecord,
  EventRecord,
  MeetingRecord,
  PermissionRecord,
  RoomRecord,
  TranscriptRecord,
  WebhookRecord,
  WireChanges,
} from "../state/records.js";
import {
  documentToWire,
  eventToWire,
  meetingToWire,
  permissionToWire,
  referenceToWire,
  roomToWire,
  summaryToWire,
  transcriptToWire,
  WIRE_FIELDS,
  webhookToWire,
} from "../state/to-wire.js";

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
function accepted<T>(
  { shape }: { shape: Readonly<Record<string, z.core.$ZodType>> },
  row: Json | undefined,
  sent: readonly string[],
): Partial<T> {
  const fields = sent
    .map((name) => [name, row?.[name], shape[name]] as const)
    .filter(([name, value, schema]) => name !== "id" && schema && isUsual(name, value) && isAccepted(schema, value));
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined)) as Partial<T>;
}

/**
 * The `extra` and `absent` that turn `sent` into what was received. `sent` is the emulator's JSON of a part of a seed. A
 * field that the part does not have is `undefined` in it: the emulator would fill it in.
 */
function differences(sent: object, received: Json | undefined): WireChanges {
  if (received === undefined) return {};
  const sentFields = new Map<string, unknown>(Object.entries(sent));
  const extra = Object.entries(received).filter(
    ([name, value]) => canonical(sentFields.get(name)) !== canonical(value),
  );
  const absent = [...sentFields.keys()].filter((name) => !Object.hasOwn(received, name));
  return {
    ...(extra.length === 0 ? {} : { extra: Object.fromEntries(extra) }),
    ...(absent.length === 0 ? {} : { absent }),
  };
}

/** JSON in which the order of fields does not matter. */
const canonical = (value: unknown): string | undefined =>
  JSON.stringify(value, (_, part: unknown) =>
    isRecord(part) ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))) : part,
  );

/** The differences of another view of a record, in a field of their own. */
function viewDifferences<F extends string>(field: F, sent: object, received: Json | undefined) {
  const changes = differences(sent, received);
  return (Object.keys(changes).length === 0 ? {} : { [field]: changes }) as { [N in F]?: WireChanges };
}

export function roomPart(row: Json, own: { id: string; owned: boolean; meetings: string[] }): RoomSeed {
  const fields = accepted<RoomSeed>(roomSeedSchema, row, WIRE_FIELDS.room);
  const room = { title: "", share_url: null, ...fields, ...own };
  const sent = roomToWire(room as unknown as RoomRecord, own.meetings.length);
  return { ...room, ...differences(sent, row) };
}

export function meetingPart(
  own: Pick<MeetingSeed, "owned" | "recording" | "permissions"> & { id: string; documents: string[] },
  {
    row,
    summary,
    transcript,
    share_url,
  }: { share_url: unknown } & Partial<Record<"row" | "summary" | "transcript", Json | undefined>>,
): MeetingSeed {
  const meeting = {
    ...own,
    ...accepted<MeetingSeed>(meetingSeedSchema, row ?? summary, WIRE_FIELDS.meeting),
    ...accepted<MeetingSeed>(meetingSeedSchema, { share_url: share_url ?? undefined }, ["share_url"]),
    ...(transcript && { transcript: transcriptPart(own.id, transcript) }),
  } as MeetingSeed;
  const participants = meeting.participants?.map((person) => ({ ...UNKNOWN_PERSON, ...person }));
  const record = { ...meeting, participants } as unknown as MeetingRecord;
  return {
    ...meeting,
    ...(summary && { summary: differences(summaryToWire(record), summary) }),
    ...differences(meetingToWire(record), row),
  };
}

function transcriptPart(meetingId: string, received: Json) {
  const { language, speakers, segments } = received;
  const content = { language, speakers, segments };
  const transcript = isAccepted(transcriptSeedSchema, content) ? content : { speakers: [], segments: [] };
  return { ...transcript, ...differences(transcriptToWire(meetingId, transcript as TranscriptRecord), received) };
}

export function permissionPart(received: Json): PermissionSeed {
  const { id, recipient, role } = received;
  const fields = { id, recipient, role };
  const unknown = { recipient: { type: "unknown" }, role: "unknown" };
  const permission = isAccepted(permissionSeedSchema, fields) ? fields : unknown;
  return { ...permission, ...differences(permissionToWire(permission as PermissionRecord), received) };
}

export function documentPart(id: string, reference: Json, received: Json | undefined): DocumentSeed {
  const fields = accepted<DocumentSeed>(documentSeedSchema, received ?? reference, WIRE_FIELDS.reference);
  const blocks = blocksIn(received?.content);
  const document = { id, title: "", ...fields, blocks: blocks ?? paragraphOf(received?.content) };
  const record = document as unknown as DocumentRecord;
  // A list of blocks is not compared: the seed contains these blocks, maybe with other white space in their JSON.
  const content = blocks === undefined ? undefined : received?.content;
  return {
    ...document,
    ...viewDifferences("reference", referenceToWire(record), reference),
    ...differences(documentToWire(record, "json", content), received),
  };
}

export function webhookPart(id: string, row: Json): WebhookSeed {
  const fields = accepted<WebhookSeed>(webhookSeedSchema, row, WIRE_FIELDS.webhook);
  const webhook = { id, url: "https://www.example.com/", ...fields } as WebhookSeed;
  return { ...webhook, ...differences(webhookToWire(webhook as WebhookRecord), row) };
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
      id: idOf(row),
      title: "",
      meeting_url: "https://zoom.us/j/123456",
      ...accepted<EventSeed>(eventSeedSchema, row, WIRE_FIELDS.event),
      organized: automation !== "JOIN_AS_HOST" || row.bot_scheduled !== false,
    };
    const isAutomatic = joinsAutomatically(automation, event);
    return { row, event, isAutomatic, bot: row.bot_scheduled === true && !isAutomatic };
  });
  const startOf = ({ event }: (typeof events)[number]) => parseTimestamp(event.start_time ?? UNKNOWN_START);
  // The emulator sends only one bot to a call: for the first of these events.
  const withBot = [
    ...events.filter(({ bot }) => bot),
    ...events.filter(({ isAutomatic }) => isAutomatic).sort((a, b) => startOf(a) - startOf(b)),
  ];
  const firstOfCall = new Map(withBot.reverse().map((one) => [callKey(one.event.meeting_url), one]));
  return events.map((one) => {
    const { row, event, isAutomatic, bot } = one;
    const isFirst = firstOfCall.get(callKey(event.meeting_url)) === one;
    // Another link of the same call may be anonymised as the link of another call, which gets a bot of its own.
    const isScheduled = isFirst || (bot || isAutomatic ? undefined : false);
    return { ...event, bot, ...differences(eventToWire(event as EventRecord, isScheduled), row) } as EventSeed;
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
