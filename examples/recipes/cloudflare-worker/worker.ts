/**
 * A Cloudflare Worker that keeps every meeting in a D1 database.
 *
 *   fetch      receives the webhook, and puts the meeting into a queue
 *   queue      stores the meeting at once
 *   scheduled  stores what is new, also if its event never arrived
 *
 *   npx wrangler d1 create meetings
 *   npx wrangler secret put NOTETAKER_TOKEN
 *   npx wrangler secret put NOTETAKER_WEBHOOK_SECRET
 *   npx wrangler deploy
 */
import { type MeetingStore, Notetaker, syncMeetings } from "notetaker-sdk";
import { sqlStore } from "notetaker-sdk/sql";
import { createReceiver } from "notetaker-sdk/webhooks";

interface Job {
  meetingId: string;
}

interface Env {
  NOTETAKER_BASE_URL: string;
  NOTETAKER_TOKEN: string;
  NOTETAKER_WEBHOOK_SECRET: string;
  JOBS: Queue<Job>;
  DB: D1Database;
}

/** A client is created in microseconds and opens no connection. */
const client = (env: Env) =>
  new Notetaker({
    baseUrl: env.NOTETAKER_BASE_URL,
    token: env.NOTETAKER_TOKEN,
  });

const storeOf = ({ DB }: Env): MeetingStore =>
  sqlStore({
    dialect: "sqlite",
    all: async (sql, params) =>
      (
        await DB.prepare(sql)
          .bind(...params)
          .all()
      ).results,
    transaction: async (statements) => {
      const bound = statements.map(({ sql, params }) =>
        DB.prepare(sql).bind(...params),
      );
      return (await DB.batch(bound)).map(({ results }) => results);
    },
  });

// Each isolate remembers only the deliveries that it has handled itself. So a
// meeting may be queued twice; the second job changes nothing.
const receiver = createReceiver<Env>({
  secrets: (_, env) => env.NOTETAKER_WEBHOOK_SECRET,
});
for (const kind of [
  "meeting.transcript_ready",
  "meeting.initial_summary_ready",
] as const)
  receiver.on(kind, ({ meetingId }, { context: env }) =>
    env.JOBS.send({ meetingId }),
  );

export default {
  fetch: (request, env) => receiver.handle(request, env),

  // If it rejects, the queue delivers the jobs again.
  async queue(batch, env) {
    const only = batch.messages.map(({ body }) => body.meetingId);
    await syncMeetings(client(env), { into: storeOf(env), only });
  },

  // It ends after 30 requests; the next run continues.
  async scheduled(_, env) {
    const budget = { requests: 30 };
    await syncMeetings(client(env), { into: storeOf(env), budget });
  },
} satisfies ExportedHandler<Env, Job>;
