/**
 * A support desk: when the transcript of a call with a customer is ready, the
 * program adds it to the customer's ticket as an internal note, once, with the
 * questions of the call at the top.
 *
 * The desk is any help desk with an HTTP API (DESK_URL and DESK_TOKEN). The
 * program finds the customer by the e-mail addresses of the meeting's
 * participants. If the desk fails, the program ends. Let a supervisor start it
 * again: it continues with the same meeting.
 */
import { existsSync, readFileSync } from "node:fs";
import { rename, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import {
  type Meeting,
  Notetaker,
  type Transcript,
  walkMeetings,
} from "notetaker-sdk";
import { formatTime, toText, turns } from "notetaker-sdk/transcript";
import { createReceiver, toNodeListener } from "notetaker-sdk/webhooks";

const {
  DESK_URL,
  DESK_TOKEN,
  OUR_DOMAIN = "example.com",
  NOTETAKER_WEBHOOK_SECRET,
  CHECKPOINT_FILE = "support-desk.checkpoint",
  SINCE,
  PORT = "3000",
} = process.env;

const receiver = createReceiver({ secrets: NOTETAKER_WEBHOOK_SECRET });
const server = createServer(toNodeListener(receiver.handle));
server.listen(Number(PORT), "127.0.0.1", () =>
  console.log("listening on", server.address()),
);

async function saveCheckpoint(checkpoint: string): Promise<void> {
  await writeFile(`${CHECKPOINT_FILE}.new`, checkpoint);
  // in one step, so that a crash leaves no half of a checkpoint
  await rename(`${CHECKPOINT_FILE}.new`, CHECKPOINT_FILE);
}

const stop = new AbortController();
process.once("SIGTERM", () => stop.abort());
const walk = walkMeetings(new Notetaker(), {
  follow: true,
  // The first start adds no notes about calls of the past.
  since: SINCE ?? new Date(),
  resume: existsSync(CHECKPOINT_FILE)
    ? readFileSync(CHECKPOINT_FILE, "utf8")
    : undefined,
  wake: receiver.events(),
  formats: { documents: [] },
  onIdle: saveCheckpoint,
  signal: stop.signal,
});
try {
  for await (const { meeting, transcript, checkpoint } of walk) {
    const customer = customerOf(meeting);
    // Without a transcript, the meeting is yielded again when there is one.
    // Without a customer, it is an internal call.
    if (transcript !== undefined && customer !== undefined)
      await addNote(customer, meeting, transcript);
    await saveCheckpoint(checkpoint);
  }
} catch (error) {
  if (!stop.signal.aborted) throw error;
} finally {
  server.close();
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
    // The desk adds one note for each key, even if the meeting is yielded again
    // or this process dies before it has stored the checkpoint.
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
