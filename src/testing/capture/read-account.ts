/** Reads an account through the client, as the parts of a seed. Rows are kept as received, even invalid ones. */
import { MINUTE_MS } from "../../async/timers.js";
import type { Notetaker } from "../../client.js";
import { isTemporaryStatus } from "../../errors/is-temporary.js";
import { isRecord } from "../../json/is-record.js";
import { AUTOMATION_MODES } from "../../schemas/automation.js";
import { ID_PREFIXES, IDS_MAX, type IdKind, idProblem } from "../../schemas/ids.js";
import { PAGE_SIZE_MAX } from "../../schemas/page.js";
import type { DocumentSeed, MeetingSeed, RoomSeed, Seed } from "../seed/seed.js";
import {
  documentPart,
  eventParts,
  type Json,
  meetingPart,
  permissionPart,
  roomPart,
  webhookPart,
  writable,
} from "./seed-parts.js";

/** The progress of a capture. It has counts only, no content of the account. */
export interface CaptureProgress {
  /** The kind of record that is being read. */
  step: "rooms" | "meetings" | "documents" | "account";
  /** How many records of this kind were read. */
  done: number;
  /** How many records of this kind exist; `undefined` while their list is being read. */
  total: number | undefined;
}

/** Options of `captureSeed`. */
export interface CaptureOptions {
  /**
   * The maximum number of rooms to read. With it, only the meetings in these rooms are read. Default: the whole
   * account.
   */
  rooms?: number | undefined;
  /**
   * Whether to replace every text, id, date and unknown number, so that the seed has no private content. With `false`,
   * the seed is as private as the account. Default: true.
   */
  anonymize?: boolean | undefined;
  /** Aborts the capture. */
  signal?: AbortSignal | undefined;
  /** Called after each step of the capture. */
  onProgress?: ((progress: CaptureProgress) => void) | undefined;
}

/** A meeting that a list has named: the row of the meeting list, and the summary in a room. */
interface ListedMeeting {
  row?: Json;
  summary?: Json;
  documentIds: Set<string>;
}

/** Enough for the rate limits. A service that refuses for longer ends the capture. */
const PATIENCE = { maxRetries: 5, maxRetryDelayMs: 15 * MINUTE_MS };

interface ListCall {
  pages(): AsyncIterable<{ data: unknown }>;
}

const hasId = (row: Json): row is Json & { id: string } => typeof row.id === "string";

/** The rows with an id that is not in `seen`: a list that changes between two pages may repeat an item. */
function rowsOf(value: unknown, seen = new Set<string>()): Json[] {
  const rows = Array.isArray(value) ? value.filter(isRecord).map((row) => writable(row) as Json) : [];
  return rows.filter((row) => !hasId(row) || (!seen.has(row.id) && seen.add(row.id)));
}

/**
 * Sends a call that the service may refuse with a 4xx, for one record or for a whole endpoint, or that the client
 * refuses because of an odd id. Then the result is `undefined`. A 401 and a 429 are thrown, because they do not concern
 * one record or endpoint.
 */
async function optional<T>(call: () => PromiseLike<T>): Promise<T | undefined> {
  try {
    return await call();
  } catch (error) {
    const { name, status = 0 } = error as { name?: string; status?: number };
    const isRefusal = status >= 400 && status !== 401 && !isTemporaryStatus(status);
    if (isRefusal || name === "InvalidArgumentError") return undefined;
    throw error;
  }
}

async function optionalRecord(call: () => PromiseLike<unknown>): Promise<Json | undefined> {
  const value = await optional(call);
  return isRecord(value) ? (writable(value) as Json) : undefined;
}

/** The rows of a list, at most `max`. A list whose cursors repeat or never end ends there. */
async function readList(list: ListCall, max = Number.POSITIVE_INFINITY): Promise<Json[]> {
  const rows: Json[] = [];
  const seen = new Set<string>();
  try {
    for await (const page of list.pages()) {
      for (const row of rowsOf(page.data, seen)) rows.push(row);
      if (rows.length >= max) break;
    }
  } catch (error) {
    if ((error as Partial<Error>).name !== "PaginationError") throw error;
  }
  return rows.slice(0, max);
}

