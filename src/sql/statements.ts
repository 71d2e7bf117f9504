/** What all statements are made with. A `?` is a parameter, which is a text or NULL. */
import type { SqlDriver } from "./driver.js";
import type { Columns } from "./rows.js";
import { WORDS } from "./tables.js";

export type Dialect = SqlDriver["dialect"];

/** The statement with the parameters as the database knows them. Their type is said, so that no driver guesses it. */
export function statement(dialect: Dialect, sql: string): string {
  let count = 0;
  return dialect === "sqlite" ? sql : sql.replace(/\?/g, () => `$${++count}::text`);
}

/** The rows of a parameter: a JSON list of objects. */
function rowsOf(dialect: Dialect, columns: Columns): string {
  const entries = Object.entries(columns);
  if (dialect === "sqlite") {
    const fields = entries.map(([name]) => `json_extract(value, '$.${name}') AS ${name}`);
    return `SELECT ${fields.join(", ")} FROM json_each(?)`;
  }
  const fields = entries.map(([name, kind]) => `${name} ${kind === "text" ? "text" : WORDS.postgres[kind]}`);
  return `SELECT * FROM jsonb_to_recordset(?::jsonb) AS t(${fields.join(", ")})`;
}

/**
 * A statement of a write. Its parameters: the account, the owner of the lease (or NULL), and the rows `r`. The account
 * `a` is empty if the lease was lost: then the statement does nothing.
 */
export const writeStatement = (dialect: Dialect, columns: Columns, sql: string): string =>
  statement(
    dialect,
    `WITH a AS MATERIALIZED (
      SELECT account, version FROM notetaker_accounts
      WHERE account = ? AND owner IS NOT DISTINCT FROM coalesce(?, owner)
    ), r AS MATERIALIZED (${rowsOf(dialect, columns)}) ${sql}`,
  );
