import { createReceiver } from "notetaker-sdk/webhooks";

interface Worker {
  env: { NOTETAKER_WEBHOOK_SECRET: string };
  context: { waitUntil(work: Promise<unknown>): void };
}

// For one isolate. If several serve the URL, pass the option `dedupe` (see "More than one process").
const receiver = createReceiver<Worker>({
  secrets: (_, { env }) => env.NOTETAKER_WEBHOOK_SECRET,
  waitUntil: (work, { context }) => context.waitUntil(work),
});

receiver.on("meeting.transcript_ready", async ({ meetingId }) => {
  console.log(`The transcript of ${meetingId} is ready.`);
});

export default {
  fetch: (request: Request, env: Worker["env"], context: Worker["context"]): Promise<Response> =>
    receiver.handle(request, { env, context }),
};
