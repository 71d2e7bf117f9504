/** An export that is killed: after each kill what is there is whole, and the last run leaves what one run would. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEmulator } from "notetaker-sdk/testing";
import { meetings } from "../../test/node/export/export-support.js";
import { brokenIn, differencesOf, filesIn } from "./files.js";
import type { Finding } from "./finding.js";
import { bundleProgram } from "./program.js";

const MEETINGS = 30;
/** A run lives for up to so many of its about 200 requests, and then for so many milliseconds. */
const MAX_REQUESTS = 50;
const MAX_MS = 12;

export async function killExport(kills: number): Promise<Finding> {
  await using program = await bundleProgram("scripts/kill/programs/export.ts");
  let left = Number.POSITIVE_INFINITY;
  let onLast = () => {};
  const onRequest = () => {
    left -= 1;
    if (left === 0) onLast();
  };
  const service = createEmulator({ seed: { meetings: meetings(MEETINGS) }, limits: "none", onRequest });
  const { url, close } = await service.listen({ port: 0 });
  const env = { NOTETAKER_BASE_URL: url, NOTETAKER_TOKEN: service.token };
  const around = await mkdtemp(join(tmpdir(), "kill-export-"));
  const differences: string[] = [];
  let killed = 0;
  let exports = 0;
  try {
    await program.start([join(around, "clean")], env).wasKilled();
    const clean = await filesIn(join(around, "clean"));
    while (killed < kills) {
      const folder = join(around, `killed-${exports}`);
      for (let isDone = false; !isDone; ) {
        const child = program.start([folder], env);
        // The last export is left to come to its end.
        left = killed < kills ? 1 + Math.floor(Math.random() * MAX_REQUESTS) : Number.POSITIVE_INFINITY;
        onLast = () => void setTimeout(() => child.kill(), Math.random() * MAX_MS);
        isDone = !(await child.wasKilled());
        if (!isDone) killed += 1;
        const broken = brokenIn(await filesIn(folder), clean);
        differences.push(...broken.map((what) => `after kill ${killed}: ${what}`));
      }
      exports += 1;
      const differing = differencesOf(await filesIn(folder), clean);
      differences.push(...differing.map((what) => `export ${exports}: ${what}`));
      await rm(folder, { recursive: true });
    }
    const figures = `${killed} kills in ${exports} exports of ${clean.size} files`;
    return { promise: "a killed export leaves whole files, and ends as an uninterrupted one", differences, figures };
  } finally {
    await close();
    await rm(around, { recursive: true, force: true });
  }
}
