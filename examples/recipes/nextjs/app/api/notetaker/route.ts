/**
 * POST /api/notetaker: the URL of the webhook. An event revalidates the cached
 * reads that it makes outdated.
 */
import { revalidateTag } from "next/cache";
import { createReceiver } from "notetaker-sdk/webhooks";

// The secret may be missing during a build. If it is missing at run time,
// deliveries get 503.
const receiver = createReceiver({
  secrets: process.env.NOTETAKER_WEBHOOK_SECRET,
});

receiver.on("meeting.transcript_ready", () =>
  revalidateTag("rooms", { expire: 0 }),
);
receiver.on("meeting.initial_summary_ready", () =>
  revalidateTag("rooms", { expire: 0 }),
);

export const POST = receiver.handle;
