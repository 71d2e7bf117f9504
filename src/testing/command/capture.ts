/** `notetaker-emulator capture`: writes a live account to a seed file. */
import { randomUUID } from "node:crypto";
import { existsSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { Notetaker } from "../../client.js";
import { readArguments, readNumber, UsageError } from "../../command-line.js";
import { RateLimitedError } from "../../errors/api-error.js";
import { ConnectionError, ResponseValidationError, TimeoutError } from "../../errors/call-errors.js";
import { NotetakerError } from "../../errors/notetaker-error.js";
import { causesOf } from "../../transport/connection-error-from.js";
import { captureSeed } from "../capture/capture-seed.js";
import { EmulatorError } from "../emulator-error.js";

const OPTIONS = {
  out: { type: "string" },
  force: { type: "boolean", default: false },
  rooms: { type: "string" },
  "base-url": { type: "string" },
  "keep-content": { type: "boolean", default: false },
} as const;

/** The mode of a file that only the user may read. */
const PRIVATE_FILE = 0o600;

/** Overwrites one line on a terminal. Without a terminal, progress is not shown, because it would fill a log. */
function showProgress(line: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${line}`);
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
      onProgress: ({ step, done, total }) =>
        showProgress(`reading ${step}: ${done}${total === undefined ? "" : ` of ${total}`}`),
    });
    showProgress("");
    writeBeside(path, `${JSON.stringify(seed, null, 2)}\n`);
    const counts = `${seed.rooms?.length ?? 0} rooms, ${seed.meetings?.length ?? 0} meetings`;
    console.log(`captured ${counts} in ${values.out}`);
    if (values["keep-content"]) console.log("the file contains private content: it was not anonymized");
  } catch (error) {
    showProgress("");
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

/**
 * The error that the command prints for a failed capture. It names the request and the reason. It does not contain the
 * message of the original error, which could repeat an id or a title of the account.
 */
export function captureFailure(error: unknown): Error {
  if (error instanceof EmulatorError || error instanceof UsageError) return error;
  const { name, status, code, request, message } = error as Partial<Record<string, unknown>> & { message?: string };
  // This message is safe: it names a missing setting, and nothing was read yet.
  if (name === "ConfigurationError") return new UsageError(message ?? "");
  const facts = [name ?? "Error", status === undefined ? undefined : `status ${status}`, code, requestOf(request)];
  const reason = error instanceof NotetakerError ? reasonOf(error) : undefined;
  const summary = facts.filter((fact) => fact !== undefined).join(", ");
  return new EmulatorError(
    `capture failed: ${summary}${reason === undefined ? "" : `: ${reason}`}; no file was written`,
  );
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
