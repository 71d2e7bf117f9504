/**
 * A Cloudflare Worker that keeps the transcript of every meeting in a bucket.
 *
 *   fetch      receives the webhook, and puts the meeting into a queue
 *   queue      reads the transcript, and writes it into the bucket as Markdown
 *   scheduled  looks once an hour for every meeting that the bucket lacks
 *
 *   npx wrangler secret put NOTETAKER_TOKEN
 *   npx wrangler secret put NOTETAKER_WEBHOOK_SECRET
 *   npx wrangler deploy
 */
import { Notetaker, RateLimitedError, walkMeetings } from "notetaker-sdk";
import { toMarkdown } from "notetaker-sdk/transcript";
import { createReceiver } from "notetaker-sdk/webhooks";

interface Job {
  meetingId: string;
}

interface Env {
  NOTETAKER_BASE_URL: string;
  NOTETAKER_TOKEN: string;
  NOTETAKER_WEBHOOK_SECRET: string;
  MEETINGS: Queue<Job>;
  TRANSCRIPTS: R2Bucket;
}

/**
 * A client is created in microseconds and opens no connection. If the service
 * requests a wait of more than 5 s, the call fails, and the queue retries the
 * job.
 */
const client = (env: Env) =>
  new Notetaker({
    baseUrl: env.NOTETAKER_BASE_URL,
    token: env.NOTETAKER_TOKEN,
    maxRetryDelayMs: 5_000,
  });

const fileName = (meetingId: string) => `${meetingId}.md`;

// Each isolate remembers only the deliveries that it has handled itself. So a
// job may be queued twice; it then writes the same file again.
const receiver = createReceiver<Env>({
  secrets: (_, env) => env.NOTETAKER_WEBHOOK_SECRET,
});
receiver.on("meeting.transcript_ready", ({ meetingId }, { context: env }) =>
  env.MEETINGS.send({ meetingId }),
);

async function saveTranscript(meetingId: string, env: Env): Promise<void> {
  const transcript = await client(env).meetings.getTranscript(meetingId);
  await env.TRANSCRIPTS.put(fileName(meetingId), toMarkdown(transcript));
}

/**
 * The time until the queue tries again: the time that the service requests, or
 * a minute.
 */
function retryDelaySeconds(error: unknown): number {
  const delayMs =
    error instanceof RateLimitedError ? error.retryAfterMs : undefined;
  return Math.ceil((delayMs ?? 60_000) / 1_000);
}

const CHECKPOINT = "checkpoint.json";

export default {
  fetch: (request, env) => receiver.handle(request, env),

  async queue(batch, env) {
    for (const message of batch.messages) {
      try {
        await saveTranscript(message.body.meetingId, env);
        message.ack();
      } catch (error) {
        // After max_retries, the queue moves the message to the dead letter
        // queue, so that no meeting is lost.
        console.error(message.body.meetingId, error);
        message.retry({ delaySeconds: retryDelaySeconds(error) });
      }
    }
  },

  async scheduled(_, env) {
    const bucket = env.TRANSCRIPTS;
    const put = (checkpoint: string) => bucket.put(CHECKPOINT, checkpoint);
    const walk = walkMeetings(client(env), {
      follow: "once",
      resume: await (await bucket.get(CHECKPOINT))?.text(),
      // The queue has stored most of them. A transcript does not change.
      wants: async ({ id }) =>
        (await bucket.head(fileName(id))) === null && { documents: [] },
      onIdle: async (checkpoint) => void (await put(checkpoint)),
    });
    // If the runtime ends a long run, the next one continues.
    for await (const { meeting, transcript, missing, checkpoint } of walk) {
      if (transcript !== undefined)
        await bucket.put(fileName(meeting.id), toMarkdown(transcript));
      // It will never come: with a file, no later run asks for it.
      else if (!missing.some(({ retryable }) => retryable))
        await bucket.put(fileName(meeting.id), "No transcript");
      await put(checkpoint);
    }
  },
} satisfies ExportedHandler<Env, Job>;
