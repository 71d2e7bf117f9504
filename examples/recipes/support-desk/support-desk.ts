/**
 * A support desk: when the transcript of a call with a customer is ready, the
 * program adds it to the customer's ticket as an internal note, once, with the
 * questions of the call at the top.
 *
 * The desk is any help desk with an HTTP API (DESK_URL and DESK_TOKEN). The
 * program finds the customer by the e-mail addresses of the meeting's
 * participants. If the desk fails, the program ends. Let a supervisor start it
 * again: it continues with the same meeting. It needs Node 22.16 or later, for
 * `node:sqlite`.
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
// The first start adds no notes about calls of the past. `version` and `id` are
// those of the last call that was looked at.
db.exec(`CREATE TABLE IF NOT EXISTS desk
  (one INTEGER PRIMARY KEY CHECK (one = 1), since, version, id)`);
db.prepare("INSERT OR IGNORE INTO desk VALUES (1, ?, 0, '')").run(
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
    since: new Date(db.prepare("SELECT since FROM desk").get()?.since),
    formats: { documents: [] },
    onChange: addNotes,
    signal: stop.signal,
  });
} catch (error) {
  if (!stop.signal.aborted) throw error;
} finally {
  server.close();
}

/** Adds the notes that were not added. */
async function addNotes(): Promise<void> {
  const calls = db.prepare(`
    SELECT version, id, meeting, transcript FROM notetaker_meetings
    WHERE (version, id) > (SELECT version, id FROM desk)
      AND transcript IS NOT NULL
    ORDER BY version, id`);
  const setDone = db.prepare("UPDATE desk SET version = ?, id = ?");
  for (const { version, id, ...call } of calls.all()) {
    const meeting = JSON.parse(call.meeting);
    const customer = customerOf(meeting);
    // Without a customer, it is an internal call.
    if (customer !== undefined)
      await addNote(customer, meeting, JSON.parse(call.transcript));
    setDone.run(version, id);
  }
}

async function addNote(
  customer: string,
  meeting: Meeting,
  transcript: Transcript,
): Promise<void> {
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
    // The desk adds one note for each key, even if the meeting has changed, or
    // this process dies before `setDone`.
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

/** The first participant from another domain. */
function customerOf({ participants }: Meeting): string | undefined {
  const addresses = (participants ?? []).map(({ email }) => email ?? "");
  return addresses.find(
    (email) => email.includes("@") && !email.endsWith(`@${OUR_DOMAIN}`),
  );
}
