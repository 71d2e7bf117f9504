import * as z from "zod/mini";
import { Notetaker } from "../../client.js";
import { InvalidArgumentError } from "../../errors/argument-errors.js";
import { checkArgument } from "../../errors/check-arguments.js";
import type { NotetakerLike } from "../../notetaker-like.js";
import { enumOf, functionSchema, numberOf, optionsSchema, readonlyArray } from "../../schemas/primitives.js";
import { type PeriodOptions, periodIssues, readOptionsShape } from "../../sync/period.js";
import type { SqlDriver } from "../driver.js";
import { driverOf, type PGliteDatabase, type PostgresPool, type SqliteDatabase } from "../drivers.js";
import { timeText } from "../rows.js";
import { checkedSyntax, type SqlStoreOptions } from "../sql-store.js";
import { findPassages } from "./find-passages.js";
import { prepareIndex } from "./index-tables.js";
import { parseQuery } from "./query.js";
import { readHits, type SearchHit } from "./read-hits.js";
import { storedService } from "./stored-service.js";
import { type UpdateOptions, updateIndex } from "./update-passages.js";
import { wordsOf } from "./words.js";

/** Options of `archive.search`. */
export interface SearchOptions extends PeriodOptions {
  /** Only what this person said: words of the name. */
  speaker?: string | undefined;
  /** Only these meetings. */
  meetingIds?: readonly string[] | undefined;
  /** Only what was said (`transcripts`), or what was written about it (`documents`). Default: both. */
  in?: "transcripts" | "documents" | undefined;
  /** How many passages to return: 1 to 200. Default: 20. */
  limit?: number | undefined;
  /** How many passages of one meeting to return. Default: 3. */
  perMeeting?: number | undefined;
  /** Ends the search with the signal's reason. */
  signal?: AbortSignal | undefined;
}

/** The meetings that `syncMeetings` has stored in a database. It needs no network. */
export interface Archive {
  /**
   * The passages that fit best. The query has words, `"phrases"`, beginnings (`contr*`) and exclusions (`-draft`). What
   * has all the words comes first, and has `exact: true`; then what has beginnings of them; then what has some of them.
   * New meetings are indexed first: the first search of a large database may take minutes, see {@link Archive.update}.
   *
   * Rejects with `InvalidArgumentError` for a query that is empty, or an invalid option, and with `ConfigurationError` if
   * the database has no tables.
   *
   * @example
   * for (const { meeting, speaker, text } of await archive.search("renewal price", { since: "2026-01-01" })) { … }
   */
  search(query: string, options?: SearchOptions): Promise<SearchHit[]>;
  /** Indexes what is new. `search` does it as well; call it after a large first sync, to show its progress. */
  update(options?: UpdateOptions): Promise<{
    /** How many meetings this call indexed. */
    indexed: number;
  }>;
  /** The stored meetings and transcripts, with the client's parameters, pages and errors. */
  readonly meetings: Pick<NotetakerLike["meetings"], "list" | "get" | "getTranscript">;
  /** The stored documents, each in the formats that were stored. */
  readonly documents: Pick<NotetakerLike["documents"], "get" | "find">;
}

const count = (max: number) =>
  z.optional(
    numberOf((value) => Number.isInteger(value) && value >= 1 && value <= max, `an integer from 1 to ${max}`, [1, max]),
  );

const searchOptionsSchema = optionsSchema<SearchOptions>()({
  since: readOptionsShape.since,
  until: readOptionsShape.until,
  signal: readOptionsShape.signal,
  speaker: z.optional(z.string()),
  meetingIds: z.optional(readonlyArray(z.string())),
  in: z.optional(enumOf(["transcripts", "documents"])),
  limit: count(200),
  perMeeting: count(200),
});

const updateOptionsSchema = optionsSchema<UpdateOptions>()({
  signal: readOptionsShape.signal,
  onProgress: z.optional(functionSchema),
});

/** A day counts from its beginning to its end, in UTC. */
const timeOf = (moment: string | Date | undefined, ofDay: string) =>
  moment instanceof Date ? timeText(moment) : moment && `${moment}T${ofDay}Z`;

/**
 * Opens the meetings that `syncMeetings` has stored in a database, to search and to read them. Takes what the stores
 * take: `DatabaseSync` of `node:sqlite`, `Database` of better-sqlite3 or bun:sqlite (SQLite 3.43 or later), a `Pool` of
 * pg, a `PGlite`, or a {@link SqlDriver}. Guide: docs/search.md.
 *
 * @throws {InvalidArgumentError} {@link InvalidArgumentError} if `database` is none of these, or an option is invalid
 *
 * @example
 * const archive = openArchive(new DatabaseSync("meetings.sqlite"));
 * const hits = await archive.search("renewal price", { speaker: "Ada" });
 */
export function openArchive(
  database: SqliteDatabase | PostgresPool | PGliteDatabase | SqlDriver,
  options: SqlStoreOptions = {},
): Archive {
  const driver = driverOf("openArchive", database);
  const { syntax, account } = checkedSyntax("openArchive", driver, options);
  let prepared: Promise<void> | undefined;
  const prepare = () => {
    prepared ??= prepareIndex(driver, syntax).catch((error) => {
      prepared = undefined;
      throw error;
    });
    return prepared;
  };
  const update = async (updateOptions: UpdateOptions = {}) => {
    checkArgument("archive.update", updateOptionsSchema, updateOptions);
    await prepare();
    return { indexed: await updateIndex(driver, syntax, account, updateOptions) };
  };
  const search = async (text: string, searchOptions: SearchOptions = {}): Promise<SearchHit[]> => {
    checkSearch(text, searchOptions);
    const { since, until, speaker, meetingIds, limit = 20, perMeeting = 3, signal } = searchOptions;
    await update({ signal });
    if (speaker !== undefined && wordsOf(speaker).length === 0) return [];
    const filter = {
      ...{ account, speaker, meetingIds, in: searchOptions.in, limit, perMeeting },
      since: timeOf(since, "00:00:00.000"),
      until: timeOf(until, "23:59:59.999"),
    };
    const found = await findPassages(driver, syntax, parseQuery(text), filter, signal);
    return readHits(driver, syntax, account, found);
  };
  const idsOf = async (question: string) =>
    (await search(question, { limit: 200, perMeeting: 1 })).map(({ meeting }) => meeting.id);
  const answer = storedService({ driver, syntax, account }, idsOf);
  const { meetings, documents } = new Notetaker({
    ...{ baseUrl: "https://archive.invalid/v1", token: "archive", validation: "off", maxRetries: 0 },
    fetch: async (url) => {
      await prepare();
      return answer(String(url));
    },
  });
  return {
    search,
    update,
    meetings: {
      list: meetings.list.bind(meetings),
      get: meetings.get.bind(meetings),
      getTranscript: meetings.getTranscript.bind(meetings),
    } as Archive["meetings"],
    documents: { get: documents.get.bind(documents), find: documents.find.bind(documents) } as Archive["documents"],
  };
}

function checkSearch(query: unknown, options: SearchOptions): void {
  const fail = (path: string, code: "wrong_type" | "too_short", message: string) => {
    throw new InvalidArgumentError({ operation: "archive.search", issues: [{ path, code, message }] });
  };
  if (typeof query !== "string") fail("query", "wrong_type", "expected a text");
  else if (query.trim() === "") fail("query", "too_short", "expected words, a phrase or the beginning of a word");
  checkArgument("archive.search", searchOptionsSchema, options);
  const issues = periodIssues(options);
  if (issues.length > 0) throw new InvalidArgumentError({ operation: "archive.search", issues });
}
