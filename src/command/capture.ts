/** `notetaker-sdk capture`: writes a live account to a seed file. */
import { randomUUID } from "node:crypto";
import { existsSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { Notetaker } from "../client.js";
import { RateLimitedError } from "../errors/api-error.js";
import { ConnectionError, ResponseValidationError, TimeoutError } from "../errors/call-errors.js";
import { causesOf } from "../errors/connection-error-from.js";
import { NotetakerError } from "../errors/notetaker-error.js";
import { captureSeed } from "../testing/capture/capture-seed.js";
import { type Command, type CommandContext, CommandError, readArguments, readNumber, UsageError } from "./command.js";

const OPTIONS = {
  out: { type: "string" },
  force: { type: "boolean", default: false },
  rooms: { type: "string" },
  "base-url": { type: "string" },
  "keep-content": { type: "boolean", default: false },
} as const;

/** The mode of a file that only the user may read. */
const PRIVATE_FILE = 0o600;

const HELP = `npx notetaker-sdk capture --out <file.json> [options]

Captures a live account as a seed file for the emulator. All texts, ids, dates and unknown numbers are replaced.

  --out <file>        the file to write
  --force             replaces a file that exists
  --rooms <number>    reads only so many rooms and their meetings
  --base-url <url>    the service's base URL, ending in /v1  (default: NOTETAKER_BASE_URL)
  --keep-content      keeps the content: the file is as private as the account

The token is read from NOTETAKER_TOKEN. If the capture fails or is interrupted, no file is written.
Exit code 0: captured; 1: failed; 2: an argument is wrong or a variable is missing.`;

function readOut(out: string | undefined, force: boolean): string {
  if (out === undefined) throw new UsageError("--out is missing: the file to write");
  const path = resolve(out);
  if (existsSync(path) && !force) throw new UsageError(`${out} exists already; --force replaces it`);
  if (!existsSync(dirname(path))) throw new UsageError(`--out: the folder of ${out} does not exist`);
  return path;
}

async function run(args: string[], { env, stdout, stderr, signal }: CommandContext): Promise<number> {
  const { values } = readArguments(args, OPTIONS);
  const path = readOut(values.out, values.force);
  const isCount = (value: number) => Number.isInteger(value) && value >= 1;
  const rooms =
    values.rooms === undefined ? undefined : readNumber("rooms", values.rooms, isCount, "an integer from 1 up");
  // Overwrites one line on a terminal. Without a terminal, progress is not shown, because it would fill a log.
  const showProgress = (line: string) => void (stderr.isTTY && stderr.write(`\r\u001b[K${line}`));
  const notetaker = new Notetaker({
    baseUrl: values["base-url"] ?? env.NOTETAKER_BASE_URL,
    token: env.NOTETAKER_TOKEN,
  });
  try {
    const seed = await captureSeed(notetaker, {
      rooms,
      anonymize: !values["keep-content"],
      signal,
      onProgress: ({ step, done, total }) =>
        showProgress(`reading ${step}: ${done}${total === undefined ? "" : ` of ${total}`}`),
    });
    writeBeside(path, `${JSON.stringify(seed, null, 2)}\n`);
    showProgress("");
    stdout.write(
      `captured ${seed.rooms?.length ?? 0} rooms, ${seed.meetings?.length ?? 0} meetings in ${values.out}\n`,
    );
    if (values["keep-content"]) stdout.write("the file contains private content: it was not anonymized\n");
    return 0;
  } catch (error) {
    showProgress("");
    throw signal.aborted ? new CommandError("interrupted; no file was written") : captureFailure(error);
  }
}

export const capture: Command = { help: HELP, run };

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
    throw new CommandError(`the file could not be written (${code})`);
  }
}

/**
 * The error that the command prints for a failed capture. It names the request and the reason. It does not contain the
 * message of the original error, which could repeat an id or a title of the account.
 */
export function captureFailure(error: unknown): CommandError {
  if (error instanceof CommandError) return error;
  const { name, status, code, request } = error as Partial<Record<string, unknown>>;
  const facts = [name ?? "Error", status === undefined ? undefined : `status ${status}`, code, requestOf(request)];
  const reason = error instanceof NotetakerError ? reasonOf(error) : undefined;
  const summary = facts.filter((fact) => fact !== undefined).join(", ");
  return new CommandError(`${summary}${reason === undefined ? "" : `: ${reason}`}; no file was written`);
}

/** For example `GET /meetings/…/transcript`: no ids and no query. */
function requestOf(request: unknown): string | undefined {
  const { method, url } = (request ?? {}) as { method?: string; url?: string };
  const path = /\/v1(\/[^?#]*)/.exec(url ?? "")?.[1];
  return path && `${method} ${path.replace(/[^/]+/g, (segment) => (/^[a-z-]+$/.test(segment) ? segment : "…"))}`;
}

function reasonOf(error: NotetakerError): string | undefined {
  if (error instanceof ConnectionError) {
    const codes = causesOf(error).map(({ code }) => String(code));
    return codes.find((code) => /^[A-Z_]+$/.test(code)) ?? "the connection was lost";
  }
  if (error instanceof TimeoutError) return `no response within ${error.timeoutMs} ms`;
  if (error instanceof RateLimitedError && error.retryAfterMs !== undefined) {
    return `the service asks for a wait of ${Math.ceil(error.retryAfterMs / 1_000)} s`;
  }
  if (error instanceof ResponseValidationError) return error.issues[0]?.message;
  return undefined;
}
