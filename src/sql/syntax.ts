/** What differs between SQLite and Postgres, and how a statement is written for both. */
import type { SqlDriver } from "./driver.js";

export type Dialect = SqlDriver["dialect"];

/** A lease ends so long after its last renewal, by the clock of the database. */
const LEASE_SECONDS = 180;

const DIALECTS = {
  sqlite: {
    types: { text: "text", json: "text", time: "text", flag: "integer", number: "numeric", count: "integer" },
    now: "strftime('%Y-%m-%dT%H:%M:%fZ', 'now')",
    leaseEnd: `strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '+${LEASE_SECONDS} seconds')`,
    /** A time as `2026-01-05T09:00:00.000Z`, however the connection writes times. */
    isoTime: (time: string) => time,
    fromText: (text: string) => text,
    texts: "SELECT value FROM json_each(?)",
    /** The columns of the tables and views in a JSON list of their names. */
    columns: `SELECT t.value AS relation, c.name AS name FROM json_each(coalesce(?, ?)) AS t
      JOIN pragma_table_info(t.value) AS c`,
    /** Keeps two processes from changing the tables at once. SQLite's transactions do. */
    lockForTables: [],
  },
  postgres: {
    types: {
      ...{ text: "text", json: "jsonb", time: "timestamptz", flag: "boolean" },
      ...{ number: "double precision", count: "bigint" },
    },
    now: "clock_timestamp()",
    leaseEnd: `clock_timestamp() + interval '${LEASE_SECONDS} seconds'`,
    isoTime: (time: string) => `to_char(${time} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
    fromText: (text: string) => `(${text})::jsonb`,
    texts: "SELECT jsonb_array_elements_text(?::jsonb)",
    // Without a schema: those of the first schema of the search path, and never those of a later one.
    columns: `SELECT t.value AS relation, c.attname::text AS name
      FROM (SELECT quote_ident(coalesce(?, current_schema())) AS name) AS s
      CROSS JOIN jsonb_array_elements_text(?::jsonb) AS t(value)
      JOIN pg_attribute AS c ON c.attrelid = to_regclass(s.name || '.' || t.value) AND c.attnum > 0
        AND NOT c.attisdropped`,
    lockForTables: ["SELECT pg_advisory_xact_lock(hashtext('notetaker'))"],
  },
} as const;

/** A table or a view of the store, and no index: the name of an index has another `_`. */
const RELATION = /\bnotetaker_[a-z]+\b/g;

/** @param schema - of Postgres, for the names of the tables */
export function syntaxOf(dialect: Dialect, schema?: string) {
  const prefix = schema === undefined ? "" : `"${schema.replaceAll('"', '""')}".`;
  /** The statement for the database. In `sql`, `?` is a parameter, which is a text or NULL. */
  const statement = (sql: string): string => {
    let count = 0;
    // Postgres is told the type of a parameter, so that no driver guesses it.
    const numbered = dialect === "sqlite" ? sql : sql.replace(/\?/g, () => `$${++count}::text`);
    return numbered.replace(RELATION, (name) => prefix + name);
  };
  return { dialect, schema: schema ?? null, ...DIALECTS[dialect], statement };
}

export type Syntax = ReturnType<typeof syntaxOf>;

/** The columns of the rows that a statement gets, by their type: names with spaces between. */
export type Columns = { readonly [Type in keyof Syntax["types"]]?: string };

/** The rows of a parameter: a JSON list of objects. */
export function rowsOf({ dialect, types }: Syntax, columns: Columns): string {
  const fields = Object.entries({ ...columns, text: `id before ${columns.text ?? ""}` }).flatMap(([type, names]) =>
    names
      .trim()
      .split(" ")
      .map((name) => ({ name, type: types[type as keyof typeof types] })),
  );
  return dialect === "sqlite"
    ? `SELECT ${fields.map(({ name }) => `json_extract(value, '$.${name}') AS ${name}`).join(", ")} FROM json_each(?)`
    : `SELECT * FROM jsonb_to_recordset(?::jsonb) AS t(${fields.map(({ name, type }) => `${name} ${type}`).join(", ")})`;
}
