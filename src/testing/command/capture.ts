/** `notetaker-emulator capture`: writes a live account to a seed file. */
import { randomUUID } from "node:crypto";
import { existsSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { Notetaker } from "../../client.js";
import { readArguments, readNumber, UsageError } from "../../command-line.js";
import type { CaptureProgress } from "../capture/capture-options.js";
import { captureSeed } from "../capture/capture-seed.js";
import { EmulatorError } from "../emulator-error.js";
import { captureFailure } from "./capture-failure.js";

const OPTIONS = {
  out: { type: "string" },
  force: { type: "boolean", default: false },
  rooms: { type: "string" },
  "base-url": { type: "string" },
  "keep-content": { type: "boolean", default: false },
} as const;

/** The mode of a file that only the user may read. */
const PRIVATE_FILE = 0o600;

function progressLine({ step, done, total }: CaptureProgress): string {
  return `reading ${step}: ${done}${total === undefined ? "" : ` of ${total}`}`;
}

/** Overwrites one line on a terminal. Without a terminal, progress is not shown, because it would fill a log. */
function showProgress(progress: CaptureProgress): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${progressLine(progress)}`);
}

function hideProgress(): void {
  if (process.stderr.isTTY) process.stderr.write("\r\u001b[K");
}

export async function capture(args: string[]): Promise<void> {
  const { values } = readArguments(args, OPTIONS);
  if (values.out === undefined) throw new UsageError("capture: --out is missing: the file to write");
  const path = resolve(values.out);
  if (existsSync(path) && !values.force) {
    throw new UsageError(`capture: ${values.out} exists already; --force replaces it`);
  }
  if (!existsSync(dirname(path))) throw new UsageError(`--out: the folder of ${values.out} does not exist`);
  const rooms =
    values.rooms === undefined
      ? undefined
      : readNumber("rooms", values.rooms, (value) => Number.isInteger(value) && value >= 1, "an integer from 1 up");
  const baseUrl = values["base-url"];
  const interrupted = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => interrupted.abort(new EmulatorError("capture was interrupted; no file was written")));
  }
  try {
    const notetaker = new Notetaker(baseUrl === undefined ? {} : { baseUrl });
    const seed = await captureSeed(notetaker, {
      rooms,
      anonymize: !values["keep-content"],
      signal: interrupted.signal,
      onProgress: showProgress,
    });
    hideProgress();
    writeBeside(path, `${JSON.stringify(seed, null, 2)}\n`);
    const counts = `${seed.rooms?.length ?? 0} rooms, ${seed.meetings?.length ?? 0} meetings`;
    console.log(`captured ${counts} in ${values.out}`);
    if (values["keep-content"]) console.log("the file contains private content: it was not anonymized");
  } catch (error) {
    hideProgress();
    throw captureFailure(error);
  }
}

/**
 * Writes a temporary file and renames it, so that the file is never incomplete. Its name cannot be guessed: nobody can
 * put a link there to another file.
 */
function writeBeside(path: string, content: string): void {
  const temporary = `${path}.${randomUUID()}.tmp`;
  try {
    writeFileSync(temporary, content, { mode: PRIVATE_FILE, flag: "wx" });
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    const { code = "" } = error as { code?: string };
    throw new EmulatorError(`capture: the file could not be written (${code})`);
  }
}
