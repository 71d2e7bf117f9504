import * as z from "zod/mini";
import { MINUTE_MS, renewEvery } from "../async/timers.js";
import { kindOf } from "../checks/format-issues.js";
import { InvalidArgumentError } from "../errors/argument-errors.js";
import { checkArgument } from "../errors/check-arguments.js";
import { custom, enumOf, objectWith, optionsSchema } from "../schemas/primitives.js";
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
import {
  documentRow,
  isStorable,
  MAX_LENGTH,
  meetingRow,
  parametersOf,
  storable,
  storableJson,
  timeText,
} from "./rows.js";
import { accountStatements, readStatements, writeStatements } from "./statements.js";
import { type Syntax, syntaxOf } from "./syntax.js";
import { prepareTables } from "./tables.js";

/** The options of the stores in a database. */
export interface SqlStoreOptions {
  /** Which account's meetings these are, if a database holds those of several. Default: `""`. */
  account?: string | undefined;
  /**
   * Only of Postgres: the schema that has the tables. It must exist. All statements name it, for connections whose
   * `search_path` is not yours to set, such as PgBouncer's. Default: the first schema of the `search_path`.
   */
  schema?: string | undefined;
}

const isText = (value: unknown) => typeof value === "string" && isStorable(value);
const text = /* @__PURE__ */ z.optional(/* @__PURE__ */ custom<string>(isText, "a string without U+0000"));

const optionsShape = optionsSchema<SqlStoreOptions>()({ account: text, schema: text });

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
  return storeOver(driver, "sqlStore", options);
}

/** @throws {InvalidArgumentError} {@link InvalidArgumentError} if an option is unknown or invalid */
export function storeOver(driver: SqlDriver, operation: string, options: SqlStoreOptions): MeetingStore {
  const { syntax, account } = checkedSyntax(operation, driver, options);
  return new SqlStore(driver, syntax, account);
}

/** @throws {InvalidArgumentError} {@link InvalidArgumentError} if an option is unknown or invalid */
export function checkedSyntax(operation: string, driver: SqlDriver, options: SqlStoreOptions) {
  checkArgument(operation, optionsShape, options);
  const { account = "", schema } = options;
  if (schema === "" || (schema !== undefined && driver.dialect === "sqlite")) {
    const message = "expected the name of a schema of Postgres";
    throw new InvalidArgumentError({ operation, issues: [{ path: "schema", message }] });
  }
  return { syntax: syntaxOf(driver.dialect, schema), account };
}

const statementsOf = (syntax: Syntax) => ({
  ...readStatements(syntax),
  ...accountStatements(syntax),
  ...writeStatements(syntax),
});

const timeOrNull = (time: Date | undefined) => (time === undefined ? null : timeText(time));
const textOrNull = (text: string | undefined) => (text === undefined ? null : storable(text));
const keysOf = (of: readonly (StoreItem | RemovedItem)[]) => of.map(({ id, before }) => ({ id, before }));

class SqlStore implements MeetingStore {
  readonly #driver: SqlDriver;
  readonly #syntax: Syntax;
  readonly #account: string;
  readonly #sql: ReturnType<typeof statementsOf>;
  #tables: Promise<void> | undefined;

  constructor(driver: SqlDriver, syntax: Syntax, account: string) {
    this.#driver = checkedDriver(driver);
    this.#syntax = syntax;
    this.#account = account;
    this.#sql = statementsOf(syntax);
  }

