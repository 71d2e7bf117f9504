import * as z from "zod/mini";
import { MINUTE_MS, renewEvery } from "../async/timers.js";
import { InvalidArgumentError } from "../errors/argument-errors.js";
import { checkArgument } from "../errors/check-arguments.js";
import { enumOf, objectWith } from "../schemas/primitives.js";
import {
  type HeldStore,
  type MeetingStore,
  type RemovedItem,
  type StoreBatch,
  type StoreItem,
  type StoreLock,
  StoreLockLostError,
} from "../sync/store.js";
import type { SqlDriver, SqlRows, SqlStatement } from "./driver.js";
import { documentRow, isStorable, jsonParameter, meetingRow, parametersOf, storable, timeText } from "./rows.js";
import { statementsOf } from "./statements.js";
import { type SqlStoreOptions, type StoredAccount, storedAccount } from "./stored-account.js";
import { prepareTables } from "./tables.js";

const driverSchema = z.looseObject({
  driver: objectWith("all", "transaction"),
  dialect: enumOf(["sqlite", "postgres"]),
});

/**
 * A store in a database of which you bring the driver. {@link sqliteStore} and {@link postgresStore} bring their own.
 * The tables are made when the store is first used; docs/database.md describes them.
 *
 * @throws {InvalidArgumentError} {@link InvalidArgumentError} if the driver or an option is invalid
 *
 * @example
 * const store = sqlStore({
 *   dialect: "sqlite",
 *   all: async (sql, params) => (await env.DB.prepare(sql).bind(...params).all()).results,
 *   transaction: async (statements) =>
 *     (await env.DB.batch(statements.map(({ sql, params }) => env.DB.prepare(sql).bind(...params)))).map(
 *       ({ results }) => results,
 *     ),
 * });
 */
export function sqlStore(driver: SqlDriver, options: SqlStoreOptions = {}): MeetingStore {
  checkArgument("sqlStore", driverSchema, { driver, dialect: driver?.dialect });
  return storeOver("sqlStore", driver, options);
}

/** @throws {InvalidArgumentError} {@link InvalidArgumentError} if an option is unknown or invalid */
export const storeOver = (operation: string, driver: SqlDriver, options: SqlStoreOptions): MeetingStore =>
  new SqlStore(storedAccount(operation, driver, options, prepareTables));

const timeOrNull = (time: Date | undefined) => (time === undefined ? null : timeText(time));
const textOrNull = (text: string | undefined) => (text === undefined ? null : storable(text));
const keyOf = ({ id, before }: StoreItem | RemovedItem) => ({ id, before });

class SqlStore implements MeetingStore {
  readonly #stored: StoredAccount;
  readonly #sql: ReturnType<typeof statementsOf>;

  constructor(stored: StoredAccount) {
    this.#stored = stored;
    this.#sql = statementsOf(stored.syntax);
  }

