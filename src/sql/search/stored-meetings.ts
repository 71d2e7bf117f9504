/** The reading methods of the client, with its parameters, pages and errors, over what is stored. */
import * as z from "zod/mini";
import { documentTitles, wireNames } from "../../assumptions.js";
import { throwIfAborted } from "../../async/abort.js";
import { getDocument } from "../../endpoints/documents.js";
import { getTranscript, listMeetings } from "../../endpoints/meetings.js";
import { NotFoundError } from "../../errors/api-error.js";
import { InvalidArgumentError } from "../../errors/argument-errors.js";
import { checkArgument } from "../../errors/check-arguments.js";
import { oneLine } from "../../errors/one-line.js";
import { isRecord } from "../../json/is-record.js";
import { parseJson } from "../../json/parse-json.js";
import { list } from "../../lists/list.js";
import type { NotetakerLike } from "../../notetaker-like.js";
import { Documents } from "../../resources/documents.js";
import { getById } from "../../resources/get-by-id.js";
import { type IdKind, idIssues, type MeetingId } from "../../schemas/ids.js";
import { type MeetingListParams, meetingGetParamsSchema } from "../../schemas/meeting-list.js";
import { custom } from "../../schemas/primitives.js";
import { ApiPromise } from "../../transport/api-promise.js";
import type { Operation } from "../../transport/operation.js";
import { type RequestOptions, requestOptionsSchema } from "../../transport/request-options.js";
import type { Transport } from "../../transport/transport.js";
import { isStorable, timeText } from "../rows.js";
import type { StoredAccount } from "../stored-account.js";

/** How many rows of the list are read at once. */
const ROWS = 200;
const DEFAULT_LIMIT = 50;

type Row = Readonly<Record<string, unknown>>;

/** The time and the id of a meeting. */
type Position = readonly [at: string, id: string];
const positionSchema = z.tuple([z.string(), z.string()]);
const isCursor = (cursor: unknown) => {
  const [at, id] = z.safeParse(positionSchema, parseJson(String(cursor))).data ?? ["", ""];
  return !Number.isNaN(Date.parse(at)) && timeText(new Date(at)) === at && isStorable(id);
};
const cursorSchema = z.looseObject({ cursor: custom(isCursor, "a next_cursor of this archive") });

/** Finds the meetings that a question is about. */
type IdsOf = (question: string) => Promise<readonly string[]>;

/** What the service would answer to a request of this path; `undefined` if it is not stored. */
type Answers = Readonly<Record<string, (params: never) => Promise<unknown>>>;

function answersOf({ driver, syntax, account }: StoredAccount, idsOf: IdsOf): Answers {
  const { statement, texts, types, isoTime } = syntax;
  const all = async (sql: string, ...params: (string | null)[]) =>
    (await driver.all(statement(sql), [account, ...params])) as readonly Row[];
  // A meeting without a readable time comes last.
  const at = `coalesce(started_at, CAST('0001-01-01T00:00:00.000Z' AS ${types.time}))`;
  const list = `SELECT id, CAST(meeting AS text) AS meeting, ${isoTime(at)} AS at FROM notetaker_meetings
    WHERE account = ? AND (? IS NULL OR (${at}, id) < (CAST(? AS ${types.time}), ?)) AND (? IS NULL OR id IN (${texts}))
    ORDER BY ${at} DESC, id DESC LIMIT ${ROWS}`;

  async function withDocuments(rows: readonly Row[]): Promise<readonly Row[]> {
    const stored = await all(
      `SELECT DISTINCT meeting_id, id, title, created_at FROM notetaker_documents
      WHERE account = ? AND meeting_id IN (${texts}) ORDER BY created_at, id`,
      JSON.stringify(rows.map(({ id }) => id)),
    );
    const documentsOf = ({ id }: Row) =>
      stored.flatMap(({ meeting_id, ...document }) => (meeting_id === id ? document : []));
    return rows.map((row) => ({ ...row, documents: documentsOf(row) }));
  }

  async function wantedIds({ ids, q }: MeetingListParams): Promise<string | null> {
    const found = q === undefined ? ids : (await idsOf(q)).filter((id) => ids?.includes(id as MeetingId) ?? true);
    return found === undefined ? null : JSON.stringify(found);
  }

  /** The meetings that fit, the newest first, each with the position before it. */
  async function* rowsOf(params: MeetingListParams) {
    const wanted = await wantedIds(params);
    for (let position = positionOf(params.cursor); ; ) {
      const [time = null, last = null] = position ?? [];
      const read = await all(list, time, time, last, wanted, wanted);
      for (const { id, meeting, at } of read) {
        const row = parseJson(String(meeting));
        if (isWanted(row, params)) yield { row, before: position };
        position = [String(at), String(id)];
      }
      if (read.length < ROWS) return;
    }
  }

  return {
    async [listMeetings.path](params: MeetingListParams) {
      const { limit = DEFAULT_LIMIT, expand = [] } = params;
      const rows: Row[] = [];
      let next_cursor: string | null = null;
      for await (const { row, before } of rowsOf(params)) {
        if (rows.length === limit) {
          next_cursor = JSON.stringify(before);
          break;
        }
        rows.push(row);
      }
      const data = expand.includes("documents") ? await withDocuments(rows) : rows;
      return { data, next_cursor, has_more: next_cursor !== null };
    },
    async [getTranscript.path]({ meetingId }: { meetingId: string }) {
      const sql = "SELECT CAST(transcript AS text) AS transcript FROM notetaker_meetings WHERE account = ? AND id = ?";
      const [row] = await all(sql, meetingId);
      return parseJson(String(row?.transcript)) ?? undefined;
    },
    async [getDocument.path]({ documentId, format = null }: { documentId: string; format?: string | null }) {
      const sql = `SELECT id, title, created_at, format, content FROM notetaker_documents
        WHERE account = ? AND id = ? AND (? IS NULL OR format = ?)
        ORDER BY CASE format WHEN 'html' THEN 1 WHEN 'markdown' THEN 2 WHEN 'raw' THEN 3 ELSE 4 END, meeting_id LIMIT 1`;
      const [document] = await all(sql, documentId, format, format);
      return document;
    },
  };
}

