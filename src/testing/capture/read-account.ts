/** Reads an account through the client. Rows are kept as they were received, even invalid ones. */
import { MINUTE_MS } from "../../async/timers.js";
import type { Notetaker } from "../../client.js";
import { isTemporaryStatus } from "../../errors/is-temporary.js";
import { isRecord } from "../../json/is-record.js";
import { type IdKind, idProblem } from "../../schemas/ids.js";
import { PAGE_SIZE_MAX } from "../../schemas/page.js";

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
  row?: Json;
  /** The summary of the meeting in a room. */
  summary?: Json;
  documentIds: string[];
  transcript?: Json | undefined;
  recording: boolean;
  permissions: Json[];
  share_url?: unknown;
}

export interface CapturedDocument {
  id: string;
  /** The reference in a meeting or a room. */
  reference: Json;
  /** The document in the `json` format. */
  document?: Json | undefined;
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

/** The maximum number of ids in one request, so that the URL is not too long. */
const IDS_PER_REQUEST = 50;

/** Enough for the rate limits. A service that refuses for longer ends the capture. */
const PATIENCE = { maxRetries: 5, maxRetryDelayMs: 15 * MINUTE_MS };

/** A call that lists records. */
interface ListCall {
  pages(): AsyncIterable<{ data: unknown }>;
}

export async function readAccount(notetaker: Notetaker, options: CaptureOptions): Promise<CapturedAccount> {
  return new AccountReader(notetaker.withOptions({ validation: "off", ...PATIENCE }), options).read();
}

const rowsOf = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isRecord) : []);

const hasId = (row: Json): row is Json & { id: string } => typeof row.id === "string";

class AccountReader {
  /** The options of each call. */
  readonly #call: { signal: AbortSignal | undefined };
  readonly #meetings = new Map<string, CapturedMeeting>();
  readonly #documents = new Map<string, CapturedDocument>();
  /** The references to documents in a room, with the first meeting of the room. */
  readonly #roomReferences: { references: Json[]; meetingId: string }[] = [];

  constructor(
    private readonly notetaker: Notetaker,
    private readonly options: CaptureOptions,
  ) {
    this.#call = { signal: options.signal };
  }

