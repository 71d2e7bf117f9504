import { createReceiver } from "notetaker-sdk/webhooks";

interface Worker {
  env: { NOTETAKER_WEBHOOK_SECRET: string };
  context: { waitUntil(work: Promise<unknown>): void };
}

// By default, each isolate remembers only its own deliveries. If several
// isolates serve the URL, pass the option `dedupe`: see "More than one
// process".
const receiver = createReceiver<Worker>({
  secrets: (_, { env }) => env.NOTETAKER_WEBHOOK_SECRET,
  waitUntil: (work, { context }) => context.waitUntil(work),
});

receiver.on("meeting.transcript_ready", async ({ meetingId }) => {
  console.log(`The transcript of ${meetingId} is ready.`);
});

export default {
  fetch: (
    request: Request,
    env: Worker["env"],
    context: Worker["context"],
  ): Promise<Response> => receiver.handle(request, { env, context }),
};