export function storedMeetings(stored: StoredAccount, idsOf: IdsOf) {
  const answers = answersOf(stored, idsOf);
  async function call(operation: Operation<unknown>, options: RequestOptions = {}) {
    const { name, path, ids = {}, query, params = {}, addedParams, read } = operation;
    checkArgument(name, operation.options ?? requestOptionsSchema, options);
    throwIfAborted(options.signal);
    if (query !== undefined) checkArgument(name, query, params);
    const issues = [
      ...Object.entries(ids).flatMap(([kind, id]) => idIssues(kind as IdKind, id)),
      ...refusedFilters(params as MeetingListParams, options),
    ];
    if (issues.length > 0) throw new InvalidArgumentError({ operation: name, issues });
    const body = await answers[path]?.({ ...ids, ...(params as object), ...addedParams } as never);
    if (body === undefined) {
      const { format } = params as { format?: string };
      const inFormat = format === undefined ? "" : `, or not as ${format}`;
      throw new NotFoundError({ message: `${name}: ${oneLine(Object.values(ids).join())} is not stored${inFormat}` });
    }
    const context = { params, isChecked: false, attempts: 1 };
    const data = read === undefined ? body : (await read(body, context)).data;
    return { data, response: Response.json(body), rateLimit: undefined };
  }

  /** In place of that of the client: it sends nothing. */
  const transport = {
    config: { names: wireNames(), documentTitles: documentTitles() },
    call,
    send: (...args: Parameters<typeof call>) => new ApiPromise(call(...args)),
  } as unknown as Transport;
  const ofMeeting = (meetingId: string) => ({ ids: { meetingId } });
  return {
    meetings: {
      list: (params = {}, options) => list(transport, { ...listMeetings, params }, options),
      get: (id, params = {}, options) =>
        getById(
          transport,
          { ...listMeetings, ...ofMeeting(id), name: "meetings.get", query: meetingGetParamsSchema, params },
          options,
        ),
      getTranscript: (id, options) => transport.send({ ...getTranscript, ...ofMeeting(id) }, options),
    } as Pick<NotetakerLike["meetings"], "list" | "get" | "getTranscript">,
    documents: new Documents(transport),
  };
}

function positionOf(cursor: string | undefined): Position | undefined {
  if (cursor === undefined) return undefined;
  checkArgument("meetings.list", cursorSchema, { cursor });
  return parseJson(cursor) as Position;
}

/** The filters of the service that are about what is not stored. */
const refusedFilters = ({ room_id, scope = "all" }: MeetingListParams, { query }: RequestOptions) =>
  Object.entries({ room_id, scope: scope === "all" ? undefined : scope, query })
    .filter(([, value]) => value !== undefined)
    .map(([path]) => ({ path, message: "an archive has nothing to compare it with" }));

/** Whether a stored meeting fits the filters of the list. What they mean at the service is documented, not specified. */
function isWanted(meeting: unknown, params: MeetingListParams): meeting is Row {
  if (!isRecord(meeting)) return false;
  const { status, search = "", start_date = "", end_date, participant, company } = params;
  const has = (value: unknown, wanted: string) =>
    String(value ?? "")
      .toLowerCase()
      .includes(wanted.toLowerCase());
  const people: unknown[] = Array.isArray(meeting.participants) ? meeting.participants : [];
  const isAmong = (wanted: string | undefined, ...names: string[]) =>
    wanted === undefined || people.some((one) => isRecord(one) && names.some((name) => has(one[name], wanted)));
  const day = String(meeting.start_time ?? "").slice(0, 10);
  return (
    (meeting.status === status || status === undefined) &&
    has(meeting.title, search) &&
    day >= start_date &&
    (end_date === undefined || (day <= end_date && day !== "")) &&
    isAmong(participant, "name", "email") &&
    isAmong(company, "company", "email")
  );
}
