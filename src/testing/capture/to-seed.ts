/**
 * Turns a captured account into a seed. The fields that a seed accepts are copied from each captured record. Then the
 * emulator's JSON for the record is compared with the received JSON, and the differences are written to `extra` and
 * `absent`.
 */
import { MINUTE_MS } from "../../async/timers.js";
import { isRecord } from "../../json/is-record.js";
import { parseJson } from "../../json/parse-json.js";
import { AUTOMATION_MODES, type AutomationMode } from "../../schemas/automation.js";
import { ID_PREFIXES, type IdKind, idProblem } from "../../schemas/ids.js";
import { Account } from "../account.js";
import { botOfEvent } from "../lifecycle/bots.js";
import { settingsOf } from "../options.js";
import { seedMistakes } from "../seed/check-seed.js";
import type {
  DocumentSeed,
  EventSeed,
  MeetingSeed,
  PermissionSeed,
  RoomSeed,
  Seed,
  WebhookSeed,
} from "../seed/seed.js";
import type { Block, WireChanges } from "../state/records.js";
import {
  eventToWire,
  meetingToWire,
  permissionToWire,
  referenceToWire,
  roomToWire,
  summaryToWire,
  transcriptToWire,
  webhookToWire,
} from "../state/to-wire.js";
import type { CapturedAccount, CapturedDocument, CapturedMeeting, CapturedRoom, Json } from "./read-account.js";

/** A placeholder for the user: no response of the service names the user of the account. */
const CAPTURED_USER = { id: "usr_captured", name: "Captured User", email: "user@captured.example" };

export function toSeed(captured: CapturedAccount): Seed {
  const ids = new SeedIds();
  const automation = AUTOMATION_MODES.find((mode) => mode === captured.automation);
  const events = captured.events.map((event) => eventSeed(event, ids, automation));
  const firstStart = Math.min(...events.map(({ start_time }) => Date.parse(start_time)));
  const seed = {
    // A minute before the first upcoming event.
    ...(events.length === 0 ? {} : { now: new Date(firstStart - MINUTE_MS).toISOString() }),
    account: { user: CAPTURED_USER, ...(automation === undefined ? {} : { automation }) },
    rooms: captured.rooms.map((room) => roomSeed(room, ids)),
    meetings: captured.meetings.map((meeting) => meetingSeed(meeting, ids)),
    documents: captured.documents.map((document) => documentSeed(document, ids)),
    events,
    webhooks: captured.webhooks.map((webhook) => webhookSeed(webhook, ids)),
  };
  addDifferences(seed, captured);
  return seed;
}

/** The ids of a seed: the received ids, with made-up ids in place of invalid ones. */
class SeedIds {
  readonly #ids = new Map<string, string>();

  of(kind: IdKind, received: unknown): string {
    const key = `${kind} ${received}`;
    const made = `${ID_PREFIXES[kind]}odd${this.#ids.size}`;
    const id = this.#ids.get(key) ?? (idProblem(kind, received) === undefined ? String(received) : made);
    this.#ids.set(key, id);
    return id;
  }
}

/**
 * The fields of `row` that a seed accepts. `fixed` has the fields that the seed needs: they are part of every result,
 * and the others of `row` win over them.
 */
