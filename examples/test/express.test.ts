/** The web processes of the Express recipe and the worker, with their own Redis. */
import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Notetaker } from "notetaker-sdk";
import { aMeeting, aWebhook } from "notetaker-sdk/testing";
import { expect, onTestFinished, test, vi } from "vitest";
import { hasRedis, startRedis } from "../../test/redis/support/redis-server.js";
import { toneWav } from "../tour/wav.js";
import { attempts, emulatedAccount } from "./support/emulated-account.js";
import { examples, recipeFolder } from "./support/run-folder.js";
import { startProgram } from "./support/start-program.js";
import { typeErrors } from "./support/type-check.js";

test.runIf(hasRedis)(
  "a job reads the meeting of each event once, because delivery keys are job ids, and a tick reads what a job could not",
  async () => {
    const redis = await startRedis();
    onTestFinished(() => redis.close());
    const webhooks = [aWebhook({ url: "https://app.example.com/hooks" })];
    const { service, env } = await emulatedAccount({ seed: { meetings: [aMeeting({ id: "mtg_1" })], webhooks } });
    const folder = recipeFolder("express");
    for (const file of ["queue.ts", "log.ts", "settings.ts"])
      cpSync(join(examples, "many-accounts", file), join(folder, file));
    const config = { extends: join(examples, "tsconfig.json"), include: ["*.ts"], exclude: [] };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
    expect(await typeErrors(folder)).toBe("");
    const variables = { ...env, REDIS_URL: redis.url, TICK_MS: "1000" };
    const start = (file: string, ready?: RegExp) => startProgram(folder, file, variables, ready);
    const [server, again, worker] = await Promise.all([
      start("server.ts"),
      start("server.ts"),
      start("worker.ts", /waiting for jobs/),
    ]);

    // The first tick has read the account. Both web processes get an event, and one of them gets it twice.
    const id = "mtg_1";
    await worker.printed(new RegExp(`saved ${id}: .*transcript`));
    const transcript = `GET /meetings/{meeting_id}/transcript`;
    const reads = () => service.requests.filter(({ route, path }) => route === transcript && path.includes(id)).length;
    expect(reads()).toBe(1);
    service.webhooks.deliverTo(async ({ headers, body }) => {
      const bytes = await new Response(body).arrayBuffer();
      const post = ({ url }: { url: string }) =>
        fetch(`${url}/hooks/notetaker`, { method: "POST", headers, body: bytes });
      const [response] = await Promise.all([post(server), post(again), post(again)]);
      return response ?? Response.error();
    });
    await service.webhooks.send("meeting.transcript_ready", id);
    expect(attempts(service)).toEqual([200]);
    await vi.waitFor(() => expect(reads()).toBe(2), 60_000);

    // The service fails for as long as the job of the event lasts, and a new meeting is read by a tick.
    const { id: late } = await new Notetaker(service.clientOptions).meetings.upload(toneWav(1), {
      title: "Late",
      contentType: "audio/wav",
    });
    service.faults.next(transcript, { status: 503, retryAfterSeconds: 0, times: 12 });
    await service.meetings.finish(late);
    await worker.printed(new RegExp(`saved ${late}: .*transcript`));
    expect(reads()).toBe(2);

    expect(await Promise.all([server, again, worker].map(({ stop }) => stop()))).toEqual([0, 0, 0]);
  },
);
