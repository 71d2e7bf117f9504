/**
 * Turns a captured account into a seed. The fields that a seed accepts are copied from each captured record. Then the
 * emulator's JSON for the record is compared with the received JSON, and the differences are written to `extra` and
 * `absent`.
 */

import { documentTitles, wireNames } from "../../assumptions.js";
import { isRecord } from "../../json/is-record.js";
import { parseJson } from "../../json/parse-json.js";
import { AUTOMATION_MODES, type AutomationMode } from "../../schemas/automation.js";
import { ID_PREFIXES, idProblem } from "../../schemas/ids.js";
import { Account } from "../account.js";
import { botOfEvent } from "../lifecycle/bots.js";
import { seedMistakes } from "../seed/check-seed.js";
import type {
  DocumentSeed,
  EventSeed,
  MeetingSeed,
  PermissionSeed,
  RoomSeed,
  Seed,
  TranscriptSeed,
  WebhookSeed,
} from "../seed/seed.js";
import { resolveDialect, supportedNames } from "../state/dialect.js";
import { MINUTE_MS } from "../state/durations.js";
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

type SeedList = "rooms" | "meetings" | "documents" | "webhooks" | "events";

/** `now` of the seed is this long before the first upcoming event. */
const BEFORE_EVENTS_MS = MINUTE_MS;

/** A placeholder for the user: no response of the service names the user of the account. */
const CAPTURED_USER = { id: "usr_captured", name: "Captured User", email: "user@captured.example" };

export function toSeed(account: CapturedAccount): Seed {
  const seeded = new SeededAccount(account);
  seeded.correct();
  return seeded.seed;
}

/** The fields of `row` that `names` contains and that are not `undefined`. */
function fieldsOf(row: Json | undefined, names: readonly string[]): Json {
  return Object.fromEntries(names.filter((name) => row?.[name] !== undefined).map((name) => [name, row?.[name]]));
}

/** The fields that a seed accepts. Other fields are replaced by those of `fallback`, or left out. */
function accepted<T extends object>(list: SeedList, fields: object, fallback: T): T {
  const result: Json = { ...fields };
  const start = `${list}[0].`;
  const wrongFields = () => {
    const mistakes = seedMistakes({ [list]: [result] });
    return new Set(mistakes.map(({ path }) => path.slice(start.length).split(/[.[]/, 1)[0] ?? ""));
  };
  // Each round replaces or removes a field, so there are at most as many rounds as fields.
  for (let wrong = wrongFields(); wrong.size > 0; wrong = wrongFields()) {
    let hasChanged = false;
    for (const name of wrong) {
      const replacement = (fallback as Json)[name];
      hasChanged ||= Object.hasOwn(result, name) || replacement !== undefined;
      if (replacement === undefined || result[name] === replacement) delete result[name];
      else result[name] = replacement;
    }
    if (!hasChanged) return fallback;
  }
  return result as T;
}

/** JSON in which the order of fields does not matter. */
const canonical = (value: unknown): string | undefined =>
  JSON.stringify(value, (_, part: unknown) =>
    isRecord(part) ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))) : part,
  );

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

const hasChanges = (changes: WireChanges) => changes.extra !== undefined || changes.absent !== undefined;

/**
 * An account of the emulator with this seed, in which no meeting advances by itself. It shows the JSON that the
 * emulator would send.
 */
function emulated(seed: Seed): Account {
  return new Account(seed, {
    time: { now: seed.now === undefined ? 0 : Date.parse(seed.now), speed: 1 },
    settings: {
      strict: true,
      limits: "none",
      life: "manual",
      names: supportedNames(wireNames()),
      titles: documentTitles(),
      dialect: resolveDialect({}, true),
    },
    allowDeliveryTo: undefined,
    accounts: [],
  });
}

/** The ids of a seed: the received ids, with made-up ids in place of invalid ones. */
class SeedIds {
  readonly #ids = new Map<string, string>();
  readonly #kind: "meetingId" | "roomId" | "documentId" | "webhookId" | "eventId";

  constructor(kind: "meetingId" | "roomId" | "documentId" | "webhookId" | "eventId") {
    this.#kind = kind;
  }