/** The rows with these ids. Ids that a request cannot have are left out, and so is an endpoint that refuses. */
async function readByIds(
  kind: IdKind,
  ids: readonly string[],
  list: (params: { ids: string[]; limit: number }) => ListCall,
): Promise<Json[]> {
  const valid = ids.filter((id) => idProblem(kind, id) === undefined);
  const rows: Json[] = [];
  for (let start = 0; start < valid.length; start += IDS_MAX) {
    const chunk = valid.slice(start, start + IDS_MAX);
    const limit = chunk.length;
    rows.push(...((await optional(() => readList(list({ ids: chunk, limit }), limit))) ?? []));
  }
  const wanted = new Set<unknown>(valid);
  return rows.filter(({ id }) => wanted.has(id));
}

export const readAccount = (notetaker: Notetaker, options: CaptureOptions): Promise<Seed> =>
  new AccountReader(notetaker.withOptions({ validation: "off", ...PATIENCE }), options).read();

class AccountReader {
  /** The options of each call. */
  readonly #call: { signal: AbortSignal | undefined };
  readonly #meetings = new Map<string, ListedMeeting>();
  /** The reference to each document in a meeting or a room. */
  readonly #references = new Map<string, Json>();
  /** The references to documents in a room, with the first meeting of the room. */
  readonly #roomReferences: { references: Json[]; meetingId: string }[] = [];
  readonly #seedIds = new Map<string, string>();

  constructor(
    private readonly notetaker: Notetaker,
    private readonly options: CaptureOptions,
  ) {
    this.#call = { signal: options.signal };
  }

