/**
 * Turns a captured account into a seed. The fields that a seed accepts are copied from each captured record. Then the
 * emulator's JSON for the record is compared with the received JSON, and the differences are written to `extra` and
 * `absent`.
 */
import * as z from "zod/mini";
import { MINUTE_MS } from "../../async/timers.js";
import { isRecord } from "../../json/is-record.js";
import { parseJson } from "../../json/parse-json.js";
import { AUTOMATION_MODES, type AutomationMode } from "../../schemas/automation.js";
import { ID_PREFIXES, type IdKind, idProblem } from "../../schemas/ids.js";
import { Account } from "../account.js";
import { botOfEvent } from "../lifecycle/bots.js";
import { settingsOf } from "../options.js";
import {
  blockSchema,
  documentSchema,
  eventSchema,
  meetingSchema,
  permissionSchema,
  roomSchema,
  transcriptSchema,
  webhookSchema,
} from "../seed/check-seed.js";
import type {
  DocumentSeed,
  EventSeed,
  MeetingSeed,
  PermissionSeed,
  RoomSeed,
  Seed,
  WebhookSeed,
} from "../seed/seed.js";
import type { Block, PermissionRecord, WireChanges } from "../state/records.js";
import {
  documentToWire,
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

export const toSeed = (captured: CapturedAccount): Seed => new SeedMaker().seed(captured);

/** The fields of `row` that a seed with this schema accepts. */
function accepted<S extends Readonly<Record<N, z.core.$ZodType>>, N extends string>(
  { shape }: { shape: S },
  row: Json = {},
  ...names: N[]
) {
  const isAccepted = (name: N) => row[name] !== undefined && z.safeParse(shape[name], row[name]).success;
  const fields = names.filter(isAccepted).map((name) => [name, row[name]]);
  return Object.fromEntries(fields) as { [F in N]?: z.output<S[F]> };
}

const isAccepted = <T>(schema: z.ZodMiniType<T>, value: unknown): value is T => z.safeParse(schema, value).success;

class SeedMaker {
  readonly #ids = new Map<string, string>();
  /** Each adds the differences of one record, once the emulated account shows what it sends. */
  readonly #comparisons: ((account: Account) => void)[] = [];

  seed({ automation: received, ...captured }: CapturedAccount): Seed {
    const automation = AUTOMATION_MODES.find((mode) => mode === received);
    const events = captured.events.map((event) => this.#event(event, automation));
    const firstStart = Math.min(...events.map(({ start_time }) => Date.parse(start_time)));
    const seed: Seed = {
      // A minute before the first upcoming event.
      ...(events.length === 0 ? {} : { now: new Date(firstStart - MINUTE_MS).toISOString() }),
      account: { user: CAPTURED_USER, ...(automation === undefined ? {} : { automation }) },
      rooms: captured.rooms.map((room) => this.#room(room)),
      meetings: captured.meetings.map((meeting) => this.#meeting(meeting)),
      documents: captured.documents.map((document) => this.#document(document)),
      events,
      webhooks: captured.webhooks.map((webhook) => this.#webhook(webhook)),
    };
    const account = emulated(seed);
    for (const compare of this.#comparisons) compare(account);
    return seed;
  }

  /** The received id, or a made-up one in place of an invalid one. */
  #id(kind: IdKind, received: unknown): string {
    const key = `${kind} ${received}`;
    const made = `${ID_PREFIXES[kind]}odd${this.#ids.size}`;
    const id = this.#ids.get(key) ?? (idProblem(kind, received) === undefined ? String(received) : made);
    this.#ids.set(key, id);
    return id;
  }

  /**
   * Adds the differences between the received JSON and the emulator's JSON to a record of the seed, or to the field of
   * the record for another view of it.
   */
  #compare(
    record: object,
    received: Json | undefined,
    sent: (account: Account) => object,
    field?: "summary" | "reference",
  ): void {
    if (received === undefined) return;
    this.#comparisons.push((account) => {
      const changes = changesBetween(sent(account), received);
      if (field === undefined) Object.assign(record, changes);
      else if (Object.keys(changes).length > 0) Object.assign(record, { [field]: changes });
    });
  }

  #room({ row, owned, meetingIds }: CapturedRoom): RoomSeed {
    const id = this.#id("roomId", row.id);
    const fields = accepted(roomSchema, row, "title", "created_at", "updated_at", "share_url");
    const meetings = meetingIds.map((meetingId) => this.#id("meetingId", meetingId));
    const room = { id, title: "", share_url: null, ...fields, owned, meetings };
    this.#compare(room, row, ({ state }) => roomToWire(state, recordIn(state.rooms, id), new Set()));
    return room;
  }

  #meeting({ row, summary, owned, recording, ...captured }: CapturedMeeting): MeetingSeed {
    const id = this.#id("meetingId", captured.id);
    const { share_url, transcript } = captured;
    const meeting = {
      ...{ id, owned, recording },
      ...accepted(meetingSchema, row ?? summary, "title", "status", "source", "start_time", "end_time", "duration"),
      ...accepted(meetingSchema, row ?? summary, "created_at", "host", "participants"),
      ...accepted(meetingSchema, { share_url: share_url ?? undefined }, "share_url"),
      documents: captured.documentIds.map((documentId) => this.#id("documentId", documentId)),
      permissions: captured.permissions.map((permission, index) => this.#permission(permission, id, index)),
    } as MeetingSeed;
    const record = ({ state }: Account) => recordIn(state.meetings, id);
    if (transcript !== undefined) {
      const { language, speakers, segments } = transcript;
      const content = { language, speakers, segments };
      meeting.transcript = isAccepted(transcriptSchema, content) ? content : { speakers: [], segments: [] };
      this.#compare(meeting.transcript, transcript, (account) => transcriptToWire(record(account)) ?? {});
    }
    this.#compare(meeting, summary, (account) => summaryToWire(record(account)), "summary");
    this.#compare(meeting, row, (account) => meetingToWire(record(account)));
    return meeting;
  }

  #permission(received: Json, meetingId: string, index: number): PermissionSeed {
    const { id, recipient, role } = received;
    const fields = { id, recipient, role };
    const unknown = { recipient: { type: "unknown" }, role: "unknown" };
    const permission = isAccepted(permissionSchema, fields) ? fields : unknown;
    this.#compare(permission, received, ({ state }) =>
      permissionToWire(recordIn(state.meetings, meetingId).permissions[index] as PermissionRecord),
    );
    return permission;
  }

  #document({ id: receivedId, document, reference }: CapturedDocument): DocumentSeed {
    const id = this.#id("documentId", receivedId);
    const fields = accepted(documentSchema, document ?? reference, "title", "created_at");
    const blocks = blocksIn(document?.content);
    const seed = { id, title: "", ...fields, blocks: blocks ?? paragraphOf(document?.content) };
    const record = ({ state }: Account) => recordIn(state.documents, id);
    // A list of blocks is not compared: the seed contains these blocks, maybe with other white space in their JSON.
    const content = blocks === undefined ? undefined : document?.content;
    this.#compare(seed, reference, (account) => referenceToWire(record(account)), "reference");
    this.#compare(seed, document, (account) => documentToWire(record(account), "json", content));
    return seed;
  }

  #webhook(row: Json): WebhookSeed {
    const id = this.#id("webhookId", row.id);
    const fields = accepted(webhookSchema, row, "url", "events", "enabled", "created_at", "updated_at");
    const webhook = { id, url: "https://www.example.com/", ...fields } as WebhookSeed;
    this.#compare(webhook, row, ({ state }) => webhookToWire(recordIn(state.webhooks, id)));
    return webhook;
  }

  #event(row: Json, automation: AutomationMode | undefined): EventSeed {
    const isScheduled = row.bot_scheduled;
    const id = this.#id("eventId", row.id);
    const event = {
      id,
      title: "",
      start_time: "2025-06-30T09:00:00Z",
      meeting_url: "https://zoom.us/j/123456",
      ...accepted(eventSchema, row, "title", "start_time", "end_time", "meeting_url"),
      organized: automation !== "JOIN_AS_HOST" || isScheduled !== false,
      bot: isScheduled === true && automation !== "JOIN_AS_HOST" && automation !== "JOIN_ALL_EVENTS",
    };
    this.#compare(event, row, (account) =>
      eventToWire(recordIn(account.state.events, id), botOfEvent(account, id) !== undefined),
    );
    return event;
  }
}

/** The record that a seed has made. */
const recordIn = <T>(records: ReadonlyMap<string, T>, id: string) => records.get(id) as T;

/** The blocks of the `json` format; `undefined` if the content is not a JSON array. */
function blocksIn(content: unknown): Block[] | undefined {
  const blocks = typeof content === "string" ? parseJson(content) : content;
  if (!Array.isArray(blocks)) return undefined;
  return blocks.map((block: unknown): Block => {
    const isKnown = isRecord(block) && block.type !== "other" && isAccepted(blockSchema, block);
    return isKnown ? (block as Block) : { type: "other", json: block };
  });
}

const paragraphOf = (content: unknown): Block[] =>
  typeof content === "string" ? [{ type: "paragraph", text: content }] : [];

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

/** The `extra` and `absent` that turn the emulator's JSON (`sent`) into `wanted`. */
function changesBetween(sent: object, wanted: Json): WireChanges {
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
