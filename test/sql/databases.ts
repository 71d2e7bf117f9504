/** Databases for the tests, and what they promise: the same in each. */
import type { MeetingStore } from "notetaker-sdk";
import {
  type openArchive,
  type PostgresPool,
  postgresStore,
  type SqliteDatabase,
  sqliteStore,
} from "notetaker-sdk/sql";
import { storeContract } from "../sync/store/store-contract.js";
import { searchContract } from "./search/search-contract.js";
import { tablesContract } from "./tables-contract.js";
import { readMeeting } from "./visible.js";

export interface OpenedDatabase {
  /** The value for `openArchive`. */
  readonly database: Parameters<typeof openArchive>[0];
  /** A store of this account over the database, which is empty at first. */
  store(account?: string): MeetingStore;
  query(sql: string): Promise<Record<string, unknown>[]>;
  /** Moves the end of the lease by so many seconds, as if the clock of the database had moved the other way. */
  moveLease(seconds: number): Promise<unknown>;
  close(): Promise<void>;
}

export function openedSqlite(database: SqliteDatabase & { close(): void }): OpenedDatabase {
  const query = async (sql: string) => {
    const rows = database.prepare(sql).all() as object[];
    return rows.map((row) => ({ ...row }));
  };
  return {
    database,
    store: (account) => sqliteStore(database, { account }),
    query,
    moveLease: (seconds) =>
      query(`UPDATE notetaker_accounts
        SET held_until = strftime('%Y-%m-%dT%H:%M:%fZ', held_until, '${seconds} seconds')`),
    close: async () => database.close(),
  };
}

export function openedPostgres(database: Parameters<typeof postgresStore>[0], close = async () => {}): OpenedDatabase {
  const query = async (sql: string) => (await (database as PostgresPool).query(sql)).rows as Record<string, unknown>[];
  return {
    database,
    store: (account) => postgresStore(database, { account }),
    query,
    moveLease: (seconds) =>
      query(`UPDATE notetaker_accounts SET held_until = held_until + interval '${seconds} seconds'`),
    close,
  };
}

/** All that a database promises. `open` opens an empty one, for each test. */
export function databaseContract(name: string, open: () => Promise<OpenedDatabase>): void {
  storeContract(`a store in ${name}`, async () => {
    const { store, query, close } = await open();
    return { store: store(), another: () => store(), read: (id) => readMeeting(query, id), close };
  });
  tablesContract(`tables in ${name}`, open);
  searchContract(`an archive in ${name}`, open);
}
