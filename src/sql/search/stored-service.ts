/** Answers the client's requests from the database, so that an archive has the client's methods, pages and errors. */
import { ASSUMED_QUERY } from "../../assumptions.js";
import { fromBase64Url, toBase64Url } from "../../json/base64url.js";
import { isRecord } from "../../json/is-record.js";
import { parseJson } from "../../json/parse-json.js";
import type { SqlDriver } from "../driver.js";
import type { Syntax } from "../syntax.js";

/** A request for something that is not stored is answered as the service does. */
const notFound = (message: string) => Response.json({ error: { code: "not_found", message } }, { status: 404 });

/** How many rows of the list are read at once. */
const ROWS = 200;
const DEFAULT_LIMIT = 50;

interface ListedRow {
  readonly id: string;
  readonly meeting: string;
  readonly at: string;
}

interface StoredDocument {
  readonly id: string;
  readonly title: string | null;
  readonly created_at: string | null;
  readonly format: string;
  readonly content: string;
}

function statementsOf({ statement, texts, types }: Syntax) {
  // A meeting without a readable time comes last.
  const at = `coalesce(started_at, CAST('0001-01-01T00:00:00.000Z' AS ${types.time}))`;
  return {
    list: statement(
      `SELECT id, CAST(meeting AS text) AS meeting, CAST(${at} AS text) AS at FROM notetaker_meetings
      WHERE account = ? AND (? IS NULL OR (${at}, id) < (CAST(? AS ${types.time}), ?)) AND (? IS NULL OR id IN (${texts}))
      ORDER BY ${at} DESC, id DESC LIMIT ${ROWS}`,
    ),
    transcript: statement(
      "SELECT CAST(transcript AS text) AS transcript FROM notetaker_meetings WHERE account = ? AND id = ?",
    ),
    ofMeetings: statement(
      `SELECT DISTINCT meeting_id, id, title, created_at FROM notetaker_documents
      WHERE account = ? AND meeting_id IN (${texts}) ORDER BY created_at, id`,
    ),
    document: statement(
      `SELECT id, title, created_at, format, content FROM notetaker_documents
      WHERE account = ? AND id = ? AND (? IS NULL OR format = ?)
      ORDER BY CASE format WHEN 'html' THEN 1 WHEN 'markdown' THEN 2 WHEN 'raw' THEN 3 ELSE 4 END, meeting_id LIMIT 1`,
    ),
  };
}

/** A `fetch` that reads the database. `idsOf` finds the meetings that a question is about. */
export function storedService(
  { driver, syntax, account }: { driver: SqlDriver; syntax: Syntax; account: string },
  idsOf: (question: string) => Promise<readonly string[]>,
): (url: string) => Promise<Response> {
  const sql = statementsOf(syntax);
  const all = async <Row>(statement: string, ...params: (string | null)[]) =>
    (await driver.all(statement, [account, ...params])) as readonly Row[];

  /** The ids that the list is asked for, by themselves or by a question; `null` for all meetings. */
  async function idsIn(query: URLSearchParams): Promise<string | null> {
    const question = query.get("q");
    const asked = question === null ? undefined : await idsOf(question);
    const wanted = query.getAll(ASSUMED_QUERY.meetings.ids).flatMap((ids) => ids.split(","));
    if (wanted.length === 0) return asked === undefined ? null : JSON.stringify(asked);
    return JSON.stringify(wanted.filter((id) => asked?.includes(id) ?? true));
  }

  /** All meetings behind a position, the newest first. */
  async function* rowsAfter(from: Position, ids: string | null): AsyncGenerator<{ row: unknown; position: Position }> {
    for (let position = from; ; ) {
      const rows = await all<ListedRow>(sql.list, position[0], ...position, ids, ids);
      for (const { id, meeting, at } of rows) {
        position = [at, id];
        yield { row: parseJson(meeting), position };
      }
      if (rows.length < ROWS) return;
    }
  }

  async function list(query: URLSearchParams): Promise<Response> {
    const limit = Number(query.get("limit") ?? DEFAULT_LIMIT);
    const data: Record<string, unknown>[] = [];
    let last = cursorOf(query.get("cursor"));
    for await (const { row, position } of rowsAfter(last, await idsIn(query))) {
      if (!isRecord(row) || !isWanted(row, query)) continue;
      if (data.length === limit) return page(data, query, toBase64Url(JSON.stringify(last)));
      data.push(row);
      last = position;
    }
    return page(data, query, null);
  }

  async function page(data: Record<string, unknown>[], query: URLSearchParams, next_cursor: string | null) {
    if (query.getAll("expand").join().includes("documents")) {
      const ids = JSON.stringify(data.map(({ id }) => id));
      const documents = await all<StoredDocument & { meeting_id: string }>(sql.ofMeetings, ids);
      for (const row of data) {
        row.documents = documents
          .filter(({ meeting_id }) => meeting_id === row.id)
          .map(({ id, title, created_at }) => ({ id, title, created_at }));
      }
    }
    return Response.json({ data, next_cursor, has_more: next_cursor !== null });
  }

  async function transcript(id: string): Promise<Response> {
    const [row] = await all<{ transcript: string | null }>(sql.transcript, id);
    if (row?.transcript == null) return notFound("the meeting has no stored transcript, or is not stored");
    return new Response(row.transcript, { headers: { "Content-Type": "application/json" } });
  }

  async function document(id: string, format: string | null): Promise<Response> {
    const [found] = await all<StoredDocument>(sql.document, id, format, format);
    return found === undefined ? notFound("the document is not stored, or not in this format") : Response.json(found);
  }

  return async (url) => {
    const { pathname, searchParams } = new URL(url);
    const [, , resource, id = ""] = pathname.split("/").map(decodeURIComponent);
    if (resource === "documents") return document(id, searchParams.get("format"));
    return id === "" ? list(searchParams) : transcript(id);
  };
}

/** The time and the id of a meeting. */
type Position = readonly [string | null, string | null];

function cursorOf(cursor: string | null): Position {
  const value = cursor === null ? undefined : parseJson(fromBase64Url(cursor) ?? "");
  const [at, id]: unknown[] = Array.isArray(value) ? value : [];
  return typeof at === "string" && typeof id === "string" ? [at, id] : [null, null];
}

/** Whether a stored meeting fits the filters of the list. What they mean at the service is documented, not specified. */
function isWanted(meeting: Record<string, unknown>, query: URLSearchParams): boolean {
  const lower = (value: unknown) => (typeof value === "string" ? value.toLowerCase() : "");
  const people: unknown[] = Array.isArray(meeting.participants) ? meeting.participants : [];
  const has = (wanted: string, ...names: string[]) =>
    people.some((person) => isRecord(person) && names.some((name) => lower(person[name]).includes(lower(wanted))));
  const day = lower(meeting.start_time).slice(0, 10);
  const rules: Readonly<Record<string, (wanted: string) => boolean>> = {
    status: (wanted) => meeting.status === wanted,
    search: (wanted) => lower(meeting.title).includes(lower(wanted)),
    start_date: (wanted) => day >= wanted,
    end_date: (wanted) => day <= wanted && day !== "",
    participant: (wanted) => has(wanted, "name", "email"),
    company: (wanted) => has(wanted, "company", "email"),
    room_id: (wanted) => meeting.room_id === wanted,
  };
  return Object.entries(rules).every(([name, holds]) => {
    const wanted = query.get(name);
    return wanted === null || holds(wanted);
  });
}
