/** The Worker, in workerd with a queue and a bucket. The emulator is its service. */
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
    queueProducers: { MEETINGS: "meetings" },
    queueConsumers: { meetings: { maxBatchSize: 5, maxBatchTimeout: 0, maxRetries: 10 } },
    r2Buckets: ["TRANSCRIPTS"],
    // The Worker logs the errors that the tests cause.
    handleRuntimeStdio: (stdout: Readable, stderr: Readable) => {
      stdout.resume();
      stderr.resume();
    },
  });
  onTestFinished(() => worker.dispose());
  const address = await worker.ready;
  const bucket = await worker.getR2Bucket("TRANSCRIPTS");
  const stored = async () => (await bucket.list()).objects.map(({ key }) => key);
  // Another program on the machine may still send requests to a port that was its own before: they have another token.
  const requests = () => service.as(service.token).requests.map(({ status }) => status);
  return { service, requests, worker, address, bucket, stored };
}

describe("a Cloudflare Worker", () => {
  test("compiles with the types of Workers", async () => {
    expect(await typeErrors(folder)).toBe("");
  });

  test("stores the transcript of a meeting after its event, and leaves a long wait to the queue", async () => {
    const { service, requests, address, bucket, stored } = await deployed();
    service.faults.next("GET /meetings/:id/transcript", { status: 429, retryAfterSeconds: 6 });
    const sent = await sendEvent(address.href, {
      kind: "meeting.transcript_ready",
      meetingId: "mtg_1",
      secret: SECRET,
    });
    expect(sent.accepted).toBe(true);

    await vi.waitUntil(async () => (await stored()).length > 0, { timeout: 60_000 });
    expect(await stored()).toEqual(["mtg_1.md"]);
    expect(await (await bucket.get("mtg_1.md"))?.text()).toContain("Ada");
    expect(requests()).toEqual([429, 200]);
  });

  test("refuses an event with a wrong signature", async () => {
    const { requests, worker, stored } = await deployed();
    const response = await worker.dispatchFetch("https://worker.example/", { method: "POST", body: "{}" });
    expect(response.status).toBe(401);
    expect(await stored()).toEqual([]);
    expect(requests()).toEqual([]);
  });

  test("finds once an hour the meetings whose event never arrived, and continues from its checkpoint", async () => {
    const { requests, service, worker, bucket, stored } = await deployed();
    await bucket.put("mtg_1.md", "stored before");
    service.faults.next("GET /meetings/:id/transcript", { status: 503 });
    const { scheduled } = await worker.getWorker();
    const run = async () => expect(await scheduled({ cron: "17 * * * *" })).toMatchObject({ outcome: "ok" });
    await run();
    expect(await stored()).toEqual(["checkpoint.json", "mtg_1.md", "mtg_2.md"]);
    expect(await (await bucket.get("mtg_1.md"))?.text()).toBe("stored before");

    const before = requests().length;
    await run();
    expect(requests()).toHaveLength(before + 1);

    // A transcript that will never come is not asked for again, even without the checkpoint.
    service.faults.next("GET /meetings/:id/transcript", { status: 403 });
    await bucket.delete(["checkpoint.json", "mtg_2.md"]);
    await run();
    expect(await (await bucket.get("mtg_2.md"))?.text()).toBe("No transcript");
    await bucket.delete("checkpoint.json");
    const then = service.requests.length;
    await run();
    expect(service.requests.slice(then).every(({ path }) => path === "/meetings")).toBe(true);
  });
});
