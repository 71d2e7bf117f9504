import express from "express";
import { createReceiver, toNodeListener } from "notetaker-sdk/webhooks";

const receiver = createReceiver({
  secrets: process.env.NOTETAKER_WEBHOOK_SECRET,
});

receiver.on("meeting.transcript_ready", async ({ meetingId }) => {
  console.log(`The transcript of ${meetingId} is ready.`);
});

export const app = express();

// Before express.json(): the signature covers the body as it was sent.
app.post("/hooks/notetaker", toNodeListener(receiver.handle));

app.use(express.json());
app.post("/echo", (req, res) => {
  res.json(req.body);
});

if (process.argv.includes("--listen")) app.listen(3000);
