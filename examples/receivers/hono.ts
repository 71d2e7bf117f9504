import { Hono } from "hono";
import { createReceiver } from "notetaker-sdk/webhooks";

const receiver = createReceiver({
  secrets: process.env.NOTETAKER_WEBHOOK_SECRET,
});

receiver.on("meeting.transcript_ready", async ({ meetingId }) => {
  console.log(`The transcript of ${meetingId} is ready.`);
});

const app = new Hono();

app.post("/hooks/notetaker", (c) => receiver.handle(c.req.raw));

export default app;
