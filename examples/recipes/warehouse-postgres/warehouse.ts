/**
 * Keeps every meeting in Postgres, with its transcript and documents, and
 * deletes the meetings that the service no longer has. One transaction saves a
 * meeting and its checkpoint. You can stop the program at any time: the same
 * command resumes it.
 *
 *   PGHOST=… PGDATABASE=… npx tsx warehouse.ts            ends when caught up
 *   PGHOST=… PGDATABASE=… npx tsx warehouse.ts --follow   runs until SIGTERM,
 *                             and receives webhooks on PORT
 */
import { createServer } from "node:http";
import {
  type Meeting,
  Notetaker,
  type WalkedMeeting,
  walkMeetings,
} from "notetaker-sdk";
import { createReceiver, toNodeListener } from "notetaker-sdk/webhooks";
import pg from "pg";

const DAY_MS = 86_400_000;
const isFollowing = process.argv.includes("--follow");
const stop = new AbortController();
process.once("SIGTERM", () => stop.abort());

const database = new pg.Client(); // reads PGHOST, PGUSER, PGDATABASE …
await database.connect();
// Times are stored as text, because the service may send a date without a time.
await database.query(`
  CREATE TABLE IF NOT EXISTS meetings (
    id text PRIMARY KEY, title text, start_time text, meeting jsonb,
    listed int, complete boolean
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

const { rows: meetings } = await database.query(
  "SELECT id, title, listed, complete FROM meetings",
);
/** Every stored meeting, as the list had it; `undefined` if it is not complete. */
const stored = new Map<string, string | undefined>(
  meetings.map(({ id, title, listed, complete }) => [
    id,
    complete ? listedAs(title, listed) : undefined,
  ]),
);

let count = 0;
const walk = walkMeetings(new Notetaker(), {
  follow: isFollowing ? true : "once",
  resume,
  wake: isFollowing ? receiveEvents() : undefined,
  wants: (meeting, { event }) => event || !isDone(meeting),
  // Asked once a day, when the loop reads the whole list.
  known: () => stored.keys(),
  onGone: remove,
  onIdle: saveCheckpoint,
  signal: stop.signal,
});
try {
  for await (const item of walk) {
    await database.query("BEGIN");
    try {
      await save(item);
      await saveCheckpoint(item.checkpoint);
      await database.query("COMMIT");
    } catch (error) {
      await database.query("ROLLBACK");
      throw error;
    }
    count += 1;
  }
} catch (error) {
  if (!stop.signal.aborted) throw error;
}
await database.end();
console.log(`${count} meetings${resume === undefined ? "" : ", resumed"}`);

/** An event only makes the loop look at once: none of them is needed. */
function receiveEvents() {
  const { NOTETAKER_WEBHOOK_SECRET, PORT = "3000" } = process.env;
  const receiver = createReceiver({ secrets: NOTETAKER_WEBHOOK_SECRET });
  const server = createServer(toNodeListener(receiver.handle));
  server.listen(Number(PORT), "127.0.0.1", () =>
    console.log("listening on", server.address()),
  );
  stop.signal.addEventListener("abort", () => server.close());
  return receiver.events();
}

async function saveCheckpoint(checkpoint: string): Promise<void> {
  const sql = `INSERT INTO walk (checkpoint) VALUES ($1)
    ON CONFLICT (one) DO UPDATE SET checkpoint = $1`;
  await database.query(sql, [checkpoint]);
}

/** Also deletes its segments and documents. */
async function remove(id: string): Promise<void> {
  await database.query("DELETE FROM meetings WHERE id = $1", [id]);
  stored.delete(id);
}

/** Complete, unchanged in the list, and older than what the polls read. */
function isDone({ id, title, documents, start_time }: Meeting): boolean {
  return (
    stored.get(id) === listedAs(title, documents?.length) &&
    Date.parse(start_time) < Date.now() - 4 * DAY_MS
  );
}

/** What the list says of a meeting. A change of it is news. */
function listedAs(title: string | null = null, documents = 0): string {
  return `${documents} ${storable(title)}`;
}

/** What is missing this time stays as it is stored. */
async function save({
  meeting,
  transcript,
  documents,
  missing,
}: WalkedMeeting): Promise<void> {
  const meeting_id = meeting.id;
  const clear = (table: "segments" | "documents") =>
    database.query(`DELETE FROM ${table} WHERE meeting_id = $1`, [meeting_id]);
  if (transcript !== undefined) await clear("segments");
  if (missing.length === 0) await clear("documents");
  const names = new Map<string, string>(
    transcript?.speakers.map(({ id, name }) => [id, name]),
  );
  const segments = transcript?.segments ?? [];
  const listed = meeting.documents?.length;
  const complete = !missing.some(({ retryable }) => retryable);
  await insert("meetings", [{ ...meeting, meeting, listed, complete }]);
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
  const key = complete ? listedAs(meeting.title, listed) : undefined;
  stored.set(meeting_id, key);
}

/**
 * Saves any number of rows with one statement. Fields without a column are
 * left out.
 */
async function insert(
  table: "meetings" | "segments" | "documents",
  rows: object[],
): Promise<void> {
  const onConflict = {
    meetings: `(id) DO UPDATE SET title = excluded.title,
      start_time = excluded.start_time, meeting = excluded.meeting,
      listed = excluded.listed, complete = excluded.complete`,
    segments: "DO NOTHING",
    documents: `(meeting_id, id, format) DO UPDATE SET
      title = excluded.title, content = excluded.content`,
  };
  const sql = `INSERT INTO ${table}
    SELECT * FROM json_populate_recordset(NULL::${table}, $1)
    ON CONFLICT ${onConflict[table]}`;
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
