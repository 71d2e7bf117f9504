/** Runs an export, saveRecording and saveDocument on a disk that fails, at each of their operations in turn. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isNotetakerError, type Notetaker } from "notetaker-sdk";
import { type ExportOptions, exportMeetings, saveDocument, saveRecording } from "notetaker-sdk/node";
import { createEmulator } from "notetaker-sdk/testing";
import { clientOf, meetings } from "../../test/node/export/export-support.js";
import { DISK_FAULTS, type DiskFault, failingFiles } from "./failing-files.js";
import { brokenIn, differencesOf, filesIn } from "./files.js";
import type { Finding } from "./finding.js";

const MEETINGS = 2;
const OLD = "the old file";
/** The faults that usually last: a full disk, or a read-only one. They are tried both once and permanently. */
const LASTING = new Set<DiskFault>(["ENOSPC", "EROFS"]);

interface Job {
  name: string;
  /** Creates the files that exist before the run. */
  prepare(folder: string): Promise<void>;
  run(notetaker: Notetaker, folder: string): Promise<unknown>;
}

const formats: ExportOptions["formats"] = { documents: ["markdown"], recording: true };
const JOBS: readonly Job[] = [
  {
    name: "exportMeetings",
    prepare: async () => {},
    run: (notetaker, folder) => exportMeetings(notetaker, { into: folder, requestsPerMinute: 1e6, formats }),
  },
  {
    name: "saveRecording",
    prepare: (folder) => writeFile(join(folder, "weekly.wav"), OLD),
    run: (notetaker, folder) => saveRecording(notetaker, "mtg_00000", join(folder, "weekly.wav")),
  },
  {
    name: "saveDocument",
    prepare: (folder) => writeFile(join(folder, "summary.md"), OLD),
    run: (notetaker, folder) => saveDocument(notetaker, "doc_0_0", join(folder, "summary.md")),
  },
];

/** The flaw of an error: its class is unknown, or its message does not name the file. `undefined` if it has none. */
function flawOf(error: unknown, folder: string): string | undefined {
  if (!(error instanceof Error)) return `threw ${String(error)}`;
  const isKnown = isNotetakerError(error) || typeof (error as NodeJS.ErrnoException).code === "string";
  if (!isKnown) return `threw ${error.name}: ${error.message}`;
  return error.message.includes(folder) ? undefined : `does not name the path: ${error.message}`;
}

/** The files of an export, without the lock and its drafts, which a failing disk may not remove. */
async function exportedFiles(folder: string): Promise<Map<string, string>> {
  return new Map([...(await filesIn(folder))].filter(([path]) => !/^\.notetaker-export.lock/.test(path)));
}

/** Runs each job once for each operation that fails. With `step`, only every `step`-th operation fails. */
export async function failDisk({ step = 1 }: { step?: number } = {}): Promise<Finding> {
  const around = await mkdtemp(join(tmpdir(), "fail-disk-"));
  const differences: string[] = [];
  let runs = 0;
  let refused = 0;
  const service = createEmulator({ seed: { meetings: meetings(MEETINGS) }, limits: "none" });
  const start = service.snapshot();
  const newFolder = async (job: Job): Promise<string> => {
    runs += 1;
    const folder = join(around, String(runs));
    await mkdir(folder);
    await job.prepare(folder);
    service.restore(start);
    return folder;
  };

  async function tryOnce(job: Job, fault: DiskFault, at: number, forGood: boolean): Promise<boolean> {
    const folder = await newFolder(job);
    const before = await filesIn(folder);
    let error: unknown;
    let failed: string | undefined;
    {
      using disk = failingFiles(folder, fault, at, forGood);
      error = await job.run(clientOf(service), folder).then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      failed = disk.failed;
    }
    if (failed === undefined) return false;
    const note = (what: string) =>
      differences.push(`${job.name}, ${fault} at operation ${at} (${failed})${forGood ? " and after" : ""}: ${what}`);
    const flaw = error === undefined ? undefined : flawOf(error, folder);
    if (flaw !== undefined) note(flaw);
    if (error !== undefined) refused += 1;
    const found = await exportedFiles(folder);
    const whole = clean.get(job) ?? new Map();
    const untouched = new Map([...found].filter(([path, bytes]) => before.get(path) !== bytes));
    // An export whose folder vanished starts again. Until the next run, its index lists only the files since then.
    if (fault === "vanishes") untouched.delete("index.json");
    for (const broken of brokenIn(untouched, whole)) note(broken);
    if (error === undefined && fault !== "vanishes") for (const missing of differencesOf(found, whole)) note(missing);
    await mkdir(folder, { recursive: true });
    await job.run(clientOf(service), folder).catch((thrown: unknown) => note(`the next run fails: ${String(thrown)}`));
    // A disk that fails permanently may keep temporary files.
    const after = new Map([...(await exportedFiles(folder))].filter(([path]) => !forGood || !path.endsWith(".part")));
    for (const differing of differencesOf(after, whole)) {
      // A recording whose note was written after the folder vanished counts as saved.
      if (fault !== "vanishes" || !/recording\.wav/.test(differing)) note(`after the next run, ${differing}`);
    }
    await rm(folder, { recursive: true });
    return true;
  }

  const clean = new Map<Job, Map<string, string>>();
  try {
    for (const job of JOBS) {
      const folder = await newFolder(job);
      await job.run(clientOf(service), folder);
      clean.set(job, await filesIn(folder));
      for (const fault of DISK_FAULTS) {
        for (const forGood of LASTING.has(fault) ? [false, true] : [false]) {
          let at = 1 + Math.floor(Math.random() * step);
          while (await tryOnce(job, fault, at, forGood)) at += step;
        }
      }
    }
    const figures = `${runs} runs, ${refused} of them refused with the path`;
    return { promise: "a disk that fails leaves whole files, and an error with the path", differences, figures };
  } finally {
    await rm(around, { recursive: true, force: true });
  }
}
