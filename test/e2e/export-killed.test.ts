/** Exports that are killed many times write the same files as an uninterrupted export. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { createEmulator } from "notetaker-sdk/testing";
import { expect, test } from "vitest";
import { account, contents, meetings, run, runAndKill, type Store } from "../node/export/export-support.js";
import { root } from "../support/run-program.js";

const MEETINGS = 2_000;
const KILLS = 50;
/**
 * The number of steps (requests, reads and writes) before a run is killed. The next run first fetches again what was
 * under way at the kill, which takes fewer than 100 steps. A whole export takes about 36,000 steps, so the last kill
 * comes before the export is complete.
 */
const LIFE = fc.integer({ min: 100, max: 1_100 });

test("an export of 2,000 meetings that is killed at 50 random points writes the same bytes as one run, and fetches each item at most twice", async () => {
  const { service, fetched } = account(meetings(MEETINGS));
  const start = service.snapshot();
  const clean: Store = new Map();
  const begun = service.clock.now();
  await run(service, clean);
  expect(new Set(fetched.values())).toEqual(new Set([1, MEETINGS / 50]));
  expect(service.clock.now() - begun).toBeLessThan(((3 * MEETINGS) / 60 + 5) * 60_000);

  service.restore(start);
  fetched.clear();
  const store: Store = new Map();
  const lives = fc.sample(LIFE, KILLS);
  let kills = 0;
  for (const steps of lives) if (await runAndKill(service, store, steps)) kills += 1;
  const { meetings: count, missing, resumed } = await run(service, store);

  expect({ count, missing, resumed }).toEqual({ count: MEETINGS, missing: [], resumed: true });
  expect(kills).toBe(KILLS);
  expect(contents(store), `killed after ${lives} steps`).toEqual(contents(clean));
  const { list, ...pieces } = Object.fromEntries(fetched);
  expect(Object.keys(pieces)).toHaveLength(3 * MEETINGS);
  expect(Math.max(...Object.values(pieces)), `killed after ${lives} steps`).toBeLessThanOrEqual(2);
  expect(list).toBeLessThanOrEqual(MEETINGS / 50 + KILLS);
  // Each run may get one 429, on its first request: it cannot know how many requests the run before it has sent.
  expect(service.requests.filter(({ status }) => status === 429).length).toBeLessThanOrEqual(KILLS);
});

/** Exports into the folder that is passed as its argument, without pauses. */
const PROGRAM = `
  import { Notetaker } from "notetaker-sdk";
  import { exportMeetings } from "notetaker-sdk/node";
  await exportMeetings(new Notetaker(), {
    into: process.argv[1],
    requestsPerMinute: 1e6,
    formats: { documents: ["markdown", "docx"], recording: true },
  });
`;

async function files(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const read = paths.map(async (path) => [path.slice(folder.length), await readFile(path, "base64")] as const);
  return Object.fromEntries(await Promise.all(read));
}

test("an export completes the work of an export that was killed with SIGKILL", async () => {
  let requests = 0;
  let onRequest = () => {};
  const service = createEmulator({
    seed: { meetings: meetings(60) },
    limits: "none",
    onRequest: () => {
      requests += 1;
      onRequest();
    },
  });
  const { url, close } = await service.listen({ port: 0 });
  const folder = await mkdtemp(join(tmpdir(), "killed-"));
  const start = (into: string) =>
    spawn(process.execPath, ["--import", "tsx", "--input-type=module", "--eval", PROGRAM, join(folder, into)], {
      cwd: root,
      env: { ...process.env, NOTETAKER_BASE_URL: url, NOTETAKER_TOKEN: service.token },
      stdio: ["ignore", "inherit", "inherit"],
    });
  try {
    expect(await once(start("clean"), "close")).toEqual([0, null]);
    for (const life of [1, 30, 90, 45]) {
      const child = start("killed");
      const last = requests + life;
      onRequest = () => {
        if (requests >= last) child.kill("SIGKILL");
      };
      expect(await once(child, "close")).toEqual([null, "SIGKILL"]);
    }
    onRequest = () => {};
    expect(await once(start("killed"), "close")).toEqual([0, null]);
    expect(await files(join(folder, "killed"))).toEqual(await files(join(folder, "clean")));
  } finally {
    await rm(folder, { recursive: true });
    await close();
  }
});
