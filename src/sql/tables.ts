/** The tables of the store. Guide: docs/database.md, which promises them to users. */
import type { SqlDriver } from "./driver.js";

type Dialect = SqlDriver["dialect"];

/** What differs between the dialects. */
export interface Words {
  readonly key: string;
  readonly json: string;
  readonly time: string;
  readonly flag: string;
  readonly number: string;
  readonly count: string;
  /** The time of the database's clock, and three minutes later. */
  readonly now: string;
  readonly inThreeMinutes: string;
  /** The end of the lease as an ISO text. */
  readonly heldUntil: string;
  readonly hasTables: string;
  readonly lockForTables: readonly string[];
}

export const WORDS: Readonly<Record<Dialect, Words>> = {
  sqlite: {
    key: "TEXT",
    json: "TEXT",
    time: "TEXT",
    flag: "INTEGER",
    number: "NUMERIC",
    count: "INTEGER",
    now: "strftime('%Y-%m-%dT%H:%M:%fZ', 'now')",
    inThreeMinutes: "strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '+180 seconds')",
    heldUntil: "held_until",
    hasTables: "SELECT 1 FROM sqlite_master WHERE name = 'notetaker_segments'",
    lockForTables: [],
  },
  postgres: {
    // In the order of the bytes, whatever the language of the database.
    key: 'text COLLATE "C"',
    json: "jsonb",
    time: "timestamptz",
    flag: "boolean",
    number: "double precision",
    count: "bigint",
    now: "clock_timestamp()",
    inThreeMinutes: "clock_timestamp() + interval '180 seconds'",
    heldUntil: `to_char(held_until AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
    hasTables: "SELECT 1 WHERE to_regclass('notetaker_segments') IS NOT NULL",
    lockForTables: ["SELECT pg_advisory_xact_lock(hashtext('notetaker_segments'))"],
  },
};

/** The segments of all transcripts. A transcript or a segment that cannot be read is left out. */
const SEGMENTS: Readonly<Record<Dialect, string>> = {
  // The list of speakers is taken out of the transcript once, not once for each of its segments.
  sqlite: `
    CREATE VIEW IF NOT EXISTS notetaker_segments AS
    SELECT m.account, m.id AS meeting_id, s.key AS position,
      coalesce(
        (SELECT nullif(p.value ->> '$.name', '') FROM json_each(speakers.value) AS p
          WHERE CASE WHEN p.type = 'object' THEN p.value ->> '$.id' END = s.value ->> '$.speaker_id' LIMIT 1),
        s.value ->> '$.speaker_id'
      ) AS speaker,
      s.value ->> '$.start_time' AS start_time, s.value ->> '$.end_time' AS end_time, s.value ->> '$.text' AS text
    FROM notetaker_meetings AS m
    CROSS JOIN json_each(json_array(
      CASE WHEN json_valid(m.transcript) AND json_type(m.transcript, '$.speakers') = 'array'
        THEN m.transcript -> '$.speakers' END
    )) AS speakers
    CROSS JOIN json_each(CASE WHEN json_valid(m.transcript) THEN m.transcript END, '$.segments') AS s
    WHERE s.type = 'object' AND typeof(s.key) = 'integer'`,
  // With OFFSET 0, a transcript is unpacked once, not once for each of its segments.
  postgres: `
    CREATE OR REPLACE VIEW notetaker_segments AS
    SELECT m.account, m.id AS meeting_id, (s.number - 1)::integer AS position,
      coalesce(nullif(t.names ->> (s.segment ->> 'speaker_id'), ''), s.segment ->> 'speaker_id') AS speaker,
      CASE jsonb_typeof(s.segment -> 'start_time') WHEN 'number' THEN (s.segment ->> 'start_time')::float8 END
        AS start_time,
      CASE jsonb_typeof(s.segment -> 'end_time') WHEN 'number' THEN (s.segment ->> 'end_time')::float8 END AS end_time,
      s.segment ->> 'text' AS text
    FROM notetaker_meetings AS m
    CROSS JOIN LATERAL (
      SELECT
        CASE jsonb_typeof(m.transcript -> 'segments') WHEN 'array' THEN m.transcript -> 'segments' ELSE '[]' END
          AS segments,
        (SELECT jsonb_object_agg(p ->> 'id', p -> 'name') FROM jsonb_array_elements(
          CASE jsonb_typeof(m.transcript -> 'speakers') WHEN 'array' THEN m.transcript -> 'speakers' ELSE '[]' END
        ) AS p WHERE p ->> 'id' IS NOT NULL) AS names
      OFFSET 0
    ) AS t
    CROSS JOIN LATERAL jsonb_array_elements(t.segments) WITH ORDINALITY AS s(segment, number)
    WHERE jsonb_typeof(s.segment) = 'object'`,
};

// Long columns come last: SQLite has to read all that is before a column.
const tables = ({ key, json, time, flag, number, count }: Words) => [
  `CREATE TABLE IF NOT EXISTS notetaker_accounts (
    account ${key} NOT NULL PRIMARY KEY, version ${count} NOT NULL, next_at ${time}, owner text, held_until ${time},
    state text
  )`,
  `CREATE TABLE IF NOT EXISTS notetaker_meetings (
    account ${key} NOT NULL, id ${key} NOT NULL, title text, status text, source text, start_time text,
    started_at ${time}, duration ${number}, complete ${flag} NOT NULL, gone ${flag} NOT NULL, version ${count} NOT NULL,
    due_at ${time}, memory text NOT NULL, missing ${json} NOT NULL, meeting ${json} NOT NULL, transcript ${json},
    PRIMARY KEY (account, id)
  )`,
  "CREATE INDEX IF NOT EXISTS notetaker_meetings_due ON notetaker_meetings (account, due_at, id)",
  "CREATE INDEX IF NOT EXISTS notetaker_meetings_version ON notetaker_meetings (account, version)",
  `CREATE TABLE IF NOT EXISTS notetaker_documents (
    account ${key} NOT NULL, meeting_id ${key} NOT NULL, id ${key} NOT NULL, format ${key} NOT NULL, title text,
    created_at text, version ${count} NOT NULL, content text NOT NULL,
    PRIMARY KEY (account, meeting_id, id, format)
  )`,
  "CREATE INDEX IF NOT EXISTS notetaker_documents_version ON notetaker_documents (account, version)",
  `CREATE TABLE IF NOT EXISTS notetaker_pending (
    account ${key} NOT NULL, id ${key} NOT NULL, due_at ${time}, memory text NOT NULL, PRIMARY KEY (account, id)
  )`,
];

/** Makes the tables, unless they exist: a user of the database who may not make tables can then use them. */
export async function makeTables(driver: SqlDriver): Promise<void> {
  const words = WORDS[driver.dialect];
  // The view is made last.
  if ((await driver.all(words.hasTables, [])).length > 0) return;
  const statements = [...words.lockForTables, ...tables(words), SEGMENTS[driver.dialect]];
  await driver.transaction(statements.map((sql) => ({ sql, params: [] })));
}