  async read(): Promise<Seed> {
    const { webhooks, meetings, settings } = this.notetaker;
    const rooms = await this.#readRooms();
    await this.#readMeetingList();
    const seed = {
      rooms,
      meetings: await this.#readEach("meetings", this.#meetings, (...listed) => this.#readMeeting(...listed)),
      documents: await this.#readEach("documents", this.#references, (...reference) =>
        this.#readDocument(...reference),
      ),
      webhooks: rowsOf(await optional(() => webhooks.list(this.#call))).map((row) =>
        webhookPart(this.#seedId("webhookId", row.id), row),
      ),
    };
    const events = rowsOf(await optional(() => meetings.upcoming(this.#call)));
    const received = await optional(() => settings.getNotetakerAutomation(this.#call));
    const automation = AUTOMATION_MODES.find((mode) => mode === received?.automation);
    this.#report("account", 1, 1);
    const account = automation === undefined ? {} : { automation };
    return { account, ...seed, events: eventParts(events, (row) => this.#seedId("eventId", row.id), automation) };
  }

  /** The received id, or a made-up one in place of an invalid one. */
  #seedId(kind: IdKind, received: unknown): string {
    const key = typeof received === "string" ? `${kind} ${received}` : `${kind}#${this.#seedIds.size}`;
    const made = `${ID_PREFIXES[kind]}odd${this.#seedIds.size}`;
    const id = this.#seedIds.get(key) ?? (idProblem(kind, received) === undefined ? String(received) : made);
    this.#seedIds.set(key, id);
    return id;
  }

  #report(step: CaptureProgress["step"], done: number, total?: number): void {
    this.options.onProgress?.({ step, done, total });
  }

  async #readEach<T, U>(
    step: CaptureProgress["step"],
    records: ReadonlyMap<string, T>,
    read: (id: string, record: T) => Promise<U>,
  ): Promise<U[]> {
    const parts: U[] = [];
    for (const [id, record] of records) {
      parts.push(await read(id, record));
      this.#report(step, parts.length, records.size);
    }
    return parts;
  }

  async #readRooms(): Promise<RoomSeed[]> {
    const { rooms } = this.notetaker;
    const { rooms: max = Number.POSITIVE_INFINITY } = this.options;
    const params = { limit: Math.min(max, PAGE_SIZE_MAX), expand: ["meetings", "documents"] as const };
    const rows = await readList(rooms.list(params, this.#call), max);
    this.#report("rooms", rows.length);
    const ids = rows.filter(hasId).map(({ id }) => id);
    const owned = await readByIds("roomId", ids, (params) => rooms.list({ ...params, scope: "owned" }, this.#call));
    const ownedIds = new Set(owned.map(({ id }) => id));
    this.#report("rooms", rows.length, rows.length);
    return rows.map(({ meetings, documents, ...row }) => {
      const summaries = rowsOf(meetings).filter(hasId);
      for (const summary of summaries) this.#meeting(summary.id).summary ??= summary;
      const [first] = summaries;
      if (first !== undefined) this.#roomReferences.push({ references: rowsOf(documents), meetingId: first.id });
      return roomPart(row, {
        id: this.#seedId("roomId", row.id),
        owned: ownedIds.has(row.id),
        meetings: summaries.map(({ id }) => this.#seedId("meetingId", id)),
      });
    });
  }

  #meeting(id: string): ListedMeeting {
    const meeting = this.#meetings.get(id) ?? { documentIds: new Set() };
    this.#meetings.set(id, meeting);
    return meeting;
  }

  async #readMeetingList(): Promise<void> {
    const { meetings } = this.notetaker;
    const expand = ["documents"] as const;
    const rows =
      this.options.rooms === undefined
        ? await optional(() => readList(meetings.list({ limit: PAGE_SIZE_MAX, expand }, this.#call)))
        : await readByIds("meetingId", [...this.#meetings.keys()], (params) =>
            meetings.list({ ...params, expand }, this.#call),
          );
    for (const { documents, ...row } of (rows ?? []).filter(hasId)) {
      this.#meeting(row.id).row = row;
      this.#addReferences(rowsOf(documents), row.id);
    }
    // A room does not tell to which of its meetings a document belongs. The meeting list does.
    const exact = new Set<unknown>(this.#references.keys());
    for (const { references, meetingId } of this.#roomReferences) {
      const others = references.filter(({ id }) => !exact.has(id));
      this.#addReferences(others, meetingId);
    }
    this.#report("meetings", 0, this.#meetings.size);
  }

  #addReferences(references: readonly Json[], meetingId: string): void {
    for (const reference of references.filter(hasId)) {
      const { id } = reference;
      if (!this.#references.has(id)) this.#references.set(id, reference);
      this.#meeting(meetingId).documentIds.add(id);
    }
  }

  async #readMeeting(receivedId: string, { row, summary, documentIds }: ListedMeeting): Promise<MeetingSeed> {
    const { meetings, permissions } = this.notetaker;
    const transcript = await optionalRecord(() => meetings.getTranscript(receivedId, this.#call));
    const recording = await optionalRecord(() => meetings.getRecording(receivedId, this.#call));
    const list = permissions.list(receivedId, { limit: PAGE_SIZE_MAX }, this.#call);
    const shared = await optional(async () => ({
      share_url: writable((await list).share_url),
      permissions: (await readList(list)).map(permissionPart),
    }));
    const own = {
      id: this.#seedId("meetingId", receivedId),
      // The service lists the permissions of a meeting only for its owner.
      owned: shared !== undefined,
      recording: typeof recording?.recording_url === "string",
      documents: Array.from(documentIds, (id) => this.#seedId("documentId", id)),
      permissions: shared?.permissions ?? [],
    };
    return meetingPart(own, { row, summary, transcript, share_url: shared?.share_url });
  }

  async #readDocument(receivedId: string, reference: Json): Promise<DocumentSeed> {
    const { documents } = this.notetaker;
    const document = await optionalRecord(() => documents.get(receivedId, { format: "json" }, this.#call));
    return documentPart(this.#seedId("documentId", receivedId), reference, document);
  }
}