  async lock(): Promise<StoreLock | HeldStore> {
    const holder = crypto.randomUUID();
    const [, taken, held] = await this.#transaction([
      { sql: this.#sql.addAccount, params: [this.#account] },
      { sql: this.#sql.takeLease, params: [holder, this.#account] },
      { sql: this.#sql.readLease, params: [this.#account] },
    ]);
    if (taken?.length === 0) return { heldUntil: new Date(textsOf("held_until", held)[0] ?? Date.now()) };
    const { renewLease, endLease } = this.#sql;
    const stopRenewing = renewEvery(MINUTE_MS, async () => {
      // A failure is ignored: the next renewal, or the next write, tries again.
      const rows = await this.#all(renewLease, this.#account, holder).catch(() => undefined);
      if (rows?.length === 0) stopRenewing();
    });
    const release = async () => {
      stopRenewing();
      await this.#all(endLease, this.#account, holder);
    };
    const lease: Lease = { holder, release };
    return lease;
  }

  async readState(): Promise<string | undefined> {
    return textsOf("state", await this.#all(this.#sql.readState, this.#account))[0];
  }

  async readMemory(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const found = new Map<string, string>();
    for (const part of parametersOf(ids.filter(isStorable))) {
      const rows = await this.#all(this.#sql.readMemory, this.#account, part);
      for (const { id, memory } of rows as readonly { id: string; memory: string }[]) found.set(id, memory);
    }
    return found;
  }

  async due(until: Date, max: number): Promise<readonly string[]> {
    return textsOf("id", await this.#all(this.#sql.due, this.#account, timeText(until), String(max)));
  }

  async ids(after: string | undefined, max: number): Promise<readonly string[]> {
    return textsOf("id", await this.#all(this.#sql.ids, this.#account, after ?? "", String(max)));
  }

  async write(batch: StoreBatch, lock: StoreLock | undefined): Promise<readonly string[]> {
    checkKeys(batch);
    const statements = [...this.#accountStatements(batch, lock), ...this.#statementsOf(batch, lock)];
    const results = await this.#transaction(statements);
    const resultOf = (sql: string) => results.filter((_, index) => statements[index]?.sql === sql).flat();
    if (resultOf(this.#sql.beginWrite).length === 0) throw new StoreLockLostError("another run has the store");
    const { writeMemory, removeMemory } = this.#sql;
    const written = new Set([writeMemory, removeMemory].flatMap((sql) => textsOf("id", resultOf(sql))));
    return [...batch.items, ...batch.removed].map(({ id }) => id).filter((id) => !written.has(id));
  }

  *#accountStatements({ state, nextAt, health }: StoreBatch, lock: StoreLock | undefined): Generator<SqlStatement> {
    // Whoever has lost the lease must not make the row of an account that was deleted.
    if (lock === undefined) yield { sql: this.#sql.addAccount, params: [this.#account] };
    const holder = holderOf(lock);
    const account = [this.#account, holder];
    yield { sql: this.#sql.beginWrite, params: [textOrNull(state), timeOrNull(nextAt), holder, ...account] };
    if (health === undefined) return;
    const values = [timeOrNull(health.polledAt), timeOrNull(health.failingSince), textOrNull(health.error)];
    yield { sql: this.#sql.writeHealth, params: [...values, ...account] };
  }

  *#statementsOf({ items, removed }: StoreBatch, lock: StoreLock | undefined): Generator<SqlStatement> {
    const account = [this.#account, holderOf(lock)];
    const { dialect } = this.#syntax;
    const sql = this.#sql;
    function* statements(text: string, rows: Iterable<unknown>, ...more: string[]): Generator<SqlStatement> {
      for (const part of parametersOf(rows)) yield { sql: text, params: [...account, part, ...more] };
    }
    // SQLite keeps the U+0000 and single surrogates of JSON, as escapes.
    const jsonOf = (value: unknown) => (dialect === "sqlite" ? JSON.stringify(value) : storableJson(value));
    const transcripts = items.map(({ transcript }) => transcript && jsonOf(transcript));
    const isLong = (index: number) => (transcripts[index]?.length ?? 0) > MAX_LENGTH;
    const meetings = items.map((item, index) =>
      meetingRow(dialect, item, isLong(index) ? undefined : transcripts[index]),
    );
    yield* statements(sql.writeMeetings, meetings);
    for (const [index, item] of items.entries()) {
      if (isLong(index)) yield* statements(sql.writeTranscript, keysOf([item]), transcripts[index] ?? "");
    }
    const gone = items.flatMap(({ id, before, documentsGone }) =>
      documentsGone.map((documentId) => ({ id, before, document_id: documentId })),
    );
    yield* statements(sql.removeDocuments, gone);
    const documents = items.flatMap((item) => item.documents.map((document) => documentRow(item, document)));
    yield* statements(sql.writeDocuments, documents);
    for (const remove of sql.remove) yield* statements(remove, keysOf(removed));
    yield* statements(sql.removeMemory, keysOf(removed.filter(({ memory }) => memory === undefined)));
    const memories = items.map(({ id, before, memory, dueAt }) => ({ id, before, memory, due_at: timeOrNull(dueAt) }));
    yield* statements(sql.writeMemory, [...memories, ...removed.filter(({ memory }) => memory !== undefined)]);
  }

  async #all(sql: string, ...params: string[]): Promise<SqlRows> {
    await this.#ready();
    return this.#driver.all(sql, params);
  }

  async #transaction(statements: SqlStatement[]): Promise<readonly SqlRows[]> {
    await this.#ready();
    return this.#driver.transaction(statements);
  }

  #ready(): Promise<void> {
    this.#tables ??= prepareTables(this.#driver, this.#syntax).catch((error) => {
      this.#tables = undefined;
      throw error;
    });
    return this.#tables;
  }
}

/** A lock that is a lease in the row of the account. */
interface Lease extends StoreLock {
  readonly holder: string;
}

/** `null` without a lock. No account has the holder of a lock that is not of a store in a database. */
const holderOf = (lock: StoreLock | undefined) => (lock === undefined ? null : ((lock as Partial<Lease>).holder ?? ""));

/** A driver may forget that its package wraps the rows in an object. */
const checkedDriver = (driver: SqlDriver): SqlDriver => ({
  dialect: driver.dialect,
  all: async (sql, params) => checkRows("all", await driver.all(sql, params)),
  async transaction(statements) {
    const results = checkRows("transaction", await driver.transaction(statements));
    return results.map((rows) => checkRows("transaction", rows));
  },
});

function checkRows(method: string, rows: unknown): SqlRows {
  if (Array.isArray(rows)) return rows;
  const message = `expected ${method === "all" ? "the rows" : "the rows of each statement"} as an array, received ${kindOf(rows)}`;
  throw new InvalidArgumentError({ operation: "sqlStore", issues: [{ path: `driver.${method}`, message }] });
}

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
