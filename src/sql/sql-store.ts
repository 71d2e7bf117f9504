import * as z from "zod/mini";
import { kindOf } from "../checks/format-issues.js";
import { InvalidArgumentError } from "../errors/argument-errors.js";
import { checkArgument } from "../errors/check-arguments.js";
import { custom, enumOf, optionsSchema } from "../schemas/primitives.js";
import {
  type HeldStore,
  type MeetingStore,
  type StoreBatch,
  type StoreLock,
  StoreLockLostError,
} from "../sync/store/store.js";
import type { SqlDriver, SqlRows, SqlStatement } from "./driver.js";
import { Lease, ownerOf } from "./lease.js";
import { leaseStatements, readStatements } from "./read-statements.js";
import { documentRow, isStorable, itemRow, parametersOf, storable, timeText } from "./rows.js";
import { makeTables } from "./tables.js";
import { firstStatements, writeStatements } from "./write-statements.js";

/** The options of the stores in a database. */
export interface SqlStoreOptions {
  /** Which account's meetings these are, if a database holds those of several. Default: `""`. */
  account?: string | undefined;
}

const isAccount = (value: unknown) => value === undefined || (typeof value === "string" && isStorable(value));

const optionsShape = optionsSchema<SqlStoreOptions>()({
  account: z.optional(custom(isAccount, "a string without U+0000")),
});

/** @throws {InvalidArgumentError} {@link InvalidArgumentError} if an option is unknown or invalid */
export const checkStoreOptions = (owner: string, options: unknown): void => checkArgument(owner, optionsShape, options);

const isDriver = (value: unknown) =>
  ["all", "transaction"].every((name) => typeof (value as Record<string, unknown> | null)?.[name] === "function");

const driverSchema = z.looseObject({
  driver: custom(isDriver, "an object with the methods all and transaction"),
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
  checkStoreOptions("sqlStore", options);
  return new SqlStore(driver, options.account ?? "");
}

const statementsOf = (dialect: SqlDriver["dialect"]) => ({
  ...leaseStatements(dialect),
  ...readStatements(dialect),
  ...firstStatements(dialect),
  ...writeStatements(dialect),
});

class SqlStore implements MeetingStore {
  readonly #driver: SqlDriver;
  readonly #account: string;
  readonly #sql: ReturnType<typeof statementsOf>;
  #tables: Promise<void> | undefined;

  constructor(driver: SqlDriver, account: string) {
    this.#driver = driver;
    this.#account = account;
    this.#sql = statementsOf(driver.dialect);
  }

  async lock(): Promise<StoreLock | HeldStore> {
    const owner = crypto.randomUUID();
    const [, taken, held] = await this.#transaction([
      { sql: this.#sql.addAccount, params: [this.#account] },
      { sql: this.#sql.takeLease, params: [owner, this.#account] },
      { sql: this.#sql.readLease, params: [this.#account] },
    ]);
    if (taken?.length === 0) return { heldUntil: new Date(textsOf("held_until", held)[0] ?? Date.now()) };
    const { renewLease, endLease } = this.#sql;
    const run = (sql: string) => this.#all(sql, [this.#account, owner]);
    return new Lease(
      owner,
      () => run(renewLease),
      () => run(endLease),
    );
  }

  async readState(): Promise<string | undefined> {
    return textsOf("state", await this.#all(this.#sql.readState, [this.#account]))[0];
  }

  async readMemory(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const found = new Map<string, string>();
    for (const part of parametersOf(ids.filter(isStorable))) {
      const rows = await this.#all(this.#sql.readMemory, [this.#account, part, this.#account, part]);
      for (const { id, memory } of rows as readonly { id: string; memory: string }[]) found.set(id, memory);
    }
    return found;
  }

  async due(until: Date, max: number): Promise<readonly string[]> {
    const time = timeText(until);
    return textsOf("id", await this.#all(this.#sql.due, [this.#account, time, this.#account, time, String(max)]));
  }

  async ids(after: string | undefined, max: number): Promise<readonly string[]> {
    const from = after ?? "";
    return textsOf("id", await this.#all(this.#sql.ids, [this.#account, from, this.#account, from, String(max)]));
  }

  async write(batch: StoreBatch, lock: StoreLock | undefined): Promise<readonly string[]> {
    checkKeys(batch);
    const owner = lock === undefined ? null : ownerOf(lock);
    const statements = [this.#accountStatement(batch, owner), ...this.#statementsOf(batch, owner)];
    const [account, ...results] = await this.#transaction(statements);
    if (account?.length === 0) throw new StoreLockLostError("another run has the store");
    const written = new Set(results.flatMap((rows) => textsOf("id", rows)));
    return [...batch.items, ...batch.removed].map(({ id }) => id).filter((id) => !written.has(id));
  }

  #accountStatement({ state, nextAt }: StoreBatch, owner: string | null): SqlStatement {
    const values = [state === undefined ? null : storable(state), nextAt === undefined ? null : timeText(nextAt)];
    return owner === null
      ? { sql: this.#sql.beginWrite, params: [this.#account, ...values] }
      : { sql: this.#sql.beginWriteWithLease, params: [...values, this.#account, owner] };
  }

  *#statementsOf({ items, removed }: StoreBatch, owner: string | null): Generator<SqlStatement> {
    const { dialect } = this.#driver;
    const statements = (sql: string, rows: Iterable<unknown>) =>
      [...parametersOf(rows)].map((part): SqlStatement => ({ sql, params: [this.#account, owner, part] }));
    const rows = items.map((item) => itemRow(dialect, item));
    yield* statements(this.#sql.writeMeetings, rows);
    const unlisted = rows.filter((_, index) => items[index]?.meeting === undefined);
    yield* statements(this.#sql.writePending, unlisted);
    const listed = items.filter(({ meeting, before }) => meeting !== undefined && before !== undefined);
    yield* statements(
      this.#sql.removeListed,
      listed.map(({ id }) => ({ id })),
    );
    const gone = items.flatMap(({ id, documentsGone }) => documentsGone.map((one) => ({ meeting_id: id, id: one })));
    yield* statements(this.#sql.removeDocuments, gone);
    const documents = items.flatMap((item) => item.documents.map((document) => documentRow(item.id, document)));
    yield* statements(this.#sql.writeDocuments, documents);
    for (const sql of this.#sql.remove) yield* statements(sql, removed);
  }

  async #all(sql: string, params: (string | null)[]): Promise<SqlRows> {
    await this.#ready();
    return checkRows("all", await this.#driver.all(sql, params));
  }

  async #transaction(statements: SqlStatement[]): Promise<readonly SqlRows[]> {
    await this.#ready();
    const results = checkRows("transaction", await this.#driver.transaction(statements));
    return results.map((rows) => checkRows("transaction", rows));
  }

  #ready(): Promise<void> {
    this.#tables ??= makeTables(this.#driver).catch((error) => {
      this.#tables = undefined;
      throw error;
    });
    return this.#tables;
  }
}

/** A driver may forget that its package wraps the rows in an object. */
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
  for (const { id, documents, documentsGone } of items) {
    const keys = [id, ...documentsGone, ...documents.flatMap((document) => [document.id, document.format])];
    if (keys.every(isStorable)) continue;
    throw new InvalidArgumentError({
      operation: "write",
      issues: [{ path: "id", message: "an id with U+0000 or half a character cannot be stored" }],
    });
  }
}
