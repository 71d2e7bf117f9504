/** What the store asks of a database. */

/** A statement with the values of its parameters: `?` in SQLite, `$1` and so on in Postgres. */
export interface SqlStatement {
  /** The text of the statement. */
  sql: string;
  /** The values, in the order of the parameters. */
  params: (string | null)[];
}

/** The result of a statement: an object for each row, with the value of each column. */
export type SqlRows = readonly unknown[];

/**
 * How `sqlStore` talks to a database such as libSQL, postgres.js or D1. examples/recipes/cloudflare-worker/worker.ts has a
 * driver for D1. Both functions may be synchronous.
 */
export interface SqlDriver {
  /** Which SQL the database understands. */
  readonly dialect: "sqlite" | "postgres";
  /** Runs one statement. Returns its rows. */
  all(sql: string, params: (string | null)[]): SqlRows | PromiseLike<SqlRows>;
  /**
   * Runs the statements in their order, all or none. Returns the rows of each. In SQLite the transaction must write from
   * its start (`BEGIN IMMEDIATE`); in Postgres it must be `READ COMMITTED`, which is the default.
   */
  transaction(statements: SqlStatement[]): readonly SqlRows[] | PromiseLike<readonly SqlRows[]>;
}
