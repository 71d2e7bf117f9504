/**
 * A service whose meetings change with time, and that does all that a service may do: its list moves while it is read, it
 * refuses cursors, repeats rows, ignores filters, fails, and makes pieces late or never.
 */
import { Random } from "./random.js";

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
export const SETTLE_MS = 6 * HOUR;
export const POLL_MS = 5 * MINUTE;

/** What becomes of a piece: it comes so long after the meeting was completed, or it fails for good. */
interface Piece {
  readonly readyAt: number;
  readonly failure?: "forbidden" | "broken" | "invalid" | undefined;
}

interface SimulatedDocument extends Piece {
  readonly id: string;
  /** The title changes, and the content with it, at this time. */
  readonly changesAt: number;
  readonly goneAt: number;
}

interface SimulatedMeeting {
  readonly id: string;
  readonly startTime: string | null | undefined;
  readonly listedAt: number;
  /** The statuses, each from a time on. */
  readonly statuses: readonly (readonly [at: number, status: string])[];
  readonly transcript: Piece;
  /** The transcript is another one from this time on, and `end_time` with it. */
  readonly correctedAt: number;
  readonly documents: readonly SimulatedDocument[];
  readonly deletedAt: number;
}

const NEVER = Number.POSITIVE_INFINITY;
const WORDS = ["Weekly", "Planning", "Ünïcode 会議", "x".repeat(80), "a\u0000b"];

export class HostileService {
  readonly random: Random;
  readonly meetings: SimulatedMeeting[] = [];
  /** Ids whose event is to be delivered, with the time. */
  readonly events: { readonly at: number; readonly id: string }[] = [];
  /** Nothing fails any more. */
  isHealed = false;
  requests = 0;
  readonly #pageSize: number;
  readonly #failureRate: number;
  readonly #refusalRate: number;
  readonly #oddRate: number;
  readonly #ignoresDates: boolean;
  readonly ignoresIds: boolean;
  /** The account is that of a colleague, whose meetings are others. */
  isOtherAccount = false;
  /** The most ids of a request: more of them answer 414, or take too long. */
  readonly #maxIds: number;
  /** A request by ids that names this one answers 500. */
  readonly #brokenId: string;
  /** The page of the list that begins here answers 500. */
  readonly #brokenOffset: number;
  /** Documents alone answer 429 until this time. */
  readonly #documentsLimitedUntil: number;
  /** A firewall answers everything but the list with 403, between these times. */
  readonly #firewall: readonly [from: number, until: number];
  readonly #ignoresExpand: number;
  readonly #repeats: boolean;

  constructor(seed: number, beganAt: number) {
    const random = new Random(seed);
    this.random = random;
    this.#pageSize = random.pick([2, 3, 7, 100]);
    this.#failureRate = random.pick([0, 0.02, 0.2]);
    this.#refusalRate = random.pick([0, 0, 0.05, 0.3]);
    this.#oddRate = random.pick([0, 0.1]);
    this.#ignoresDates = random.chance(0.2);
    this.ignoresIds = random.chance(0.15);
    this.#ignoresExpand = random.pick([0, 0, 0, 0.3]);
    this.#repeats = random.chance(0.3);
    this.#maxIds = random.pick([48, 48, 30, 3]);
    this.#brokenId = random.chance(0.2) ? `mtg_${random.integer(0, 10)}` : "";
    this.#brokenOffset = random.pick([-1, -1, 3, 7]);
    this.#documentsLimitedUntil = random.chance(0.1) ? beganAt + 2 * DAY : 0;
    this.#firewall = random.chance(0.2) ? [beganAt + DAY, beganAt + DAY + HOUR] : [0, 0];
    const count = random.integer(0, 25);
    for (let index = 0; index < count; index += 1) this.#addMeeting(index, beganAt);
  }

