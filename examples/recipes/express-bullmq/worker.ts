/** The process that does the work: as many of them as you like. A job that fails is tried again by the queue. */
import { UnrecoverableError, Worker } from "bullmq";
import { Notetaker, NotetakerError } from "notetaker-sdk";

const connection = { url: process.env.REDIS_URL ?? "redis://127.0.0.1:6379" };
const notetaker = new Notetaker();

const worker = new Worker<{ meetingId: string }>(
  "transcripts",
  async ({ data: { meetingId } }) => {
    try {
      const { segments } = await notetaker.meetings.getTranscript(meetingId);
      console.log(`saved ${meetingId}: ${segments.length} segments`);
    } catch (error) {
      // A refused token or a meeting that is gone stays so; a 429, a 5xx or a lost connection does not.
      if (error instanceof NotetakerError && !error.retryable) throw new UnrecoverableError(error.message);
      throw error;
    }
  },
  { connection, concurrency: 5 },
);
worker.on("ready", () => console.log("waiting for jobs"));
worker.on("failed", (job, error) => console.error(`job ${job?.id} failed: ${error.message}`));

process.once("SIGTERM", () => worker.close());
