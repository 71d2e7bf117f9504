/** The web processes and the worker, with their own Redis. */
import { expect, onTestFinished, test } from "vitest";
import { hasRedis, startRedis } from "../../test/redis/support/redis-server.js";
import { attempts, deliverOverHttp, emulatedAccount, meetingId } from "./support/emulated-account.js";
import { recipeFolder } from "./support/run-folder.js";
import { startProgram } from "./support/start-program.js";

test.runIf(hasRedis)(
  "the job queue handles each event once, in another process, because delivery keys are job ids",
  async () => {
    const redis = await startRedis();
    onTestFinished(() => redis.close());
    const { service, env } = await emulatedAccount();
    const folder = recipeFolder("express-bullmq");
    const start = (file: string, ready?: RegExp) => startProgram(folder, file, { ...env, REDIS_URL: redis.url }, ready);
    const [server, again, worker] = await Promise.all([
      start("server.ts"),
      start("server.ts"),
      start("worker.ts", /waiting for jobs/),
    ]);

    // Both web processes get the event, and one of them gets it twice.
    const id = meetingId(service, "Quarterly planning");
    service.webhooks.deliverTo(async ({ headers, body }) => {
      const bytes = await new Response(body).arrayBuffer();
      const post = ({ url }: { url: string }) =>
        fetch(`${url}/hooks/notetaker`, { method: "POST", headers, body: bytes });
      const [response] = await Promise.all([post(server), post(again), post(again)]);
      return response ?? Response.error();
    });
    await service.webhooks.send("meeting.transcript_ready", id);
    await worker.printed(new RegExp(`saved ${id}: \\d+ segments`));

    // The service is busy for a moment, and the queue retries.
    service.faults.next("GET /meetings/:id/transcript", { status: 503, retryAfterSeconds: 0, times: 3 });
    deliverOverHttp(service, `${server.url}/hooks/notetaker`);
    const second = meetingId(service, "Release retrospective");
    await service.webhooks.send("meeting.transcript_ready", second);
    expect(attempts(service)).toEqual([200]);
    await worker.printed(new RegExp(`saved ${second}: \\d+ segments`));
    expect(worker.output().match(/^saved /gm)).toHaveLength(2);

    expect(await Promise.all([server, again, worker].map(({ stop }) => stop()))).toEqual([0, 0, 0]);
  },
);
