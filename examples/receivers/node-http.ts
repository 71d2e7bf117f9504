import { createServer } from "node:http";
import { createReceiver, toNodeListener } from "notetaker-sdk/webhooks";

const receiver = createReceiver({
  secrets: process.env.NOTETAKER_WEBHOOK_SECRET,
});

receiver.on("meeting.transcript_ready", async ({ meetingId }) => {
  console.log(`The transcript of ${meetingId} is ready.`);
});

export const server = createServer(toNodeListener(receiver.handle));

if (process.argv.includes("--listen")) server.listen(3000);
