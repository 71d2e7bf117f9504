/**
 * Archives every meeting in a SQLite database, with its transcript and documents, and removes the meetings that the
 * service no longer has. One transaction saves a meeting and its checkpoint. The next run adds what is new since then.
 *
 *   npx tsx examples/archive-sqlite.ts <file.sqlite>
 *
 * You can stop it at any time: the same command resumes it. With NOTETAKER_BASE_URL and NOTETAKER_TOKEN set, it reads
 * the live service; otherwise it reads the embedded emulator.
 */
import { type WalkedMeeting, walkMeetings } from "notetaker-sdk";
import { openDatabase } from "./archive-sqlite/database.js";
import { exampleClient } from "./support/client.js";

const [path = "meetings.sqlite"] = process.argv.slice(2);
const requestsPerMinute = Number(process.env.REQUESTS_PER_MINUTE ?? 60);

const database = await openDatabase(path);
database.run("CREATE TABLE IF NOT EXISTS meetings (id TEXT PRIMARY KEY, title TEXT, start_time TEXT, transcript TEXT)");
database.run(
  "CREATE TABLE IF NOT EXISTS documents (id TEXT, format TEXT, meeting_id TEXT, title TEXT, content TEXT, PRIMARY KEY (id, format))",
);
database.run("CREATE TABLE IF NOT EXISTS walk (checkpoint TEXT)");

const [resume] = database.column("SELECT checkpoint FROM walk");
let count = 0;
const walk = walkMeetings(exampleClient(), {
  resume,
  requestsPerMinute,
  follow: "once",
  known: () => database.column("SELECT id FROM meetings"),
  onGone: (id) => database.transaction(() => remove(id)),
  onIdle: (checkpoint) => database.transaction(() => saveCheckpoint(checkpoint)),
});
for await (const item of walk) {
  await database.transaction(() => {
    save(item);
    saveCheckpoint(item.checkpoint);
  });
  count += 1;
}
console.log(`${count} ${count === 1 ? "meeting" : "meetings"} in ${path}${resume === undefined ? "" : ", resumed"}`);

function saveCheckpoint(checkpoint: string): void {
  database.run("DELETE FROM walk");
  database.run("INSERT INTO walk VALUES (?)", [checkpoint]);
}

/** What is missing this time stays as it is stored. */
function save({ meeting, transcript, documents, missing }: WalkedMeeting): void {
  const sql = `INSERT INTO meetings VALUES (?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET title = excluded.title,
    start_time = excluded.start_time, transcript = coalesce(excluded.transcript, transcript)`;
  database.run(sql, [
    meeting.id,
    meeting.title ?? null,
    meeting.start_time,
    transcript === undefined ? null : JSON.stringify(transcript),
  ]);
  if (missing.length === 0) database.run("DELETE FROM documents WHERE meeting_id = ?", [meeting.id]);
  for (const { id, format, title, content } of documents) {
    database.run("INSERT OR REPLACE INTO documents VALUES (?, ?, ?, ?, ?)", [id, format, meeting.id, title, content]);
  }
}

function remove(meetingId: string): void {
  database.run("DELETE FROM documents WHERE meeting_id = ?", [meetingId]);
  database.run("DELETE FROM meetings WHERE id = ?", [meetingId]);
}
