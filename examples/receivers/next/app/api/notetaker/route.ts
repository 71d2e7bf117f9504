import { createReceiver } from "notetaker-sdk/webhooks";

const receiver = createReceiver({
  secrets: process.env.NOTETAKER_WEBHOOK_SECRET,
});

receiver.on("meeting.transcript_ready", async ({ meetingId }) => {
  console.log(`The transcript of ${meetingId} is ready.`);
});

export const POST = receiver.handle;
