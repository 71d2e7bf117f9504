import express from "express";
import { EVENT_KINDS } from "notetaker-sdk";
import { createReceiver, toNodeListener } from "notetaker-sdk/webhooks";
import { changes, events, ONCE, ticks } from "./queue.js";

// #region hook
const receiver = createReceiver({
  secrets: process.env.NOTETAKER_WEBHOOK_SECRET,
});
for (const kind of EVENT_KINDS) {
  receiver.on(kind, async ({ meetingId }, { deliveryKey }) => {
    const job = { customer: "own", meetingId };
    await events.add("event", job, { ...ONCE, jobId: deliveryKey });
  });
}

const app = express();
// Before express.json(): the signature covers the bytes.
app.post("/hooks/notetaker", toNodeListener(receiver.handle));
// #endregion

// The login of your users belongs here, before your own routes.
app.use(express.json({ limit: "100kb" }));

const server = app.listen(Number(process.env.PORT ?? 3000), "127.0.0.1", () => {
  console.log("listening on", server.address());
});

process.once("SIGTERM", async () => {
  server.close();
  await Promise.all([events, ticks, changes].map((queue) => queue.close()));
});
