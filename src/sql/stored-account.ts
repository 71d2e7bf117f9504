/** The database and the account in it that a store or an archive is opened for. */
import * as z from "zod/mini";
import { kindOf } from "../checks/format-issues.js";
import { InvalidArgumentError } from "../errors/argument-errors.js";
import { checkArgument } from "../errors/check-arguments.js";
import { custom, type Infer } from "../schemas/primitives.js";
import type { SqlDriver } from "./driver.js";
import { isStorable } from "./rows.js";
import { type Syntax, syntaxOf } from "./syntax.js";

const isText = (value: unknown) => typeof value === "string" && isStorable(value);
const text = /* @__PURE__ */ z.optional(/* @__PURE__ */ custom<string>(isText, "a string without U+0000"));

const storeOptions = {
  /** Which account's meetings these are, if a database holds those of several. Default: `""`. */
  account: text,
  /**
   * Only of Postgres: the schema that has the tables. It must exist. All statements name it, for connections whose
   * `search_path` is not yours to set, such as PgBouncer's. Default: the first schema of the `search_path`.
   */
  schema: text,
};

/** The options of the stores in a database. */
export interface SqlStoreOptions extends Infer<typeof storeOptions> {}

const storeOptionsSchema = z.strictObject(storeOptions);

export interface StoredAccount {
  readonly driver: SqlDriver;
  readonly syntax: Syntax;
  readonly account: string;
}

/**
 * `prepare` makes the tables before the first statement, and again before the next one if it failed.
 *
 * @throws {InvalidArgumentError} {@link InvalidArgumentError} if an option is unknown or invalid
 */
export function storedAccount(
  operation: string,
  driver: SqlDriver,
  options: SqlStoreOptions,
  prepare: (stored: StoredAccount) => Promise<void>,
): StoredAccount {
  checkArgument(operation, storeOptionsSchema, options);
  const { dialect } = driver;
  const { account = "", schema } = options;
  if (schema === "" || (schema !== undefined && dialect === "sqlite")) {
    const message = "expected the name of a schema of Postgres";
    throw new InvalidArgumentError({ operation, issues: [{ path: "schema", message }] });
  }
  const stored = { driver: checkedDriver(driver), syntax: syntaxOf(dialect, schema), account };
  let prepared: Promise<void> | undefined;
  const ready = () => {
    prepared ??= prepare(stored).catch((error) => {
      prepared = undefined;
      throw error;
    });
    return prepared;
  };
  return { ...stored, driver: checkedDriver(driver, ready) };
}

/** Many packages wrap the rows in an object. With a driver that forgets it, each run would get the lock. */
const checkedDriver = (driver: SqlDriver, ready = async () => {}): SqlDriver => ({
  dialect: driver.dialect,
  async all(sql, params) {
    await ready();
    return checkedRows("all", await driver.all(sql, params));
  },
  async transaction(statements) {
    await ready();
    const results = checkedRows("transaction", await driver.transaction(statements));
    return results.map((rows) => checkedRows("transaction", rows));
  },
});

function checkedRows<T>(method: string, rows: readonly T[]): readonly T[] {
  if (Array.isArray(rows)) return rows;
  const message = `expected ${method === "all" ? "the rows" : "the rows of each statement"} as an array, received ${kindOf(rows)}`;
  throw new InvalidArgumentError({ operation: "sqlStore", issues: [{ path: `driver.${method}`, message }] });
}