function accepted<T extends object>(list: keyof Seed, row: Json | undefined, names: readonly string[], fixed: T): T {
  const start = `${list}[0].`;
  const fields = names.flatMap((name) => (row?.[name] === undefined ? [] : [[name, row[name]] as const]));
  const mistakes = seedMistakes({ [list]: [{ ...fixed, ...Object.fromEntries(fields) }] });
  const wrong = new Set(mistakes.map(({ path }) => path.slice(start.length).split(/[.[]/, 1)[0]));
  return { ...fixed, ...Object.fromEntries(fields.filter(([name]) => !wrong.has(name))) };
}

function roomSeed({ row, owned, meetingIds }: CapturedRoom, ids: SeedIds): RoomSeed {
  const fixed: RoomSeed = { id: ids.of("roomId", row.id), title: "", share_url: null };
  const room = accepted("rooms", row, ["title", "created_at", "updated_at", "share_url"], fixed);
  return { ...room, owned, meetings: meetingIds.map((id) => ids.of("meetingId", id)) };
}

const MEETING_FIELDS = [
  ...["title", "status", "source", "start_time", "end_time", "duration", "created_at", "host", "participants"],
  ...["share_url", "transcript"],
];

function meetingSeed(captured: CapturedMeeting, ids: SeedIds): MeetingSeed {
  const { row, summary, transcript, share_url, owned, recording } = captured;
  const content = transcript && {
    language: transcript.language,
    speakers: transcript.speakers,
    segments: transcript.segments,
  };
  const received = { ...(row ?? summary), share_url: share_url ?? undefined, transcript: content };
  const fixed: MeetingSeed = {
    id: ids.of("meetingId", captured.id),
    owned,
    recording,
    ...(transcript && { transcript: { speakers: [], segments: [] } }),
  };
  return {
    ...accepted("meetings", received, MEETING_FIELDS, fixed),
    documents: captured.documentIds.map((id) => ids.of("documentId", id)),
    permissions: captured.permissions.map(permissionSeed),
  };
}

/** A permission is checked as part of a meeting, because a seed has no separate list of permissions. */
function permissionSeed({ id, recipient, role }: Json): PermissionSeed {
  const fields = { id, recipient, role };
  const isAccepted = seedMistakes({ meetings: [{ permissions: [fields] }] }).length === 0;
  return isAccepted ? (fields as PermissionSeed) : { recipient: { type: "unknown" }, role: "unknown" };
}

function documentSeed({ id, document, reference }: CapturedDocument, ids: SeedIds): DocumentSeed {
  const fixed: DocumentSeed = { id: ids.of("documentId", id), title: "", blocks: blocksOf(document?.content) };
  return accepted("documents", document ?? reference, ["title", "created_at"], fixed);
}

function webhookSeed(row: Json, ids: SeedIds): WebhookSeed {
  const fixed: WebhookSeed = { id: ids.of("webhookId", row.id), url: "https://www.example.com/" };
  return accepted("webhooks", row, ["url", "events", "enabled", "created_at", "updated_at"], fixed);
}

function eventSeed(row: Json, ids: SeedIds, automation: AutomationMode | undefined): EventSeed {
  const isScheduled = row.bot_scheduled;
  const fixed: EventSeed = {
    id: ids.of("eventId", row.id),
    title: "",
    start_time: "2025-06-30T09:00:00Z",
    meeting_url: "https://zoom.us/j/123456",
    organized: automation !== "JOIN_AS_HOST" || isScheduled !== false,
    bot: isScheduled === true && automation !== "JOIN_AS_HOST" && automation !== "JOIN_ALL_EVENTS",
  };
  return accepted("events", row, ["title", "start_time", "end_time", "meeting_url"], fixed);
}

const contentOf = (content: unknown): unknown => (typeof content === "string" ? parseJson(content) : content);

/** The blocks of the `json` format. Text that is not a JSON array is a paragraph. */
function blocksOf(content: unknown): Block[] {
  const blocks = contentOf(content);
  if (!Array.isArray(blocks)) return typeof content === "string" ? [{ type: "paragraph", text: content }] : [];
  return blocks.map((block: unknown): Block => {
    const isKnown = isRecord(block) && block.type !== "other";
    const isAccepted = isKnown && seedMistakes({ documents: [{ title: "", blocks: [block] }] }).length === 0;
    return isAccepted ? (block as unknown as Block) : { type: "other", json: block };
  });
}

/**
 * An account of the emulator with this seed, in which no meeting advances by itself. It shows the JSON that the
 * emulator would send.
 */
const emulated = (seed: Seed): Account =>
  new Account("", seed, {
    time: { now: seed.now === undefined ? 0 : Date.parse(seed.now), speed: 1 },
    settings: settingsOf({ life: "manual" }),
    allowDeliveryTo: undefined,
    accounts: [],
  });

/** Adds the differences between the received JSON and the emulator's JSON. */
function addDifferences(seed: Seed, { rooms, meetings, documents, webhooks, events }: CapturedAccount): void {
  const account = emulated(seed);
  const { state } = account;
  forEachPair(seed.rooms, rooms, (room, { row }) => {
    const record = state.rooms.get(room.id ?? "");
    Object.assign(room, changesBetween(record && roomToWire(state, record, new Set()), row));
  });
  forEachPair(seed.meetings, meetings, (meeting, { row, summary, transcript, permissions }) => {
    const record = state.meetings.get(meeting.id ?? "");
    if (record === undefined) return;
    const changedSummary = changesBetween(summaryToWire(record), summary);
    if (Object.keys(changedSummary).length > 0) meeting.summary = changedSummary;
    if (meeting.transcript) Object.assign(meeting.transcript, changesBetween(transcriptToWire(record), transcript));
    forEachPair(meeting.permissions, permissions, (permission, received, index) => {
      const permissionRecord = record.permissions[index];
      Object.assign(permission, changesBetween(permissionRecord && permissionToWire(permissionRecord), received));
    });
    Object.assign(meeting, changesBetween(meetingToWire(record), row));
  });
  forEachPair(seed.documents, documents, (document, captured) => {
    const record = state.documents.get(document.id ?? "");
    if (record === undefined) return;
    const changedReference = changesBetween(referenceToWire(record), captured.reference);
    if (Object.keys(changedReference).length > 0) document.reference = changedReference;
    const { id, title, created_at } = record;
    // A list of blocks is not compared: the seed contains these blocks, maybe with other white space in their JSON.
    const content = Array.isArray(contentOf(captured.document?.content)) ? captured.document?.content : undefined;
    Object.assign(document, changesBetween({ id, title, format: "json", content, created_at }, captured.document));
  });
  forEachPair(seed.webhooks, webhooks, (webhook, row) => {
    const record = state.webhooks.get(webhook.id ?? "");
    Object.assign(webhook, changesBetween(record && webhookToWire(record), row));
  });
  forEachPair(seed.events, events, (event, row) => {
    const record = state.events.get(event.id ?? "");
    const isScheduled = botOfEvent(account, event.id ?? "") !== undefined;
    Object.assign(event, changesBetween(record && eventToWire(record, isScheduled), row));
  });
}

/** Seeds and captured records have the same order. */
function forEachPair<S, C>(
  seeds: readonly S[] = [],
  captured: readonly C[],
  visit: (seed: S, captured: C, index: number) => void,
) {
  for (const [index, seed] of seeds.entries()) visit(seed, captured[index] as C, index);
}

/** The `extra` and `absent` that turn the emulator's JSON (`sent`) into `wanted`. */
function changesBetween(sent: object | undefined, wanted: Json | undefined): WireChanges {
  if (sent === undefined || wanted === undefined) return {};
  const sentFields = new Map<string, unknown>(Object.entries(sent));
  const extra = Object.entries(wanted).filter(([name, value]) => canonical(sentFields.get(name)) !== canonical(value));
  const absent = [...sentFields.keys()].filter((name) => !Object.hasOwn(wanted, name));
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
