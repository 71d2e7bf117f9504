/** Reads an account through the client. Rows are kept as they were received, even invalid ones. */
import { pause } from "../../async/timers.js";
import type { Notetaker } from "../../client.js";
import { isTemporaryStatus } from "../../errors/is-temporary.js";
import { isRecord } from "../../json/is-record.js";
import { PAGE_SIZE_MAX } from "../../schemas/page.js";
import { MINUTE_MS } from "../state/durations.js";
import type { CaptureOptions, CaptureProgress } from "./capture-options.js";
import type { CapturedAccount, CapturedDocument, CapturedMeeting, Json } from "./captured-account.js";

/** The maximum number of ids in one request, so that the URL is not too long. */
const IDS_PER_REQUEST = 50;
/** The wait after a 429 that does not say how long to wait. */
const DEFAULT_WAIT_MS = MINUTE_MS;
/** The longest wait that the service may ask for. If it asks for a longer wait, the call is not repeated. */
const MAX_WAIT_MS = 15 * MINUTE_MS;

/** After this many empty pages in a row, the list is considered complete. */
const MAX_EMPTY_PAGES = 100;

interface ReadPage {
  data: unknown;
  next_cursor?: unknown;
  has_more?: unknown;
}

export async function readAccount(notetaker: Notetaker, options: CaptureOptions): Promise<CapturedAccount> {
  return new AccountReader(notetaker.withOptions({ validation: "off" }), options).read();
}

const idOf = (row: unknown): string | undefined => (isRecord(row) && typeof row.id === "string" ? row.id : undefined);

const rowsOf = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isRecord) : []);

function* inChunks<T>(items: readonly T[], size: number): Iterable<T[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
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

  /** Sends one call. After a 429 it waits and repeats the call, unless the wait would be longer than `MAX_WAIT_MS`. */
  async #request<T>(call: () => PromiseLike<T>): Promise<T> {
    for (;;) {
      try {
        return await call();
      } catch (error) {
        const { name, retryAfterMs = DEFAULT_WAIT_MS } = error as { name?: string; retryAfterMs?: number };
        if (name !== "RateLimitedError" || retryAfterMs > MAX_WAIT_MS) throw error;
        await pause(retryAfterMs, this.#options.signal);
      }
    }
  }

  /**
   * Sends a call that the service may refuse with a 4xx, for one record or for a whole endpoint. Then the result is
   * `undefined`. A 401 and a 429 are thrown, because they do not concern one record or endpoint.
   */
  async #optional<T>(call: () => PromiseLike<T>): Promise<T | undefined> {
    try {
      return await this.#request(call);
    } catch (error) {
      const { status = 0 } = error as { status?: number };
      const isRefusal = status >= 400 && status !== 401 && !isTemporaryStatus(status);
      if (isRefusal) return undefined;
      throw error;
    }
  }

  /** The rows of a list, at most `max`. A repeated cursor ends the list. */
  async #readList(list: (cursor: string | undefined) => PromiseLike<ReadPage>, max: number): Promise<Json[]> {
    const rows: Json[] = [];
    const cursors = new Set<string>();
    let cursor: string | undefined;
    let emptyPages = 0;
    do {
      const page = await this.#request(() => list(cursor));
      const received = rowsOf(page.data);
      for (const row of received) rows.push(row);
      emptyPages = received.length === 0 ? emptyPages + 1 : 0;
      const next = page.has_more === true && typeof page.next_cursor === "string" ? page.next_cursor : undefined;
      cursor = next === undefined || cursors.has(next) ? undefined : next;
      if (cursor !== undefined) cursors.add(cursor);
    } while (cursor !== undefined && rows.length < max && emptyPages < MAX_EMPTY_PAGES);
    return rows.slice(0, max);
  }

  async #readRooms(): Promise<CapturedAccount["rooms"]> {
    const { rooms: max = Number.POSITIVE_INFINITY } = this.#options;
    const limit = Math.min(max, PAGE_SIZE_MAX);
    const rows = await this.#readList((cursor) => {
      const params = { limit, ...(cursor === undefined ? {} : { cursor }), expand: ["meetings", "documents"] as const };
      return this.#notetaker.rooms.list(params, this.#call());
    }, max);
    this.#report("rooms", rows.length);
    const ids = rows.flatMap((row) => idOf(row) ?? []);
    const owned = await this.#ownedOf(ids, (params) => this.#notetaker.rooms.list(params, this.#call()));
    this.#report("rooms", rows.length, rows.length);
    return rows.map(({ meetings, documents, ...row }) => {
      const meetingIds = rowsOf(meetings).flatMap((summary) => this.#addSummary(summary) ?? []);
      this.#addReferences(documents, meetingIds[0]);
      return { row, owned: owned.has(String(row.id)), meetingIds };
    });
  }

  /** Those of `ids` that the user owns. */
  async #ownedOf(
    ids: readonly string[],
    list: (params: { ids: string[]; scope: "owned"; limit: number }) => PromiseLike<ReadPage>,
  ): Promise<Set<string>> {
    const owned = new Set<string>();
    for (const chunk of inChunks(ids, IDS_PER_REQUEST)) {
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
      const listed = await this.#optional(() =>
        this.#readList((cursor) => {
          const params = { limit: PAGE_SIZE_MAX, ...(cursor === undefined ? {} : { cursor }), expand };
          return this.#notetaker.meetings.list(params, this.#call());
        }, Number.POSITIVE_INFINITY),
      );
      for (const row of listed ?? []) rows.push(row);
    } else {
      for (const ids of inChunks([...known], IDS_PER_REQUEST)) {
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
    const ids = [...this.#meetings.keys()];
    const owned = await this.#ownedOf(ids, (params) => this.#notetaker.meetings.list(params, this.#call()));
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
    const read = await this.#optional(() =>
      this.#readList(async (cursor) => {
        const params = { limit: PAGE_SIZE_MAX, ...(cursor === undefined ? {} : { cursor }) };
        const page = await this.#notetaker.permissions.list(meeting.id, params, this.#call());
        meeting.share_url ??= (page as { share_url?: unknown }).share_url;
        return page;
      }, Number.POSITIVE_INFINITY),
    );
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
