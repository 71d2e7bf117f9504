/**
 * Kills an export many times. After each kill, every visible file must be complete. After the last run, the files must
 * be the same as after one uninterrupted run.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEmulator } from "notetaker-sdk/testing";
import { meetings } from "../../test/node/export/export-support.js";
import { brokenIn, differencesOf, filesIn } from "./files.js";
import type { Finding } from "./finding.js";
import { randomOperation } from "./killing-files.js";
import { bundleProgram } from "./program.js";

const MEETINGS = 30;
/**
 * Every second run is killed after at most this many of its about 200 requests, and then at most this many
 * milliseconds.
 */
const MAX_REQUESTS = 50;
const MAX_MS = 12;
/** The other runs are killed at one of their first disk operations, or one of their first writes. */
const OPERATIONS = { operations: 300, writes: 60 };

/** The temporary files. */
const partialFiles = (found: ReadonlyMap<string, string>) =>
  new Map([...found].filter(([path]) => path.endsWith(".part")));

/** Whether the last run was killed while it wrote a file. */
function struckWriting(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): boolean {
  const earlier = partialFiles(before);
  return [...partialFiles(after)].some(([path, bytes]) => earlier.get(path) !== bytes);
}

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
  let whileWriting = 0;
  let exports = 0;
  /** How many drafts of the lock file were left. A kill during the creation of the lock leaves one. */
  let lockDrafts = 0;
  try {
    await program.start([join(around, "clean")], env).wasKilled();
    const clean = await filesIn(join(around, "clean"));
    while (killed < kills) {
      const folder = join(around, `killed-${exports}`);
      let before: ReadonlyMap<string, string> = new Map();
      for (let isDone = false; !isDone; ) {
        // The last export runs until it completes.
        const isLast = killed >= kills;
        const atOperation = !isLast && killed % 2 === 0;
        left = isLast || atOperation ? Number.POSITIVE_INFINITY : 1 + Math.floor(Math.random() * MAX_REQUESTS);
        const child = program.start(atOperation ? [folder, randomOperation(killed, OPERATIONS)] : [folder], env);
        onLast = () => void setTimeout(() => child.kill(), Math.random() * MAX_MS);
        isDone = !(await child.wasKilled());
        const after = await filesIn(folder);
        if (!isDone) {
          killed += 1;
          if (struckWriting(before, after)) whileWriting += 1;
        }
        differences.push(...brokenIn(after, clean).map((what) => `after kill ${killed}: ${what}`));
        before = after;
      }
      exports += 1;
      const found = await filesIn(folder);
      const drafts = [...found.keys()].filter((path) => /^\.notetaker-export.lock\./.test(path));
      for (const draft of drafts) found.delete(draft);
      lockDrafts += drafts.length;
      const differing = differencesOf(found, clean);
      differences.push(...differing.map((what) => `export ${exports}: ${what}`));
      await rm(folder, { recursive: true });
    }
    if (whileWriting === 0) differences.push("no kill struck while a file was written: that promises nothing");
    if (clean.size === 0) differences.push("the uninterrupted run left no file to compare with");
    const figures = `${killed} kills, ${whileWriting} of them while a file was written, in ${exports} exports of ${clean.size} files; ${lockDrafts} lock drafts left`;
    return { promise: "a killed export leaves whole files, and ends as an uninterrupted one", differences, figures };
  } finally {
    await close();
    await rm(around, { recursive: true, force: true });
  }
}
