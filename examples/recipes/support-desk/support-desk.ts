/**
 * A support desk: when the transcript of a call with a customer is ready, the
 * program adds it to the customer's ticket as an internal note, once, with the
 * questions of the call at the top.
 *
 * The desk is any help desk with an HTTP API (DESK_URL and DESK_TOKEN). The
 * program finds the customer by the e-mail addresses of the meeting's
 * participants.
 */
import { createServer } from "node:http";
import { type Meeting, Notetaker } from "notetaker-sdk";
import { formatTime, toText, turns } from "notetaker-sdk/transcript";
import { createReceiver, toNodeListener } from "notetaker-sdk/webhooks";

const {
  DESK_URL,
  DESK_TOKEN,
  OUR_DOMAIN = "example.com",
  NOTETAKER_WEBHOOK_SECRET,
  PORT = "3000",
} = process.env;
const notetaker = new Notetaker();

const receiver = createReceiver({
  secrets: NOTETAKER_WEBHOOK_SECRET,
  onError: (error, { status, event }) =>
    console.error(`${status} for ${event?.meetingId}:`, error),
});

receiver.on(
  "meeting.transcript_ready",
  async ({ meetingId }, { deliveryKey, signal }) => {
    const [meeting, transcript] = await Promise.all([
      notetaker.meetings.get(meetingId, {}, { signal }),
      notetaker.meetings.getTranscript(meetingId, { signal }),
    ]);
    const customer = customerOf(meeting);
    if (customer === undefined) return; // an internal call

    const questions = turns(transcript, { maxGapSeconds: 5 }).filter(
      ({ text }) => text.includes("?"),
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
      // The desk adds one note for each key, even if this process dies before
      // it responds and the event is delivered again.
      headers: {
        authorization: `Bearer ${DESK_TOKEN}`,
        "content-type": "application/json",
        "idempotency-key": deliveryKey,
      },
      body: JSON.stringify({ customer, note, internal: true }),
      signal,
    });
    // An error gets 503, and the service delivers again.
    if (!response.ok) throw new Error(`the desk responded ${response.status}`);
  },
);

/** The first participant from another domain. */
function customerOf({ participants }: Meeting): string | undefined {
  const addresses = (participants ?? []).map(({ email }) => email ?? "");
  return addresses.find(
    (email) => email.includes("@") && !email.endsWith(`@${OUR_DOMAIN}`),
  );
}

const server = createServer(toNodeListener(receiver.handle));
server.listen(Number(PORT), "127.0.0.1", () =>
  console.log("listening on", server.address()),
);
process.once("SIGTERM", () => server.close());