  async read(): Promise<CapturedAccount> {
    const { documents, webhooks, meetings, settings } = this.notetaker;
    const rooms = await this.#readRooms();
    await this.#readMeetings();
    await this.#readEach("meetings", this.#meetings, (meeting) => this.#readDetails(meeting));
    await this.#readEach("documents", this.#documents, async (captured) => {
      captured.document = await this.#record(() => documents.get(captured.id, { format: "json" }, this.#call));
    });
    const account = {
      rooms,
      meetings: [...this.#meetings.values()],
      documents: [...this.#documents.values()],
      webhooks: rowsOf(await this.#optional(() => webhooks.list(this.#call))),
      events: rowsOf(await this.#optional(() => meetings.upcoming(this.#call))),
      automation: (await this.#optional(() => settings.getNotetakerAutomation(this.#call)))?.automation,
    };
    this.#report("account", 1, 1);
    return account;
  }

  #report(step: CaptureProgress["step"], done: number, total?: number): void {
    this.options.onProgress?.({ step, done, total });
  }

  async #readEach<T>(
    step: CaptureProgress["step"],
    records: ReadonlyMap<string, T>,
    read: (record: T) => Promise<void>,
  ): Promise<void> {
    let done = 0;
    for (const record of records.values()) {
      await read(record);
      done += 1;
      this.#report(step, done, records.size);
    }
  }

  /**
   * Sends a call that the service may refuse with a 4xx, for one record or for a whole endpoint, or that the client
   * refuses because of an odd id. Then the result is `undefined`. A 401 and a 429 are thrown, because they do not
   * concern one record or endpoint.
   */
  async #optional<T>(call: () => PromiseLike<T>): Promise<T | undefined> {
    try {
      return await call();
    } catch (error) {
      const { name, status = 0 } = error as { name?: string; status?: number };
      const isRefusal = status >= 400 && status !== 401 && !isTemporaryStatus(status);
      if (isRefusal || name === "InvalidArgumentError") return undefined;
      throw error;
    }
  }

  /** The rows of a list, at most `max`. A list whose cursors repeat or never end ends there. */
  async #readList(list: ListCall, max = Number.POSITIVE_INFINITY): Promise<Json[]> {
    const rows: Json[] = [];
    try {
      for await (const page of list.pages()) {
        for (const row of rowsOf(page.data)) rows.push(row);
        if (rows.length >= max) break;
      }
    } catch (error) {
      if ((error as Partial<Error>).name !== "PaginationError") throw error;
    }
    return rows.slice(0, max);
  }

  /** The rows with these ids. Ids that a request cannot have are left out, and so is an endpoint that refuses. */
  async #readByIds(
    kind: IdKind,
    ids: readonly string[],
    list: (params: { ids: string[]; limit: number }) => ListCall,
  ): Promise<Json[]> {
    const valid = ids.filter((id) => idProblem(kind, id) === undefined);
    const wanted = new Set<unknown>(valid);
    let rows: Json[] = [];
    for (let start = 0; start < valid.length; start += IDS_PER_REQUEST) {
      const chunk = valid.slice(start, start + IDS_PER_REQUEST);
      const limit = chunk.length;
      rows = rows.concat((await this.#optional(() => this.#readList(list({ ids: chunk, limit }), limit))) ?? []);
    }
    return rows.filter(({ id }) => wanted.has(id));
  }

  async #readRooms(): Promise<CapturedRoom[]> {
    const { rooms } = this.notetaker;
    const { rooms: max = Number.POSITIVE_INFINITY } = this.options;
    const params = { limit: Math.min(max, PAGE_SIZE_MAX), expand: ["meetings", "documents"] as const };
    const rows = await this.#readList(rooms.list(params, this.#call), max);
    this.#report("rooms", rows.length);
    const ids = rows.filter(hasId).map(({ id }) => id);
    const owned = await this.#readByIds("roomId", ids, (params) =>
      rooms.list({ ...params, scope: "owned" }, this.#call),
    );
    const ownedIds = new Set(owned.map(({ id }) => id));
    this.#report("rooms", rows.length, rows.length);
    return rows.map(({ meetings, documents, ...row }) => {
      const summaries = rowsOf(meetings).filter(hasId);
      for (const summary of summaries) this.#meeting(summary.id).summary ??= summary;
      const meetingIds = summaries.map(({ id }) => id);
      const [meetingId] = meetingIds;
      if (meetingId !== undefined) this.#roomReferences.push({ references: rowsOf(documents), meetingId });
      return { row, owned: ownedIds.has(row.id), meetingIds };
    });
  }

  #meeting(id: string): CapturedMeeting {
    const meeting = this.#meetings.get(id) ?? { id, owned: true, documentIds: [], recording: false, permissions: [] };
    this.#meetings.set(id, meeting);
    return meeting;
  }

  async #readMeetings(): Promise<void> {
    const { meetings } = this.notetaker;
    const expand = ["documents"] as const;
    const rows =
      this.options.rooms === undefined
        ? await this.#optional(() => this.#readList(meetings.list({ limit: PAGE_SIZE_MAX, expand }, this.#call)))
        : await this.#readByIds("meetingId", [...this.#meetings.keys()], (params) =>
            meetings.list({ ...params, expand }, this.#call),
          );
    for (const { documents, ...row } of (rows ?? []).filter(hasId)) {
      this.#meeting(row.id).row = row;
      this.#addReferences(rowsOf(documents), row.id);
    }
    // A room does not tell to which of its meetings a document belongs. The meeting list does.
    const exact = new Set<unknown>(this.#documents.keys());
    for (const { references, meetingId } of this.#roomReferences) {
      this.#addReferences(
        references.filter(({ id }) => !exact.has(id)),
        meetingId,
      );
    }
    const ids = [...this.#meetings.keys()];
    const owned = await this.#readByIds("meetingId", ids, (params) =>
      meetings.list({ ...params, scope: "owned" }, this.#call),
    );
    const ownedIds = new Set(owned.map(({ id }) => id));
    // Without a meeting list, ownership is decided later: only an owner may read the permissions.
    for (const meeting of this.#meetings.values()) meeting.owned = !rows?.length || ownedIds.has(meeting.id);
    this.#report("meetings", 0, this.#meetings.size);
  }

  #addReferences(references: readonly Json[], meetingId: string): void {
    for (const reference of references.filter(hasId)) {
      const { id } = reference;
      if (!this.#documents.has(id)) this.#documents.set(id, { id, reference });
      this.#meeting(meetingId).documentIds.push(id);
    }
  }

  async #readDetails(meeting: CapturedMeeting): Promise<void> {
    const { meetings } = this.notetaker;
    meeting.transcript = await this.#record(() => meetings.getTranscript(meeting.id, this.#call));
    const recording = await this.#record(() => meetings.getRecording(meeting.id, this.#call));
    meeting.recording = typeof recording?.recording_url === "string";
    if (meeting.owned) await this.#readPermissions(meeting);
  }

  async #readPermissions(meeting: CapturedMeeting): Promise<void> {
    const list = this.notetaker.permissions.list(meeting.id, { limit: PAGE_SIZE_MAX }, this.#call);
    const read = await this.#optional(async () => {
      meeting.share_url = (await list).share_url;
      return this.#readList(list);
    });
    if (read === undefined) meeting.owned = false;
    else meeting.permissions = read;
  }

  async #record(call: () => PromiseLike<unknown>): Promise<Json | undefined> {
    const value = await this.#optional(call);
    return isRecord(value) ? value : undefined;
  }
}
