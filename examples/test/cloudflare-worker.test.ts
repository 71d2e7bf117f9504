/** The Worker, in workerd with a queue and a D1 database. The emulator is its service. */
import { join } from "node:path";
import type { Readable } from "node:stream";
import { build } from "esbuild";
import { Miniflare } from "miniflare";
import { aMeeting, createEmulator, sendEvent } from "notetaker-sdk/testing";
import { beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { recipeFolder } from "./support/run-folder.js";
import { typeErrors } from "./support/type-check.js";

const SECRET = "whsec_of_the_worker";
const NOW = new Date("2025-06-02T09:00:00Z");

let folder: string;

beforeAll(() => {
  folder = recipeFolder("cloudflare-worker");
});

/** The Worker as `wrangler deploy` bundles it, and the service that the Worker calls. */
async function deployed() {
  const meetings = ["mtg_1", "mtg_2"].map((id) => aMeeting({ id, title: id, start_time: "2025-06-02T08:00:00Z" }));
  const service = createEmulator({ seed: { meetings }, now: NOW });
  const { url, close } = await service.listen({ port: 0 });
  onTestFinished(close);
  const { outputFiles } = await build({
    entryPoints: [join(folder, "worker.ts")],
    bundle: true,
    format: "esm",
    conditions: ["workerd", "worker", "browser"],
    write: false,
  });
  const worker = new Miniflare({
    modules: true,
    script: outputFiles[0]!.text,
    compatibilityDate: "2026-01-01",
    bindings: {
      NOTETAKER_BASE_URL: url,
      NOTETAKER_TOKEN: service.token,
      NOTETAKER_WEBHOOK_SECRET: SECRET,
    },
    queueProducers: { JOBS: "meetings" },
    queueConsumers: { meetings: { maxBatchSize: 10, maxBatchTimeout: 0, maxRetries: 10 } },
    d1Databases: ["DB"],
    // The Worker logs the errors that the tests cause.
    handleRuntimeStdio: (stdout: Readable, stderr: Readable) => {
      stdout.resume();
      stderr.resume();
    },
  });
  onTestFinished(() => worker.dispose());
  const address = await worker.ready;
  const database = await worker.getD1Database("DB");
  const stored = async () => {
    const sql = "SELECT id FROM notetaker_meetings WHERE transcript IS NOT NULL ORDER BY id";
    const { results } = await database
      .prepare(sql)
      .all<{ id: string }>()
      .catch(() => ({ results: [] })); // no tables yet
    return results.map(({ id }) => id);
  };
  // Another program on the machine may still send requests to a port that was its own before: they have another token.
  const requests = () => service.as(service.token).requests.map(({ status }) => status);
  return { service, requests, worker, address, stored };
}

describe("a Cloudflare Worker", () => {
  test("compiles with the types of Workers", async () => {
    expect(await typeErrors(folder)).toBe("");
  });

  test("stores a meeting after its event", async () => {
    const { address, stored } = await deployed();
    const sent = await sendEvent(address.href, {
      kind: "meeting.transcript_ready",
      meetingId: "mtg_1",
      secret: SECRET,
    });
    expect(sent.accepted).toBe(true);
    await vi.waitUntil(async () => (await stored()).length > 0, { timeout: 60_000 });
    expect(await stored()).toEqual(["mtg_1"]);
  });

  test("refuses an event with a wrong signature", async () => {
    const { requests, worker, stored } = await deployed();
    const response = await worker.dispatchFetch("https://worker.example/", { method: "POST", body: "{}" });
    expect(response.status).toBe(401);
    expect(await stored()).toEqual([]);
    expect(requests()).toEqual([]);
  });

  test("stores the meetings whose event never arrived, and requests no piece again in the next run", async () => {
    const { service, worker, stored } = await deployed();
    const { scheduled } = await worker.getWorker();
    const run = async () => expect(await scheduled({ cron: "*/5 * * * *" })).toMatchObject({ outcome: "ok" });
    await run();
    expect(await stored()).toEqual(["mtg_1", "mtg_2"]);
    const before = service.requests.length;
    await run();
    const routes = service.requests.slice(before).map(({ route }) => route);
    expect(new Set(routes)).toEqual(new Set(["GET /meetings"]));
  });
});