  async lock(): Promise<StoreLock | HeldStore> {
    const { driver, account } = this.#stored;
    const holder = crypto.randomUUID();
    const [, taken, held] = await driver.transaction([
      { sql: this.#sql.addAccount, params: [account] },
      { sql: this.#sql.takeLease, params: [holder, account] },
      { sql: this.#sql.readLease, params: [account] },
    ]);
    if (taken?.length === 0) return { heldUntil: new Date(textsOf("held_until", held)[0] ?? Date.now()) };
    const { renewLease, endLease } = this.#sql;
    const stopRenewing = renewEvery(MINUTE_MS, async () => {
      // A failure is ignored: the next renewal, or the next write, tries again.
      const rows = await this.#all(renewLease, holder).catch(() => undefined);
      if (rows?.length === 0) stopRenewing();
    });
    const release = async () => {
      stopRenewing();
      await this.#all(endLease, holder);
    };
    const lease: Lease = { holder, release };
    return lease;
  }

  async readState(): Promise<string | undefined> {
    return textsOf("state", await this.#all(this.#sql.readState))[0];
  }

  async readMemory(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const found = new Map<string, string>();
    for (const part of parametersOf(ids.filter(isStorable))) {
      const rows = await this.#all(this.#sql.readMemory, part);
      for (const { id, memory } of rows as readonly { id: string; memory: string }[]) found.set(id, memory);
    }
    return found;
  }

  async due(until: Date, max: number): Promise<readonly string[]> {
    return textsOf("id", await this.#all(this.#sql.due, timeText(until), String(max)));
  }

  async ids(after: string | undefined, max: number): Promise<readonly string[]> {
    return textsOf("id", await this.#all(this.#sql.ids, after ?? "", String(max)));
  }

  async write(batch: StoreBatch, lock: StoreLock | undefined): Promise<readonly string[]> {
    checkKeys(batch);
    const statements = [...this.#statements(batch, lock)];
    const results = await this.#stored.driver.transaction(statements);
    const resultOf = (...texts: string[]) =>
      results.filter((_, index) => texts.includes(statements[index]?.sql ?? "")).flat();
    const { beginWrite, writeMemory, removeMemory } = this.#sql;
    if (resultOf(beginWrite).length === 0) throw new StoreLockLostError("another run has the store");
    const written = new Set(textsOf("id", resultOf(writeMemory, removeMemory)));
    return [...batch.items, ...batch.removed].map(({ id }) => id).filter((id) => !written.has(id));
  }

  *#statements({ state, nextAt, health, items, removed }: StoreBatch, lock?: StoreLock): Generator<SqlStatement> {
    const sql = this.#sql;
    const { account } = this.#stored;
    // Whoever has lost the lease must not make the row of an account that was deleted.
    if (lock === undefined) yield { sql: sql.addAccount, params: [account] };
    const holder = holderOf(lock);
    const held = [account, holder];
    yield { sql: sql.beginWrite, params: [textOrNull(state), timeOrNull(nextAt), holder, ...held] };
    if (health !== undefined) {
      const times = [health.polledAt, health.failingSince].map(timeOrNull);
      yield { sql: sql.writeHealth, params: [...times, textOrNull(health.error), ...held] };
    }
    for (const [text, rows, ...more] of this.#changes(items, removed)) {
      for (const part of parametersOf(rows)) yield { sql: text, params: [...held, part, ...more] };
    }
  }

  /** Each statement with its rows, which are passed in as many parts as are needed, and its further parameters. */
  *#changes(
    items: readonly StoreItem[],
    removed: readonly RemovedItem[],
  ): Generator<readonly [sql: string, rows: readonly unknown[], ...more: string[]]> {
    const sql = this.#sql;
    const { dialect } = this.#stored.syntax;
    yield [sql.writeMeetings, items.map((item) => meetingRow(dialect, item))];
    for (const item of items) {
      if (item.transcript === undefined) continue;
      yield [sql.writeTranscript, [keyOf(item)], jsonParameter(dialect, item.transcript)];
    }
    const gone = items.flatMap((item) => item.documentsGone.map((document_id) => ({ ...keyOf(item), document_id })));
    yield [sql.removeDocuments, gone];
    yield [sql.writeDocuments, items.flatMap((item) => item.documents.map((document) => documentRow(item, document)))];
    const keys = removed.map(keyOf);
    // Documents go first: a foreign key of the user may refer to the meeting.
    yield [sql.removeAllDocuments, keys];
    yield [sql.removeMeetings, keys];
    // The memory comes last: all statements before compare the one that was stored.
    yield [sql.removeMemory, removed.filter(({ memory }) => memory === undefined).map(keyOf)];
    yield [
      sql.writeMemory,
      items.map((item) => ({ ...keyOf(item), memory: item.memory, due_at: timeOrNull(item.dueAt) })),
    ];
    yield [sql.writeMemory, removed.filter(({ memory }) => memory !== undefined)];
  }

  #all(sql: string, ...params: string[]) {
    const { driver, account } = this.#stored;
    return driver.all(sql, [account, ...params]) as Promise<SqlRows>;
  }
}

/** A lock that is a lease in the row of the account. */
interface Lease extends StoreLock {
  readonly holder: string;
}

/** `null` without a lock. No account has the holder of a lock that is not of a store in a database. */
const holderOf = (lock: StoreLock | undefined) => (lock === undefined ? null : ((lock as Partial<Lease>).holder ?? ""));

/** The texts in one column. */
function textsOf(column: string, rows: SqlRows = []): string[] {
  return rows.flatMap((row) => {
    const value = (row as Record<string, unknown>)[column];
    return typeof value === "string" ? [value] : [];
  });
}

function checkKeys({ items }: StoreBatch): void {
  const keys = items.flatMap(({ id, documents, documentsGone }) => [
    ...[id, ...documentsGone],
    ...documents.flatMap((document) => [document.id, document.format]),
  ]);
  if (keys.every(isStorable)) return;
  const message = "an id with U+0000 or half a character cannot be stored";
  throw new InvalidArgumentError({ operation: "write", issues: [{ path: "id", message }] });
}
