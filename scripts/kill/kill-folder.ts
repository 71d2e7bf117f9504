/**
 * Kills `syncMeetings` into a folder many times. After each kill, every visible file must be complete. After the last
 * run, the visible files must be the same as after one uninterrupted run.
 */
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { deadlyAccount } from "./deadly-account.js";
import type { Finding } from "./finding.js";
import { randomOperation } from "./killing-files.js";
import { bundleProgram } from "./program.js";

/** Every second run is killed at one of its first disk operations, or one of its first writes. */
const OPERATIONS = { operations: 300, writes: 60 };

type Files = ReadonlyMap<string, string>;

/** The bytes of each file in base64, by its path below `folder`. */
async function filesIn(folder: string): Promise<Files> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const read = paths.map(async (path) => [relative(folder, path), await readFile(path, "base64")] as const);
  return new Map(await Promise.all(read));
}

/** Whether people see the file. Temporary files and the store's own state are hidden. */
const isVisible = (path: string) => !/(^|\/)\./.test(path);

/** The index grows. It never lists a file that is not there. */
function isWhole(path: string, files: Files, clean: Files): boolean {
  if (path === INDEX) return listed(files).every((file) => files.has(file));
  return !isVisible(path) || files.get(path) === clean.get(path);
}

const INDEX = "index.json";

function listed(files: Files): string[] {
  const index: { file: string }[] = JSON.parse(Buffer.from(files.get(INDEX) ?? "", "base64").toString("utf8"));
  return index.map(({ file }) => file);
}

/** Whether the last run was killed while it wrote a file: then it left a temporary file that was not there before. */
const isNewPart = (path: string, before: Files, after: Files) =>
  path.endsWith(".part") && before.get(path) !== after.get(path);

export async function killFolder(kills: number): Promise<Finding> {
  await using program = await bundleProgram("scripts/kill/programs/fill-folder.ts");
  const account = await deadlyAccount();
  const { env } = account;
  const around = await mkdtemp(join(tmpdir(), "kill-folder-"));
  const differences: string[] = [];
  let killed = 0;
  let whileWriting = 0;
  let folders = 0;

  /** Runs the program until it completes, or is killed. Resolves to whether it was killed. */
  async function run(folder: string): Promise<boolean> {
    const isLast = killed >= kills;
    const atOperation = !isLast && killed % 2 === 0;
    const child = program.start(atOperation ? [folder, randomOperation(killed, OPERATIONS)] : [folder], env);
    if (isLast || atOperation) account.spare();
    else account.killSoon(child);
    return child.wasKilled();
  }

  try {
    await program.start([join(around, "clean")], env).wasKilled();
    const clean = await filesIn(join(around, "clean"));
    if (clean.size === 0) differences.push("the uninterrupted run left no file to compare with");
    while (killed < kills) {
      folders += 1;
      const folder = join(around, `killed-${folders}`);
      let files: Files = new Map();
      while (await run(folder)) {
        killed += 1;
        const before = files;
        files = await filesIn(folder);
        const paths = [...files.keys()];
        if (paths.some((path) => isNewPart(path, before, files))) whileWriting += 1;
        const broken = paths.filter((path) => !isWhole(path, files, clean));
        differences.push(...broken.map((path) => `after kill ${killed}: ${path} is not whole`));
      }
      files = await filesIn(folder);
      const paths = new Set([...files.keys(), ...clean.keys()]);
      const differing = [...paths].filter((path) => isVisible(path) && files.get(path) !== clean.get(path));
      differing.push(...[...files.keys()].filter((path) => path.endsWith(".part")));
      differences.push(...differing.map((path) => `folder ${folders}: ${path} differs`));
      await rm(folder, { recursive: true });
    }
    if (whileWriting === 0) differences.push("no kill struck while a file was written: that promises nothing");
    const figures = `${killed} kills, ${whileWriting} of them while a file was written, in ${folders} folders of ${clean.size} files`;
    return {
      promise: "a folder whose run is killed has whole files, and ends as after an uninterrupted run",
      differences,
      figures,
    };
  } finally {
    await account.close();
    await rm(around, { recursive: true, force: true });
  }
}