  get #others(): SimulatedMeeting[] {
    const readyAt = 0;
    return Array.from({ length: 30 }, (_, index) => ({
      id: `mtg_other_${index}`,
      startTime: "2026-03-09T10:00:00Z",
      listedAt: 0,
      statuses: [[0, "completed"]],
      transcript: { readyAt },
      correctedAt: NEVER,
      documents: [],
      deletedAt: NEVER,
    }));
  }

  #addMeeting(index: number, beganAt: number): void {
    const { random } = this;
    const startAt = beganAt + random.integer(-10 * DAY, 3 * DAY);
    const endAt = startAt + random.integer(5 * MINUTE, 2 * HOUR);
    const completedAt = endAt + random.integer(0, HOUR);
    const id = random.chance(0.03) ? `mtg_odd/${index}` : `mtg_${index}`;
    const times: (string | null | undefined)[] = [new Date(startAt).toISOString()];
    if (random.chance(0.1)) times.push(new Date(startAt).toISOString().slice(0, 19), null, undefined, "soon");
    if (random.chance(0.2)) times.push(new Date(beganAt - DAY).toISOString());
    const work = random.pick(["processing", "processing", "recording", "analysing"]);
    const last = random.pick(["completed", "completed", "completed", "completed", "failed"]);
    const listedAt = random.chance(0.5) ? startAt - DAY : endAt + random.integer(0, HOUR);
    const documents = Array.from({ length: random.integer(0, 2) }, (_, part) => ({
      id: `doc_${index}_${part}`,
      ...this.#piece(completedAt),
      changesAt: random.chance(0.1) ? completedAt + random.integer(0, 2 * DAY) : NEVER,
      goneAt: random.chance(0.1) ? completedAt + random.integer(0, 2 * DAY) : NEVER,
    }));
    const transcript = this.#piece(completedAt);
    this.meetings.push({
      id,
      startTime: random.pick(times),
      listedAt,
      statuses: [
        [Number.NEGATIVE_INFINITY, "scheduled"],
        [endAt, work],
        [completedAt, last],
      ],
      transcript,
      correctedAt: random.chance(0.1) ? completedAt + random.integer(SETTLE_MS, 2 * DAY) : NEVER,
      documents,
      deletedAt: random.chance(0.1) ? completedAt + random.integer(0, 3 * DAY) : NEVER,
    });
    if (random.chance(0.7)) this.events.push({ at: Math.max(transcript.readyAt, listedAt), id });
    if (random.chance(0.1)) this.events.push({ at: listedAt - MINUTE, id: `mtg_${index}` });
  }

  /** Late by less than the time for which it is asked for. */
  #piece(completedAt: number): Piece {
    const { random } = this;
    const readyAt = completedAt + random.pick([0, 0, random.integer(0, HOUR), random.integer(0, SETTLE_MS / 2)]);
    return {
      readyAt,
      failure: random.chance(0.08) ? random.pick(["forbidden", "broken", "invalid"] as const) : undefined,
    };
  }

  /** The rows as they are now, the newest first. Meetings without a time have none of their own. */
  listed(now: number): SimulatedMeeting[] {
    if (this.isOtherAccount) return this.#others;
    const key = ({ startTime }: SimulatedMeeting) => startTime ?? "";
    return this.meetings
      .filter(({ listedAt, deletedAt }) => listedAt <= now && now < deletedAt)
      .sort((left, right) => (key(left) < key(right) ? 1 : key(left) > key(right) ? -1 : 0));
  }

  statusOf({ statuses }: SimulatedMeeting, now: number): string {
    return statuses.findLast(([at]) => at <= now)?.[1] ?? "scheduled";
  }

  documentsOf({ documents }: SimulatedMeeting, now: number): SimulatedDocument[] {
    return documents.filter(({ readyAt, goneAt }) => readyAt <= now && now < goneAt);
  }

  rowOf(meeting: SimulatedMeeting, now: number): Record<string, unknown> {
    const status = this.statusOf(meeting, now);
    const isCompleted = status === "completed";
    return {
      id: meeting.id,
      title: isCompleted ? WORDS[meeting.id.length % WORDS.length] : null,
      status,
      source: "zoom",
      ...(meeting.startTime !== undefined && { start_time: meeting.startTime }),
      end_time: isCompleted ? (now >= meeting.correctedAt ? "2026-01-02T00:00:00Z" : "2026-01-01T00:00:00Z") : null,
      duration: isCompleted ? 60 : null,
      documents: this.documentsOf(meeting, now).map((document) => ({
        id: document.id,
        title: titleOf(document, now),
        created_at: "2026-01-01T00:00:00Z",
      })),
    };
  }

  transcriptOf(meeting: SimulatedMeeting, now: number): unknown {
    const text = now >= meeting.correctedAt ? "corrected" : "first";
    const segment = { speaker_id: "spk_1", start_time: 0, end_time: 1, text };
    return { meeting_id: meeting.id, language: "en", speakers: [{ id: "spk_1", name: "Ada" }], segments: [segment] };
  }

  documentOf(document: SimulatedDocument, now: number): unknown {
    const title = titleOf(document, now);
    return { id: document.id, title, format: "markdown", content: `# ${title}`, created_at: "2026-01-01T00:00:00Z" };
  }

  readonly fetch = async (input: string | URL | Request): Promise<Response> => {
    this.requests += 1;
    const url = new URL(input instanceof Request ? input.url : input);
    const path = url.pathname.replace("/v1", "");
    const failure = this.isHealed ? undefined : this.#failure();
    if (failure !== undefined) return failure;
    const now = Date.now();
    if (path === "/meetings") return this.#list(url.searchParams, now);
    if (!this.isHealed && now >= this.#firewall[0] && now < this.#firewall[1]) return HTML(403);
    const [, kind, id = ""] = /^\/(meetings|documents)\/([^/]+)/.exec(path) ?? [];
    if (!this.isHealed && this.random.chance(this.#oddRate)) return this.#oddPiece();
    if (kind === "meetings") return this.#transcript(decodeURIComponent(id), now);
    const isLimited = !this.isHealed && now < this.#documentsLimitedUntil;
    return isLimited ? LIMITED(60) : this.#document(id, now);
  };

  /** An answer to the request for a piece that says nothing of it. */
  #oddPiece(): Response {
    const kind = this.random.integer(0, 4);
    if (kind === 0) return json(200, { unexpected: true });
    if (kind === 1) return json(200, { meeting_id: "", language: "en", speakers: [], segments: [] });
    if (kind === 2) return json(200, []);
    return kind === 3 ? HTML(200) : json(202, { status: "processing" });
  }

  #failure(): Response | undefined {
    const { random } = this;
    if (!random.chance(this.#failureRate)) return undefined;
    const kind = random.integer(0, 7);
    if (kind === 6) return json(random.pick([409, 410, 413, 418, 431]), { error: { code: "odd", message: "odd" } });
    if (kind === 7) return random.chance(0.05) ? LIMITED(30 * 86_400) : HTML(random.pick([500, 504]));
    if (kind === 0) throw new TypeError("fetch failed");
    if (kind === 1) return json(429, { error: { code: "rate_limited", message: "slower" } }, { "retry-after": "2" });
    if (kind === 2) return new Response("<html>bad gateway</html>", { headers: { "content-type": "text/html" } });
    if (kind === 3) return new Response('{"data": [', { headers: { "content-type": "application/json" } });
    return json(kind === 4 ? 500 : 503, { error: { code: "internal_error", message: `failed: ${this.requests}` } });
  }

  #list(query: URLSearchParams, now: number): Response {
    const { random } = this;
    const ids = query.getAll("id");
    const cursor = query.get("cursor");
    if (cursor && !this.isHealed && random.chance(this.#refusalRate)) {
      return json(random.pick([400, 404, 422]), { error: { code: "bad_request", message: "cursor" } });
    }
    if (!this.isHealed && ids.length > this.#maxIds) return HTML(random.pick([414, 504]));
    if (!this.isHealed && ids.includes(this.#brokenId)) return HTML(500);
    if (!this.isHealed && ids.length === 0 && Number(cursor ?? 0) === this.#brokenOffset) return HTML(500);
    let meetings = this.listed(now);
    if (ids.length > 0 && !this.ignoresIds) meetings = meetings.filter(({ id }) => ids.includes(id));
    const [from, until] = [query.get("start_date"), query.get("end_date")];
    const isListed = ({ startTime }: SimulatedMeeting) => !startTime || !from || startTime.slice(0, 10) >= from;
    const isEarly = ({ startTime }: SimulatedMeeting) => !startTime || !until || startTime.slice(0, 10) <= until;
    if (!this.#ignoresDates) meetings = meetings.filter((meeting) => isListed(meeting) && isEarly(meeting));
    const offset = Number(cursor ?? 0);
    const size = Math.min(this.#pageSize, Number(query.get("limit") ?? 25));
    const rows: unknown[] = meetings.slice(offset, offset + size).map((meeting) => this.rowOf(meeting, now));
    const ignoresExpand = random.chance(this.#ignoresExpand) && !this.isHealed;
    if (ignoresExpand) for (const row of rows) delete (row as Record<string, unknown>).documents;
    for (const { documents } of rows as { documents?: unknown[] }[]) if (random.chance(0.5)) documents?.reverse();
    const odd = !this.isHealed && random.chance(this.#oddRate / 4) ? (rows[0] as { documents?: unknown[] }) : undefined;
    odd?.documents?.push(random.pick([null, 5, { title: "no id" }]));
    if (this.#repeats && rows.length > 0 && !this.isHealed) rows.push(rows[0]);
    if (random.chance(this.#oddRate) && !this.isHealed) rows.push(random.pick([null, 5, { title: "no id" }]));
    const next = offset + size < meetings.length ? String(offset + size) : null;
    return json(200, { data: rows, next_cursor: next, has_more: next !== null });
  }

  #transcript(id: string, now: number): Response {
    const meeting = this.listed(now).find((one) => one.id === id);
    if (meeting === undefined || now < meeting.transcript.readyAt) return NOT_FOUND();
    return failed(meeting.transcript) ?? json(200, this.transcriptOf(meeting, now));
  }

  #document(id: string, now: number): Response {
    const found = this.listed(now).flatMap((meeting) => this.documentsOf(meeting, now));
    const document = found.find((one) => one.id === id);
    return document === undefined ? NOT_FOUND() : (failed(document) ?? json(200, this.documentOf(document, now)));
  }
}

const titleOf = ({ id, changesAt }: SimulatedDocument, now: number) =>
  now >= changesAt ? `Final ${id}` : `Draft ${id}`;

const HTML = (status: number) =>
  new Response("<html>denied</html>", { status, headers: { "content-type": "text/html" } });
const LIMITED = (seconds: number) =>
  json(429, { error: { code: "rate_limited", message: "slower" } }, { "retry-after": String(seconds) });
const NOT_FOUND = () => json(404, { error: { code: "not_found", message: "resource not found" } });

function failed({ failure }: Piece): Response | undefined {
  if (failure === "forbidden") return json(403, { error: { code: "forbidden", message: "no" } });
  if (failure === "broken") return json(500, { error: { code: "internal_error", message: "broken" } });
  return failure === "invalid" ? json(200, { unexpected: true }) : undefined;
}

const json = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json", ...headers } });
