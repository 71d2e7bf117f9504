/** An archive that is written by a process that is killed contains each meeting exactly once. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { aDocument, aMeeting, createEmulator } from "notetaker-sdk/testing";
import { describe, expect, test } from "vitest";
import { examples } from "./support/run-folder.js";

const MEETINGS = 130;
const KILLS = 6;

const meetings = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    aMeeting({
      id: `mtg_${String(index).padStart(5, "0")}`,
      documents: ["Summary", "Action items"].map((title, part) => aDocument({ id: `doc_${index}_${part}`, title })),
    }),
  );

/** The meeting and document ids of an archive, sorted. */
const readArchive = async (path: string): Promise<{ meetings: string[]; documents: string[] }> => {
  const lines = (await readFile(path, "utf8")).split("\n").filter((line) => line !== "");
  const items = lines.map((line) => JSON.parse(line)).filter(({ meeting }) => meeting !== undefined);
  return {
    meetings: items.map(({ meeting }) => meeting.id).sort(),
    documents: items.flatMap(({ documents }) => documents.map(({ id }: { id: string }) => id)).sort(),
  };
};

describe("examples/archive-ndjson.ts", () => {
  test(`archives each meeting exactly once although it is killed ${KILLS} times with SIGKILL at random points`, async () => {
    const seeds = meetings(MEETINGS);
    let requests = 0;
    let onRequest = () => {};
    const service = createEmulator({
      seed: { meetings: seeds },
      limits: "none",
      onRequest: () => {
        requests += 1;
        onRequest();
      },
    });
    const { url, close } = await service.listen({ port: 0 });
    const folder = await mkdtemp(join(tmpdir(), "walk-killed-"));
    const path = join(folder, "archive");
    const run = () =>
      spawn(process.execPath, ["--import", import.meta.resolve("tsx"), "archive-ndjson.ts", path], {
        cwd: examples,
        env: {
          ...process.env,
          NOTETAKER_BASE_URL: url,
          NOTETAKER_TOKEN: service.token,
          REQUESTS_PER_MINUTE: "1000000",
        },
        stdio: ["ignore", "pipe", "inherit"],
      });
    try {
      let kills = 0;
      // All runs together send about 400 requests; each run sends a part of them.
      for (const life of fc.sample(fc.integer({ min: 1, max: 55 }), KILLS)) {
        const child = run();
        const dies = requests + life;
        onRequest = () => {
          if (requests >= dies) child.kill("SIGKILL");
        };
        const [, signal] = await once(child, "exit");
        if (signal === "SIGKILL") kills += 1;
      }
      onRequest = () => {};
      const last = run();
      let output = "";
      last.stdout.on("data", (chunk) => {
        output += chunk;
      });
      const [exitCode] = await once(last, "close");
      expect(exitCode, output).toBe(0);
      expect(kills).toBe(KILLS);
      expect(output).toMatch(/meetings in .*, resumed/);
      expect(await readArchive(path)).toEqual({
        meetings: seeds.map(({ id }) => id).sort(),
        documents: seeds.flatMap((_, index) => [`doc_${index}_0`, `doc_${index}_1`]).sort(),
      });
      // A run fetches again at most what was under way at the kill.
      expect(requests).toBeLessThan(3 * MEETINGS + 3 + KILLS * 20);
    } finally {
      await close();
      await rm(folder, { recursive: true });
    }
  }, 300_000);

  test("can run again with the same archive, against the same service and then against the emulator", async () => {
    const folder = await mkdtemp(join(tmpdir(), "walk-twice-"));
    try {
      const service = createEmulator({ seed: { meetings: meetings(3) }, limits: "none" });
      const { url, close } = await service.listen({ port: 0 });
      const path = join(folder, "archive");
      const finish = async (env: Record<string, string>) => {
        const child = spawn(process.execPath, ["--import", import.meta.resolve("tsx"), "archive-ndjson.ts", path], {
          cwd: examples,
          env: { ...process.env, REQUESTS_PER_MINUTE: "1000000", ...env },
          stdio: ["ignore", "ignore", "inherit"],
        });
        expect(await once(child, "close")).toEqual([0, null]);
        return readArchive(path);
      };
      const live = { NOTETAKER_BASE_URL: url, NOTETAKER_TOKEN: service.token };
      const first = await finish(live);
      expect(first.meetings).toHaveLength(3);
      expect(await finish(live)).toEqual(first);
      await close();
      const { meetings: afterEmulator } = await finish({});
      // The emulator has other meetings. The file keeps the old ones.
      expect(afterEmulator.length).toBeGreaterThan(3);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
