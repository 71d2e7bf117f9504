/**
 * Stores for `syncMeetings` in SQLite, Postgres and other SQL databases.
 *
 * @module notetaker-sdk/sql
 */
export type { SqlDriver, SqlRows, SqlStatement } from "./driver.js";
export {
  type PGliteDatabase,
  type PostgresClient,
  type PostgresPool,
  type PostgresPoolClient,
  postgresStore,
  type SqliteDatabase,
  type SqlitePreparedStatement,
  sqliteStore,
} from "./drivers.js";
export { type SqlStoreOptions, sqlStore } from "./sql-store.js";
