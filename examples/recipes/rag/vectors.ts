/**
 * What was said as vectors, beside the index of words, in the same database.
 *
 *   const model = openai.embedding("text-embedding-3-small");
 *   const vectors = vectorIndex(archive, pgvector(pool), model);
 *   await vectors.update(); // after each run of syncMeetings
 *   const passages = await vectors.find("Who pays for the flights?");
 */
import { type EmbeddingModel, embed, embedMany } from "ai";
import type { Archive } from "notetaker-sdk/sql";
import { chunks } from "notetaker-sdk/transcript";
import type { Passage } from "./answer.js";

type Row = Record<string, unknown>;

/** A database of the meetings, and how it writes vectors. */
interface VectorDatabase {
  /** Each `?` is a parameter. */
  all(sql: string, ...params: string[]): Promise<Row[]>;
  prepare: string;
  /** The type of a column, a text as a vector, a vector as a text. */
  type: string;
  vector(text: string): string;
  text(vector: string): string;
  distance(a: string, b: string): string;
  /** The elements of a list in JSON: `value` and, from 1, `rank`. */
  elements: string;
}

/** Postgres with pgvector: a `Pool` of pg, or a `PGlite`. */
export const pgvector = (pool: {
  query(sql: string, params: string[]): Promise<{ rows: unknown[] }>;
}): VectorDatabase => ({
  async all(sql, ...params) {
    let count = 0;
    const numbered = sql.replaceAll("?", () => `$${++count}`);
    return (await pool.query(numbered, params)).rows as Row[];
  },
  prepare: "CREATE EXTENSION IF NOT EXISTS vector",
  type: "vector",
  vector: (text) => `CAST(${text} AS vector)`,
  text: (vector) => `CAST(${vector} AS text)`,
  distance: (a, b) => `${a} <=> ${b}`,
  elements: `(SELECT value, ordinality AS rank
    FROM jsonb_array_elements(CAST(? AS jsonb)) WITH ORDINALITY)`,
});

/** SQLite, after `sqliteVec.load(db)` of the package sqlite-vec. */
export const sqliteVec = (db: {
  prepare(sql: string): { all(...params: string[]): unknown[] };
}): VectorDatabase => ({
  all: async (sql, ...params) => db.prepare(sql).all(...params) as Row[],
  prepare: "SELECT vec_version()",
  type: "blob",
  vector: (text) => `vec_f32(${text})`,
  text: (vector) => `vec_to_json(${vector})`,
  distance: (a, b) => `vec_distance_cosine(${a}, ${b})`,
  elements: "(SELECT value, key + 1 AS rank FROM json_each(?))",
});

/** About; for exact limits, count with the tokenizer of the model. */
const countTokens = (text: string) => Math.ceil(text.length / 4);

export function vectorIndex(
  { search, meetings }: Archive,
  { all, prepare, type, vector, text, distance, elements }: VectorDatabase,
  model: EmbeddingModel,
  account = "",
) {
  const table = `CREATE TABLE IF NOT EXISTS meeting_vectors (
    account text NOT NULL, meeting_id text NOT NULL, position integer NOT NULL,
    version bigint NOT NULL, start_time float NOT NULL, text text NOT NULL,
    embedding ${type} NOT NULL, PRIMARY KEY (account, meeting_id, position),
    FOREIGN KEY (account, meeting_id)
      REFERENCES notetaker_meetings (account, id) ON DELETE CASCADE)`;

  /** Embeds what is new. */
  async function update() {
    await all(prepare);
    await all(table);
    const changed = await all(
      `SELECT id, version FROM notetaker_meetings AS m
      WHERE account = ? AND transcript IS NOT NULL AND NOT EXISTS (
        SELECT 1 FROM meeting_vectors AS v
        WHERE v.account = m.account AND v.meeting_id = m.id AND v.version = m.version)`,
      account,
    );
    for (const { id, version } of changed)
      await embedMeeting(String(id), String(version));
  }

  async function embedMeeting(id: string, version: string) {
    const transcript = await meetings.getTranscript(id);
    const parts = chunks(transcript, { maxTokens: 300, countTokens });
    // A meeting has a new version for each document, too.
    const stored = await all(
      `SELECT text, ${text("embedding")} AS embedding FROM meeting_vectors
      WHERE account = ? AND meeting_id = ?`,
      account,
      id,
    );
    const known = new Map(stored.map((row) => [row.text, row.embedding]));
    const values = parts.map((part) => part.text);
    const missing = values.filter((value) => !known.has(value));
    if (missing.length > 0) {
      const { embeddings } = await embedMany({ model, values: missing });
      for (const [index, value] of missing.entries())
        known.set(value, JSON.stringify(embeddings[index]));
    }
    const rows = parts.map(({ text, start_time }) => {
      return { text, start_time, embedding: known.get(text) };
    });
    await all(
      "DELETE FROM meeting_vectors WHERE account = ? AND meeting_id = ?",
      account,
      id,
    );
    await all(
      `INSERT INTO meeting_vectors
        (account, meeting_id, position, version, start_time, text, embedding)
      SELECT CAST(? AS text), CAST(? AS text), CAST(rank AS integer), CAST(? AS bigint),
        CAST(value ->> 'start_time' AS float), value ->> 'text',
        ${vector("value ->> 'embedding'")}
      FROM ${elements} AS e WHERE true ON CONFLICT DO NOTHING`,
      account,
      id,
      version,
      JSON.stringify(rows),
    );
  }

  /**
   * By words and by meaning: each passage counts by its two ranks (reciprocal
   * rank fusion), so no score has to be compared with another kind of score.
   */
  const hybrid = `
    WITH by_words AS (
      SELECT v.meeting_id, v.position, min(e.rank) AS rank FROM ${elements} AS e
      JOIN meeting_vectors AS v ON v.account = ?
        AND v.meeting_id = e.value ->> 'meeting_id' AND v.position = (
          SELECT max(position) FROM meeting_vectors AS p
          WHERE p.account = v.account AND p.meeting_id = v.meeting_id
            AND p.start_time <= CAST(e.value ->> 'start_time' AS float))
      GROUP BY v.meeting_id, v.position
    ), by_meaning AS (
      SELECT meeting_id, position, row_number() OVER (ORDER BY distance) AS rank
      FROM (
        SELECT meeting_id, position,
          ${distance("embedding", vector("?"))} AS distance
        FROM meeting_vectors WHERE account = ? ORDER BY distance LIMIT 50
      ) AS nearest
    )
    SELECT v.meeting_id, m.title, v.start_time, v.text
    FROM (SELECT * FROM by_words UNION ALL SELECT * FROM by_meaning) AS found
    JOIN meeting_vectors AS v ON v.account = ?
      AND v.meeting_id = found.meeting_id AND v.position = found.position
    JOIN notetaker_meetings AS m ON m.account = v.account AND m.id = v.meeting_id
    GROUP BY v.meeting_id, m.title, v.position, v.start_time, v.text
    ORDER BY sum(1.0 / (60 + found.rank)) DESC, v.meeting_id, v.position LIMIT 8`;

  async function find(question: string): Promise<Passage[]> {
    const [hits, { embedding }] = await Promise.all([
      search(question, { in: "transcripts", limit: 50 }),
      embed({ model, value: question }),
    ]);
    const places = hits.map(({ meeting, start_time }) => {
      return { meeting_id: meeting.id, start_time };
    });
    const params = [JSON.stringify(places), account, JSON.stringify(embedding)];
    const rows = await all(hybrid, ...params, account, account);
    return rows as unknown as Passage[];
  }

  return { update, find };
}
