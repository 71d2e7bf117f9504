/**
 * The process that does the work; you can run several of them. If a job fails,
 * the queue tries it again.
 */
import { UnrecoverableError, Worker } from "bullmq";
import { ForbiddenError, Notetaker, UnauthorizedError } from "notetaker-sdk";

const connection = { url: process.env.REDIS_URL ?? "redis://127.0.0.1:6379" };
const notetaker = new Notetaker();

const worker = new Worker<{ meetingId: string }>(
  "transcripts",
  async ({ data: { meetingId } }) => {
    try {
      const { segments } = await notetaker.meetings.getTranscript(meetingId);
      console.log(`saved ${meetingId}: ${segments.length} segments`);
    } catch (error) {
      // A refused token stays refused. Another attempt may succeed after a 404
      // (the transcript is not ready yet), a 429, a 5xx or a lost connection.
      const isFinal =
        error instanceof UnauthorizedError || error instanceof ForbiddenError;
      throw isFinal ? new UnrecoverableError(error.message) : error;
    }
  },
  { connection, concurrency: 5 },
);
worker.on("ready", () => console.log("waiting for jobs"));
worker.on("failed", (job, error) =>
  console.error(`job ${job?.id} failed: ${error.message}`),
);

process.once("SIGTERM", () => worker.close());
