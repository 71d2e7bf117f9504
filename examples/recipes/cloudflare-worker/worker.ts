/**
 *   npm install notetaker-sdk && npm install --save-dev wrangler
 *   npx wrangler types
 *   npx wrangler d1 create meetings   # its id belongs into wrangler.jsonc
 *   npx wrangler queues create meetings
 *   npx wrangler secret put NOTETAKER_TOKEN
 *   npx wrangler secret put NOTETAKER_WEBHOOK_SECRET
 *   npx wrangler deploy
 */
import {
  EVENT_KINDS,
  type MeetingStore,
  Notetaker,
  syncMeetings,
} from "notetaker-sdk";
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

// #region worker
const receiver = createReceiver<Env>({
  secrets: (_, env) => env.NOTETAKER_WEBHOOK_SECRET,
});
for (const kind of EVENT_KINDS)
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

  async scheduled(_, env) {
    const budget = { requests: 30 };
    const into = storeOf(env);
    const { missing, ...result } = await syncMeetings(client(env), {
      into,
      budget,
    });
    console.log(result); // paused without a meeting: the service fails
  },
} satisfies ExportedHandler<Env, Job>;
// #endregion
