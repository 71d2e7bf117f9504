/** A service with a few meetings, whose every answer a test can change, and a client of it. */
import {
  type MemoryStore,
  memoryStore,
  Notetaker,
  type StoreBatch,
  type SyncOptions,
  type SyncResult,
  syncMeetings,
} from "notetaker-sdk";
import { expect } from "vitest";
import { ended, settle } from "./simulated-time.js";

export type Row = Record<string, unknown> & { id: string };
type Answer = Response | Error;

/** A request that was sent. */
export interface Sent {
  /** For example `/meetings/mtg_1/transcript`. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly at: number;
}

export const json = (status: number, body: unknown, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json", ...headers } });
export const refusal = (status: number, headers: Record<string, string> = {}): Response =>
  json(status, { error: { code: "code", message: `answer ${status}` } }, headers);
const NOT_FOUND = () => refusal(404);

export class SmallService {
  /** The list, in its order. */
  rows: unknown[] = [];
  pageSize = 100;
  /** How many meetings a page has that were requested by their ids. */
  idsPageSize = 100;
  /** The text of the transcript, by the id of the meeting. */
  readonly transcripts = new Map<string, string>();
  /** The content, by the id of the document. */
  readonly documents = new Map<string, string>();
  readonly sent: Sent[] = [];
  /** Answers in place of the service. `undefined`: the service answers. */
  answer: (sent: Sent) => Answer | Promise<Answer> | undefined = () => undefined;
  readonly notetaker = new Notetaker({
    baseUrl: "https://service.test/v1",
    token: "secret",
    fetch: ((url: string) => this.#respond(new URL(url))) as never,
  });

  /** A completed meeting with a transcript and a document, which began some minutes ago. */
  add(id: string, changes: Partial<Row> = {}, minutesAgo = 60 + this.rows.length): Row {
    const start = Date.now() - minutesAgo * 60_000;
    const row: Row = {
      id,
      title: `Title of ${id}`,
      status: "completed",
      source: "zoom",
      start_time: new Date(start).toISOString(),
      end_time: new Date(start + 1_800_000).toISOString(),
      duration: 1_800,
      documents: [{ id: `doc_of_${id}`, title: "Summary", created_at: "2026-03-01T11:00:00Z" }],
      ...changes,
    };
    this.rows.push(row);
    this.transcripts.set(id, `said in ${id}`);
    this.documents.set(`doc_of_${id}`, `# ${id}`);
    return row;
  }

  row(id: string): Row {
    return this.rows.find((row) => (row as Row)?.id === id) as Row;
  }

  remove(id: string): void {
    this.rows = this.rows.filter((row) => (row as Row)?.id !== id);
  }

  /** The paths of the requests since the last call; those of the list with their cursor or ids. */
  take(): string[] {
    return this.sent.splice(0).map(({ path, query }) => {
      if (query.has("id")) return `${path} of ${query.getAll("id").join(" ")}`;
      return query.has("cursor") ? `${path} after ${query.get("cursor")}` : path;
    });
  }

  async #respond(url: URL): Promise<Response> {
    const sent = { path: url.pathname.replace("/v1", ""), query: url.searchParams, at: Date.now() };
    this.sent.push(sent);
    const answer = (await this.answer(sent)) ?? this.served(sent);
    if (answer instanceof Error) throw answer;
    return answer;
  }

  /** What the service answers by itself. */
  served({ path, query }: Sent): Response {
    if (path === "/meetings") return this.#list(query);
    const [, kind, id = ""] = /^\/(meetings|documents)\/([^/]+)/.exec(path) ?? [];
    if (kind === "documents") {
      const content = this.documents.get(id);
      if (content === undefined) return NOT_FOUND();
      const format = query.get("format");
      return json(200, { id, title: "Summary", format, content, created_at: "2026-03-01T11:00:00Z" });
    }
    const text = this.transcripts.get(id);
    if (text === undefined) return NOT_FOUND();
    const segments = [{ speaker_id: "spk_1", start_time: 0, end_time: 1, text }];
    return json(200, { meeting_id: id, language: "en", speakers: [{ id: "spk_1", name: "Ada" }], segments });
  }

  #list(query: URLSearchParams): Response {
    const ids = query.getAll("id");
    const from = query.get("start_date") ?? "";
    const rows = this.rows.filter((row) => {
      const { id, start_time } = (row ?? {}) as Row;
      if (ids.length > 0) return ids.includes(id);
      return typeof start_time !== "string" || start_time.slice(0, 10) >= from;
    });
    const offset = Number(query.get("cursor") ?? 0);
    const size = ids.length > 0 ? Math.min(this.pageSize, this.idsPageSize) : this.pageSize;
    const end = offset + Math.min(size, Number(query.get("limit")));
    const next = end < rows.length ? String(end) : null;
    return json(200, { data: rows.slice(offset, end), next_cursor: next, has_more: next !== null });
  }
}

export const isList = ({ path, query }: Sent): boolean => path === "/meetings" && !query.has("id");
export const isByIds = ({ path, query }: Sent): boolean => path === "/meetings" && query.has("id");
export const isDocument = ({ path }: Sent): boolean => path.startsWith("/documents/");
export const isTranscript = ({ path }: Sent): boolean => path.endsWith("/transcript");

export const ids = (count: number): string[] => Array.from({ length: count }, (_, index) => `mtg_${index + 1}`);

/** A service, a store, and a run between them. */
export function smallAccount(...ids: string[]) {
  const service = new SmallService();
  for (const id of ids) service.add(id);
  const store: MemoryStore = memoryStore();
  const sync = (options: Partial<SyncOptions> = {}): Promise<SyncResult> =>
    ended(syncMeetings(service.notetaker, { into: store, ...options }));
  const textOf = (id: string) => store.meetings.get(id)?.transcript?.segments[0]?.text;
  return { service, store, sync, textOf };
}

/** Events that a test sends, for the option `wake`. */
export function eventQueue() {
  const queue: unknown[] = [];
  let wake = () => {};
  async function* events() {
    for (;;) {
      for (const event of queue.splice(0)) yield event;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }
  const send = (meetingId: string) => {
    queue.push({ meetingId });
    wake();
  };
  return { events: events(), send };
}

/** A run that follows, which a test stops. It fails the test if it ends by itself. */
export function follow({ service, store }: ReturnType<typeof smallAccount>, options: Partial<SyncOptions> = {}) {
  const killer = new AbortController();
  const { events, send } = eventQueue();
  const { signal } = killer;
  const running = syncMeetings(service.notetaker, { into: store, follow: true, wake: events, signal, ...options });
  running.catch(() => {});
  const stop = async () => {
    killer.abort(new Error("stopped"));
    await expect(settle(running)).rejects.toThrow("stopped");
  };
  return { event: send, stop };
}

/** What the store was told of the list last. */
export function healthOf(store: MemoryStore) {
  const told: { health?: StoreBatch["health"] } = {};
  const { write } = store;
  store.write = (batch, lock) => {
    told.health = batch.health ?? told.health;
    return write(batch, lock);
  };
  return told;
}
