import { createReceiver, memoryDedupe } from "notetaker-sdk/webhooks";

interface Env {
  NOTETAKER_WEBHOOK_SECRET: string;
}

interface Context {
  waitUntil(work: Promise<unknown>): void;
}

// For one isolate. Where several serve the address, what was handled belongs into a store that they share.
const dedupe = memoryDedupe();

export default {
  async fetch(request: Request, env: Env, context: Context): Promise<Response> {
    const receiver = createReceiver({
      secrets: env.NOTETAKER_WEBHOOK_SECRET,
      dedupe,
      waitUntil: (work) => context.waitUntil(work),
    });
    receiver.on("meeting.transcript_ready", async ({ meetingId }) => {
      console.log(`The transcript of ${meetingId} is ready.`);
    });
    return receiver.handle(request);
  },
};
