/**
 * Adds the transcript of each call with a customer to the customer's ticket, as
 * an internal note with the questions of the call at the top. The desk is any
 * help desk with an HTTP API. Node 22.16 and later.
 */
import { createServer } from "node:http";
import { DatabaseSync } from "node:sqlite";
import {
  type Meeting,
  Notetaker,
  syncMeetings,
  type Transcript,
} from "notetaker-sdk";
import { sqliteStore } from "notetaker-sdk/sql";
import { formatTime, toText, turns } from "notetaker-sdk/transcript";
import { createReceiver, toNodeListener } from "notetaker-sdk/webhooks";

const {
  DESK_URL,
  DESK_TOKEN,
  OUR_DOMAIN = "example.com",
  NOTETAKER_WEBHOOK_SECRET,
  DATABASE = "support-desk.sqlite",
  SINCE,
  PORT = "3000",
} = process.env;

const db = new DatabaseSync(DATABASE);
// `since`: the first start, so that no earlier call gets a note. `version` and
// `id`: the last call that was looked at.
db.exec(`CREATE TABLE IF NOT EXISTS desk
  (one UNIQUE DEFAULT 1, since, version DEFAULT 0, id DEFAULT '')`);
db.prepare("INSERT OR IGNORE INTO desk (since) VALUES (?)").run(
  SINCE ?? new Date().toISOString(),
);

const receiver = createReceiver({ secrets: NOTETAKER_WEBHOOK_SECRET });
const server = createServer(toNodeListener(receiver.handle));
server.listen(Number(PORT), "127.0.0.1", () =>
  console.log("listening on", server.address()),
);

const stop = new AbortController();
process.once("SIGTERM", () => stop.abort());
try {
  await syncMeetings(new Notetaker(), {
    into: sqliteStore(db),
    follow: true,
    wake: receiver.events(),
    since: new Date(String(db.prepare("SELECT since FROM desk").get()?.since)),
    formats: { documents: [] },
    onChange: addNotes,
    signal: stop.signal,
  });
} catch (error) {
  if (!stop.signal.aborted) throw error;
} finally {
  server.close();
}

async function addNotes() {
  const calls = db.prepare(`
    SELECT version, id, meeting, transcript FROM notetaker_meetings
    WHERE (version, id) > (SELECT version, id FROM desk)
      AND transcript IS NOT NULL
    ORDER BY version, id`);
  const setDone = db.prepare("UPDATE desk SET version = ?, id = ?");
  for (const { version, id, meeting, transcript } of calls.all()) {
    await addNote(JSON.parse(String(meeting)), JSON.parse(String(transcript)));
    setDone.run(Number(version), String(id));
  }
}

async function addNote(meeting: Meeting, transcript: Transcript) {
  // The first participant from another domain; none in an internal call.
  const customer = meeting.participants
    ?.map(({ email }) => email ?? "")
    .find((email) => email.includes("@") && !email.endsWith(`@${OUR_DOMAIN}`));
  if (customer === undefined) return;

  const questions = turns(transcript, { maxGapSeconds: 5 }).filter(({ text }) =>
    text.includes("?"),
  );
  const note = [
    `${meeting.title ?? "Call"}, ${meeting.start_time}`,
    "Questions:",
    ...questions.map(
      ({ start_time, speaker_name, text }) =>
        `- ${formatTime(start_time)} ${speaker_name}: ${text}`,
    ),
    "",
    toText(transcript),
  ].join("\n");
  const response = await fetch(`${DESK_URL}/notes`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${DESK_TOKEN}`,
      "content-type": "application/json",
      "idempotency-key": meeting.id,
    },
    body: JSON.stringify({ customer, note, internal: true }),
    signal: AbortSignal.timeout(30_000),
  });
  if (!response.ok) throw new Error(`the desk responded ${response.status}`);
}
