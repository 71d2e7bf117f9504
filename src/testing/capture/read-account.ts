/** Reads an account through the client. Rows are kept as they were received, even invalid ones. */
import * as z from "zod/mini";
import { MINUTE_MS } from "../../async/timers.js";
import type { Notetaker } from "../../client.js";
import { isTemporaryStatus } from "../../errors/is-temporary.js";
import { isRecord } from "../../json/is-record.js";
import { type IdKind, idProblem } from "../../schemas/ids.js";
import { PAGE_SIZE_MAX } from "../../schemas/page.js";
import { custom, functionSchema, optionsSchema, positiveInteger } from "../../schemas/primitives.js";
import type { CapturedAccount, CapturedDocument, CapturedMeeting, Json } from "./captured-account.js";

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

export const captureOptionsSchema = optionsSchema<CaptureOptions>()({
  rooms: z.optional(positiveInteger),
  anonymize: z.optional(z.boolean()),
  signal: z.optional(custom<AbortSignal>((value) => typeof value === "object" && value !== null, "an AbortSignal")),
  onProgress: z.optional(functionSchema),
});

/** The maximum number of ids in one request, so that the URL is not too long. */
const IDS_PER_REQUEST = 50;

/** Enough for the rate limits. A service that refuses for longer ends the capture. */
const PATIENCE = { maxRetries: 5, maxRetryDelayMs: 15 * MINUTE_MS };

/** A call that lists records. */
interface ListCall extends PromiseLike<{ data: unknown }> {
  pages(): AsyncIterable<{ data: unknown }>;
}

export async function readAccount(notetaker: Notetaker, options: CaptureOptions): Promise<CapturedAccount> {
  return new AccountReader(notetaker.withOptions({ validation: "off", ...PATIENCE }), options).read();
}

const idOf = (row: unknown): string | undefined => (isRecord(row) && typeof row.id === "string" ? row.id : undefined);

const rowsOf = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isRecord) : []);

/** The ids in lists that a request can have. Odd ids of a service are left out. */
function* idChunks(kind: IdKind, ids: Iterable<string>): Iterable<string[]> {
  const valid = [...ids].filter((id) => idProblem(kind, id) === undefined);
  for (let start = 0; start < valid.length; start += IDS_PER_REQUEST) yield valid.slice(start, start + IDS_PER_REQUEST);
}

class AccountReader {
  readonly #notetaker: Notetaker;
  readonly #options: CaptureOptions;
  readonly #meetings = new Map<string, CapturedMeeting>();
  readonly #documents = new Map<string, CapturedDocument>();

  constructor(notetaker: Notetaker, options: CaptureOptions) {
    this.#notetaker = notetaker;
    this.#options = options;
  }

