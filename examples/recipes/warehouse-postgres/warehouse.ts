/**
 * Copies every meeting into Postgres, with its transcript and documents, and
 * deletes the meetings that the service no longer lists. One transaction saves
 * a meeting and its checkpoint. You can stop the program at any time: the same
 * command resumes it.
 *
 *   PGHOST=… PGDATABASE=… npx tsx warehouse.ts
 */
import { Notetaker } from "notetaker-sdk";
import { type WalkedMeeting, walkMeetings } from "notetaker-sdk/node";
import pg from "pg";

const database = new pg.Client(); // reads PGHOST, PGUSER, PGDATABASE …
await database.connect();
// Times are stored as text, because the service may send a date without a time.
await database.query(`
  CREATE TABLE IF NOT EXISTS meetings (
    id text PRIMARY KEY, title text, start_time text, meeting jsonb
  );
  CREATE TABLE IF NOT EXISTS segments (
    meeting_id text REFERENCES meetings ON DELETE CASCADE,
    position int, speaker text, start_time float8, end_time float8, text text,
    PRIMARY KEY (meeting_id, position)
  );
  CREATE TABLE IF NOT EXISTS documents (
    meeting_id text REFERENCES meetings ON DELETE CASCADE,
    id text, format text, title text, content text,
    PRIMARY KEY (meeting_id, id, format)
  );
  CREATE TABLE IF NOT EXISTS walk (
    one boolean PRIMARY KEY DEFAULT true CHECK (one), checkpoint text NOT NULL
  );
`);

const { rows: places } = await database.query("SELECT checkpoint FROM walk");
const resume: string | undefined = places[0]?.checkpoint;
const { rows: meetings } = await database.query("SELECT id FROM meetings");
const known: string[] = meetings.map(({ id }) => id);

let count = 0;
for await (const item of walkMeetings(new Notetaker(), {
  resume,
  known,
  onGone: remove,
})) {
  await database.query("BEGIN");
  try {
    await remove(item.meeting.id);
    await save(item);
    await database.query("DELETE FROM walk");
    await database.query("INSERT INTO walk (checkpoint) VALUES ($1)", [
      item.checkpoint,
    ]);
    await database.query("COMMIT");
  } catch (error) {
    await database.query("ROLLBACK");
    throw error;
  }
  count += 1;
}
// The walk is complete: the next run starts from the beginning.
await database.query("DELETE FROM walk");
await database.end();
console.log(`${count} meetings${resume === undefined ? "" : ", resumed"}`);

/** Also deletes its segments and documents. */
async function remove(id: string): Promise<void> {
  await database.query("DELETE FROM meetings WHERE id = $1", [id]);
}

async function save({
  meeting,
  transcript,
  documents,
}: WalkedMeeting): Promise<void> {
  const meeting_id = meeting.id;
  const names = new Map<string, string>(
    transcript?.speakers.map(({ id, name }) => [id, name]),
  );
  const segments = transcript?.segments ?? [];
  await insert("meetings", [{ ...meeting, meeting }]);
  await insert(
    "segments",
    segments.map((segment, position) => ({
      ...segment,
      meeting_id,
      position,
      speaker: names.get(segment.speaker_id) ?? segment.speaker_id,
    })),
  );
  await insert(
    "documents",
    documents.map((document) => ({ ...document, meeting_id })),
  );
}

/**
 * Inserts any number of rows with one statement. Fields without a column are
 * left out.
 */
async function insert(
  table: "meetings" | "segments" | "documents",
  rows: object[],
): Promise<void> {
  const sql = `INSERT INTO ${table}
    SELECT * FROM json_populate_recordset(NULL::${table}, $1)
    ON CONFLICT DO NOTHING`;
  const json = JSON.stringify(rows, (_, value) => storable(value));
  await database.query(sql, [json]);
}

/**
 * Postgres cannot store U+0000 and unpaired surrogates: they are removed or
 * replaced.
 */
function storable(value: unknown): unknown {
  return typeof value === "string"
    ? Buffer.from(value).toString().replaceAll("\0", "")
    : value;
}
