/** The receiver of the webhook. Its handlers sometimes fail, so that deliveries are repeated. */
import { createServer } from "node:http";
import { createReceiver, toNodeListener } from "notetaker-sdk/webhooks";

const HANDLER_FAILS = 0.05;
export const EVENTS = ["meeting.transcript_ready", "meeting.initial_summary_ready"];

/** `secret` is asked for at each delivery: the service makes it after the receiver has its URL. */
export async function startReceiver(secret, note) {
  function handle({ kind, meetingId }) {
    if (Math.random() < HANDLER_FAILS) throw new Error("the handler fails at times");
    note({ handled: `${kind} ${meetingId}`, at: Date.now() });
  }
  const receiver = createReceiver({
    secrets: secret,
    // The handlers fail on purpose.
    onError: () => {},
    handlers: Object.fromEntries(EVENTS.map((kind) => [kind, handle])),
  });
  const server = createServer(toNodeListener(receiver.handle));
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${server.address().port}/hooks`, close: () => server.close() };
}