  async read(): Promise<CapturedAccount> {
    const rooms = await this.#readRooms();
    await this.#readMeetings();
    await this.#readDetails();
    await this.#readDocuments();
    const account = {
      rooms,
      meetings: [...this.#meetings.values()],
      documents: [...this.#documents.values()],
      webhooks: rowsOf(await this.#optional(() => this.#notetaker.webhooks.list(this.#call()))),
      events: rowsOf(await this.#optional(() => this.#notetaker.meetings.upcoming(this.#call()))),
      automation: (await this.#optional(() => this.#notetaker.settings.getNotetakerAutomation(this.#call())))
        ?.automation,
    };
    this.#report("account", 1, 1);
    return account;
  }

  #call() {
    const { signal } = this.#options;
    return signal === undefined ? {} : { signal };
  }

  #report(step: CaptureProgress["step"], done: number, total?: number): void {
    this.#options.onProgress?.({ step, done, total });
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

  async #readRooms(): Promise<CapturedAccount["rooms"]> {
    const { rooms: max = Number.POSITIVE_INFINITY } = this.#options;
    const params = { limit: Math.min(max, PAGE_SIZE_MAX), expand: ["meetings", "documents"] as const };
    const rows = await this.#readList(this.#notetaker.rooms.list(params, this.#call()), max);
    this.#report("rooms", rows.length);
    const ids = rows.flatMap((row) => idOf(row) ?? []);
    const owned = await this.#ownedOf("roomId", ids, (params) => this.#notetaker.rooms.list(params, this.#call()));
    this.#report("rooms", rows.length, rows.length);
    return rows.map(({ meetings, documents, ...row }) => {
      const meetingIds = rowsOf(meetings).flatMap((summary) => this.#addSummary(summary) ?? []);
      this.#addReferences(documents, meetingIds[0]);
      return { row, owned: owned.has(String(row.id)), meetingIds };
    });
  }

  /** Those of `ids` that the user owns. */
  async #ownedOf(
    kind: IdKind,
    ids: Iterable<string>,
    list: (params: { ids: string[]; scope: "owned"; limit: number }) => ListCall,
  ): Promise<Set<string>> {
    const owned = new Set<string>();
    for (const chunk of idChunks(kind, ids)) {
      const page = await this.#optional(() => list({ ids: chunk, scope: "owned", limit: chunk.length }));
      for (const row of rowsOf(page?.data)) owned.add(String(row.id));
    }
    return owned;
  }

  #meeting(id: string): CapturedMeeting {
    let meeting = this.#meetings.get(id);
    if (meeting === undefined) {
      meeting = {
        id,
        owned: true,
        row: undefined,
        summary: undefined,
        documentIds: [],
        transcript: undefined,
        recording: false,
        permissions: [],
        share_url: undefined,
      };
      this.#meetings.set(id, meeting);
    }
    return meeting;
  }

  #addSummary(summary: Json): string | undefined {
    const id = idOf(summary);
    if (id !== undefined) this.#meeting(id).summary ??= summary;
    return id;
  }

  /**
   * Adds references to documents. References in a room are added to the room's first meeting, unless a meeting of the
   * list has them.
   */
  #addReferences(references: unknown, meetingId: string | undefined): void {
    for (const reference of rowsOf(references)) {
      const id = idOf(reference);
      if (id === undefined) continue;
      if (!this.#documents.has(id)) this.#documents.set(id, { id, reference, document: undefined });
      if (meetingId !== undefined) this.#meeting(meetingId).documentIds.push(id);
    }
  }

  async #readMeetings(): Promise<void> {
    const known = new Set(this.#meetings.keys());
    const expand = ["documents"] as const;
    const rows: Json[] = [];
    if (this.#options.rooms === undefined) {
      const params = { limit: PAGE_SIZE_MAX, expand };
      const listed = await this.#optional(() => this.#readList(this.#notetaker.meetings.list(params, this.#call())));
      for (const row of listed ?? []) rows.push(row);
    } else {
      for (const ids of idChunks("meetingId", known)) {
        const params = { ids, limit: ids.length, expand };
        const page = await this.#optional(() => this.#notetaker.meetings.list(params, this.#call()));
        rows.push(...rowsOf(page?.data).filter((row) => known.has(String(row.id))));
      }
    }
    // The references of rooms were added to a meeting by a guess. The exact references in the meeting list replace
    // them.
    for (const row of rows) if (Array.isArray(row.documents)) this.#forgetReferences(rowsOf(row.documents));
    for (const { documents, ...row } of rows) {
      const id = idOf(row);
      if (id === undefined) continue;
      this.#meeting(id).row = row;
      this.#addReferences(documents, id);
    }
    const ids = this.#meetings.keys();
    const owned = await this.#ownedOf("meetingId", ids, (params) =>
      this.#notetaker.meetings.list(params, this.#call()),
    );
    // Without a meeting list, ownership is decided later: only an owner may read the permissions.
    for (const meeting of this.#meetings.values()) meeting.owned = rows.length === 0 || owned.has(meeting.id);
    this.#report("meetings", 0, this.#meetings.size);
  }

  #forgetReferences(references: readonly Json[]): void {
    const ids = new Set(references.map(({ id }) => id));
    for (const meeting of this.#meetings.values()) {
      if (meeting.row === undefined) meeting.documentIds = meeting.documentIds.filter((id) => !ids.has(id));
    }
  }

  async #readDetails(): Promise<void> {
    const { meetings } = this.#notetaker;
    let done = 0;
    for (const meeting of this.#meetings.values()) {
      meeting.transcript = await this.#record(() => meetings.getTranscript(meeting.id, this.#call()));
      const recording = await this.#record(() => meetings.getRecording(meeting.id, this.#call()));
      meeting.recording = typeof recording?.recording_url === "string";
      if (meeting.owned) await this.#readPermissions(meeting);
      done += 1;
      this.#report("meetings", done, this.#meetings.size);
    }
  }

  async #readPermissions(meeting: CapturedMeeting): Promise<void> {
    const list = this.#notetaker.permissions.list(meeting.id, { limit: PAGE_SIZE_MAX }, this.#call());
    const read = await this.#optional(async () => {
      meeting.share_url = (await list).share_url;
      return this.#readList(list);
    });
    if (read === undefined) meeting.owned = false;
    else meeting.permissions = read;
  }

  async #readDocuments(): Promise<void> {
    let done = 0;
    for (const captured of this.#documents.values()) {
      captured.document = await this.#record(() =>
        this.#notetaker.documents.get(captured.id, { format: "json" }, this.#call()),
      );
      done += 1;
      this.#report("documents", done, this.#documents.size);
    }
  }

  async #record(call: () => PromiseLike<unknown>): Promise<Json | undefined> {
    const value = await this.#optional(call);
    return isRecord(value) ? value : undefined;
  }
}
