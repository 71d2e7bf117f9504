import * as z from "zod/mini";
import { checkArgument } from "../../errors/check-arguments.js";
import type { NotetakerLike } from "../../notetaker-like.js";
import type { SqlDriver } from "../driver.js";
import { driverOf, type PGliteDatabase, type PostgresPool, type SqliteDatabase } from "../drivers.js";
import { type SqlStoreOptions, storedAccount } from "../stored-account.js";
import { checkSearch, findPassages, type SearchOptions } from "./find-passages.js";
import { prepareIndex } from "./index-tables.js";
import { parseQuery } from "./query.js";
import { readHits, type SearchHit } from "./read-hits.js";
import { storedMeetings } from "./stored-meetings.js";
import { type UpdateOptions, updateIndex, updateOptions } from "./update-passages.js";

/** The meetings that `syncMeetings` has stored in a database. It needs no network. */
export interface Archive {
  /**
   * The passages that fit best. The query has words, `"phrases"`, beginnings (`contr*`) and exclusions (`-draft`). What
   * has all the words comes first, and has `exact: true`; then what has beginnings of them; then what has some of them.
   * New meetings are indexed first: the first search of a large database may take minutes, see {@link Archive.update}.
   *
   * Rejects with `InvalidArgumentError` for a query that is empty, or an invalid option, and with `ConfigurationError` if
   * the database has no tables, or texts that were changed by hand since they were indexed.
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

const updateOptionsSchema = z.strictObject(updateOptions);

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
  const stored = storedAccount("openArchive", driverOf("openArchive", database), options, prepareIndex);
  const search = async (query: string, searchOptions: SearchOptions = {}): Promise<SearchHit[]> => {
    checkSearch("archive.search", query, searchOptions);
    await updateIndex(stored, searchOptions);
    return readHits(stored, await findPassages(stored, parseQuery(query), searchOptions));
  };
  const idsOf = async (question: string) =>
    (await search(question, { limit: 200, perMeeting: 1 })).map(({ meeting }) => meeting.id);
  return {
    search,
    async update(options = {}) {
      checkArgument("archive.update", updateOptionsSchema, options);
      return { indexed: await updateIndex(stored, options) };
    },
    ...storedMeetings(stored, idsOf),
  };
}
