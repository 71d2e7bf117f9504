/**
 * `notetaker-sdk/sql`: stores for `syncMeetings` in SQLite and Postgres, and in databases that understand one of them.
 *
 * @module notetaker-sdk/sql
 */

export { forgetMeetings } from "../sync/forget-meetings.js";
export type { SqlDriver, SqlRows, SqlStatement } from "./driver.js";
export {
  type PGliteDatabase,
  type PostgresClient,
  type PostgresPool,
  type PostgresPoolClient,
  postgresStore,
  type SqliteDatabase,
  sqliteStore,
} from "./drivers.js";
export { type Archive, openArchive } from "./search/archive.js";
export type { SearchOptions } from "./search/find-passages.js";
export type { SearchHit } from "./search/read-hits.js";
export type { IndexProgress, UpdateOptions } from "./search/update-passages.js";
export { sqlStore } from "./sql-store.js";
export type { SqlStoreOptions } from "./stored-account.js";