  of(received: unknown): string {
    const id = String(received);
    let seedId = this.#ids.get(id);
    if (seedId === undefined) {
      const isUsable = typeof received === "string" && idProblem(this.#kind, received) === undefined;
      seedId = isUsable ? id : `${ID_PREFIXES[this.#kind]}odd${this.#ids.size}`;
      this.#ids.set(id, seedId);
    }
    return seedId;
  }
}

class SeededAccount {
  readonly seed: Seed;
  readonly #captured: CapturedAccount;
  readonly #meetingIds = new SeedIds("meetingId");
  readonly #documentIds = new SeedIds("documentId");
  readonly #roomIds = new SeedIds("roomId");
  readonly #webhookIds = new SeedIds("webhookId");
  readonly #eventIds = new SeedIds("eventId");

  constructor(captured: CapturedAccount) {
    this.#captured = captured;
    const automation = AUTOMATION_MODES.find((mode) => mode === captured.automation);
    const events = captured.events.map((event) => this.#event(event, automation));
    const starts = events.map(({ start_time }) => Date.parse(start_time));
    this.seed = {
      ...(starts.length === 0 ? {} : { now: new Date(Math.min(...starts) - BEFORE_EVENTS_MS).toISOString() }),
      account: { user: CAPTURED_USER, ...(automation === undefined ? {} : { automation }) },
      rooms: captured.rooms.map((room) => this.#room(room)),
      meetings: captured.meetings.map((meeting) => this.#meeting(meeting)),
      documents: captured.documents.map((document) => this.#document(document)),
      events,
      webhooks: captured.webhooks.map((webhook) => this.#webhook(webhook)),
    };
  }

  #room({ row, owned, meetingIds }: CapturedRoom): RoomSeed {
    const id = this.#roomIds.of(row.id);
    const fields = fieldsOf(row, ["title", "created_at", "updated_at", "share_url"]);
    const room = accepted(
      "rooms",
      { share_url: null, ...fields, id, owned },
      { id, owned, title: "", share_url: null },
    );
    return { ...room, meetings: meetingIds.map((meetingId) => this.#meetingIds.of(meetingId)) };
  }

  #meeting(captured: CapturedMeeting): MeetingSeed {
    const { owned, recording, transcript, share_url } = captured;
    const id = this.#meetingIds.of(captured.id);
    const names = [
      "title",
      "status",
      "source",
      "start_time",
      "end_time",
      "duration",
      "created_at",
      "host",
      "participants",
    ];
    const fields = {
      ...fieldsOf(captured.row ?? captured.summary, names),
      id,
      owned,
      recording,
      ...(transcript === undefined ? {} : { transcript: fieldsOf(transcript, ["language", "speakers", "segments"]) }),
      ...(typeof share_url === "string" ? { share_url } : {}),
    };
    const emptyTranscript: TranscriptSeed = { speakers: [], segments: [] };
    const fallback = { id, owned, recording, ...(transcript === undefined ? {} : { transcript: emptyTranscript }) };
    return {
      ...accepted<MeetingSeed>("meetings", fields, fallback),
      documents: captured.documentIds.map((documentId) => this.#documentIds.of(documentId)),
      permissions: captured.permissions.map(permissionSeed),
    };
  }

  #document({ id: receivedId, document, reference }: CapturedDocument): DocumentSeed {
    const id = this.#documentIds.of(receivedId);
    const fields = fieldsOf(document ?? reference, ["title", "created_at"]);
    const blocks = blocksOf(document?.content);
    return accepted<DocumentSeed>("documents", { ...fields, id, blocks }, { id, title: "", blocks });
  }

  #webhook(row: Json): WebhookSeed {
    const id = this.#webhookIds.of(row.id);
    const fields = fieldsOf(row, ["url", "events", "enabled", "created_at", "updated_at"]);
    return accepted<WebhookSeed>("webhooks", { ...fields, id }, { id, url: "https://www.example.com/" });
  }

  #event(row: Json, automation: AutomationMode | undefined): EventSeed {
    const id = this.#eventIds.of(row.id);
    const fields = fieldsOf(row, ["title", "start_time", "end_time", "meeting_url"]);
    const isScheduled = row.bot_scheduled;
    const flags = {
      organized: automation !== "JOIN_AS_HOST" || isScheduled !== false,
      bot: isScheduled === true && automation !== "JOIN_AS_HOST" && automation !== "JOIN_ALL_EVENTS",
    };
    const fallback = {
      id,
      title: "",
      start_time: "2025-06-30T09:00:00Z",
      meeting_url: "https://zoom.us/j/123456",
      ...flags,
    };
    return accepted<EventSeed>("events", { ...fields, id, ...flags }, fallback);
  }

  /** Adds the differences between the received JSON and the emulator's JSON. */
  correct(): void {
    const account = emulated(this.seed);
    const { state } = account;
    const { rooms, meetings, documents, webhooks, events } = this.#captured;
    correctEach(this.seed.rooms, rooms, (seed, { row }) => {
      const record = state.rooms.get(seed.id ?? "");
      return record && changesBetween(roomToWire(state, record, new Set()), row);
    });
    correctEach(this.seed.meetings, meetings, (seed, captured) => correctMeeting(seed, captured, account));
    correctEach(this.seed.documents, documents, (seed, captured) => correctDocument(seed, captured, account));
    correctEach(this.seed.webhooks, webhooks, (seed, row) => {
      const record = state.webhooks.get(seed.id ?? "");
      return record && changesBetween(webhookToWire(record), row);
    });
    correctEach(this.seed.events, events, (seed, row) => {
      const record = state.events.get(seed.id ?? "");
      const isScheduled = botOfEvent(account, seed.id ?? "") !== undefined;
      return record && changesBetween(eventToWire(record, isScheduled), row);
    });
  }
}

/** Adds the changes to each seed. Seeds and captured records have the same order. */
function correctEach<S extends WireChanges, C>(
  seeds: readonly S[] | undefined,
  captured: readonly C[],
  changesOf: (seed: S, captured: C) => WireChanges | undefined,
): void {
  for (const [index, seed] of (seeds ?? []).entries()) {
    const record = captured[index];
    if (record !== undefined) Object.assign(seed, changesOf(seed, record));
  }
}

/** A permission is checked as part of a meeting, because a seed has no separate list of permissions. */
function permissionSeed(received: Json): PermissionSeed {
  const fields = fieldsOf(received, ["id", "recipient", "role"]);
  const isAccepted = seedMistakes({ meetings: [{ permissions: [fields] }] }).length === 0;
  return isAccepted ? (fields as unknown as PermissionSeed) : { recipient: { type: "unknown" }, role: "unknown" };
}

function correctMeeting(seed: MeetingSeed, captured: CapturedMeeting, { state }: Account): WireChanges | undefined {
  const record = state.meetings.get(seed.id ?? "");
  if (record === undefined) return undefined;
  const summary = changesBetween(summaryToWire(record), captured.summary);
  if (hasChanges(summary)) seed.summary = summary;
  if (seed.transcript) Object.assign(seed.transcript, changesBetween(transcriptToWire(record), captured.transcript));
  correctEach(seed.permissions, captured.permissions, (permission, received) => {
    const permissionRecord = record.permissions[seed.permissions?.indexOf(permission) ?? -1];
    return permissionRecord && changesBetween(permissionToWire(permissionRecord), received);
  });
  return changesBetween(meetingToWire(record), captured.row);
}

function correctDocument(
  seed: DocumentSeed,
  { document, reference }: CapturedDocument,
  { state }: Account,
): WireChanges | undefined {
  const record = state.documents.get(seed.id ?? "");
  if (record === undefined) return undefined;
  const changedReference = changesBetween(referenceToWire(record), reference);
  if (hasChanges(changedReference)) seed.reference = changedReference;
  if (document === undefined) return undefined;
  const { id, title, created_at } = record;
  // A list of blocks is not compared: the seed contains these blocks, maybe with other white space in their JSON.
  const hasBlocks = Array.isArray(contentOf(document.content));
  const content = hasBlocks ? document.content : undefined;
  return changesBetween({ id, title, format: "json", content, created_at }, document);
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
