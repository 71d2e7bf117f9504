/** POST /api/notetaker: the URL of the webhook. An event ends the cached reads that it makes wrong. */
import { revalidateTag } from "next/cache";
import { createReceiver } from "notetaker-sdk/webhooks";

// The secret may be missing in a build: then, and only then, deliveries would get 503.
const receiver = createReceiver({ secrets: process.env.NOTETAKER_WEBHOOK_SECRET });

receiver.on("meeting.transcript_ready", () => revalidateTag("rooms", { expire: 0 }));
receiver.on("meeting.initial_summary_ready", () => revalidateTag("rooms", { expire: 0 }));

export const POST = receiver.handle;
