/** `notetaker-sdk sync`: keeps a copy of the account in SQLite, Postgres or a folder. */
import { unknownName } from "../checks/unknown-name.js";
import { Notetaker } from "../client.js";
import { UnauthorizedError } from "../errors/api-error.js";
import { messageOf } from "../errors/error-record.js";
import { isTemporary } from "../errors/is-temporary.js";
import { oneLine } from "../errors/one-line.js";
import { orUndefined } from "../json/or-undefined.js";
import { isLoopbackHost } from "../links/http-url.js";
import { DOCUMENT_FORMATS, type DocumentFormat } from "../schemas/document.js";
import type { Refusal } from "../sync/forget-meetings.js";
import { isLockLost } from "../sync/store.js";
import { EMULATOR_LIMITS_HEADER } from "../testing/http/rate-limits.js";
import { readMoment, requiredBaseUrl, requiredVariable } from "./account-options.js";
import { AwayError, type Command, type CommandContext, parseFlags, readNumber, UsageError } from "./command.js";
import { keepSynced } from "./keep-synced.js";
import { isStoreAway, openStore } from "./open-store.js";
import { ProgressLine } from "./sync-progress.js";
import { resultJson, resultText } from "./sync-result.js";

const OPTIONS = {
  into: { type: "string" },
  follow: { type: "boolean", default: false },
  since: { type: "string" },
  documents: { type: "string" },
  recordings: { type: "boolean", default: false },
  prune: { type: "boolean", default: false },
  "prune-all": { type: "boolean", default: false },
  "keep-days": { type: "string" },
  "requests-per-minute": { type: "string" },
  quiet: { type: "boolean", default: false },
  verbose: { type: "boolean", default: false },
  json: { type: "boolean", default: false },
  "base-url": { type: "string" },
} as const;

const HELP = `npx notetaker-sdk sync --into <where> [options]

Reads every meeting of your account, its transcript and its documents, and what is new since the last run.

  --into <where>         meetings.sqlite (or .sqlite3, .db, sqlite:PATH), ./folder/, or postgres://…
  --follow               goes on until Ctrl-C: polls each minute
  --since <date>         only the meetings that began on this day (YYYY-MM-DD) or at this time, or later
  --documents <formats>  of ${DOCUMENT_FORMATS.join(", ")}; several with commas  (default: markdown)
  --recordings           downloads the recordings as well, into a folder
  --prune                removes the meetings that the service no longer has, unless they are suspiciously many
  --prune-all            removes them, however many they are
  --keep-days <days>     forgets the meetings that began longer ago: they are removed, and not read again
  --requests-per-minute <number>  (default: 40, of the 60 that an account has)
  --quiet                prints no progress
  --verbose              prints the titles of meetings as well
  --json                 prints the result as one line of JSON
  --base-url <url>       the service's base URL, ending in /v1  (default: NOTETAKER_BASE_URL)

The token is read from NOTETAKER_TOKEN. SQLite needs Node 22.16 or later, or better-sqlite3; Postgres needs pg:
npx -p notetaker-sdk -p pg notetaker-sdk sync --into postgres://…
Exit code 0: the run did what it could, also if something is still due, or was ended with --follow; 1: it failed, or could
not forget a meeting; 2: an argument is wrong, a variable or a package is missing, or the service refuses the token; 75:
another run holds the store, or the service or the database is away: try again later.`;

function readFormats(text: string | undefined): DocumentFormat[] | undefined {
  return text?.split(",").map((name) => {
    const format = DOCUMENT_FORMATS.find((known) => known === name.trim());
    if (format === undefined) throw new UsageError(`--documents: ${unknownName(name, DOCUMENT_FORMATS, "format")}`);
    return format;
  });
}

function readCount(name: "keep-days" | "requests-per-minute", text: string | undefined): number | undefined {
  const isCount = (value: number) => Number.isInteger(value) && value >= 1 && value <= 1e6;
  return text === undefined ? undefined : readNumber(name, text, isCount, "a whole number from 1 up");
}

function readArguments(args: string[], env: CommandContext["env"]) {
  const { values } = parseFlags(args, OPTIONS);
  const { into, follow, recordings, quiet, verbose, json } = values;
  if (into === undefined) throw new UsageError("--into is missing: meetings.sqlite, ./folder/ or postgres://…");
  return {
    ...{ into, follow, recordings, quiet, verbose, json },
    prune: values["prune-all"] ? ("all" as const) : values.prune,
    since: readMoment("since", values.since),
    documents: readFormats(values.documents),
    keepDays: readCount("keep-days", values["keep-days"]),
    perMinute: readCount("requests-per-minute", values["requests-per-minute"]),
    token: requiredVariable(env, "NOTETAKER_TOKEN"),
    baseUrl: requiredBaseUrl(env, values["base-url"]),
  };
}

/** No pace for an emulator without rate limits on this machine, which is asked without the token. */
async function emulatorPace(baseUrl: string, signal: AbortSignal): Promise<number | undefined> {
  const url = orUndefined(() => new URL(baseUrl));
  if (url === undefined || !isLoopbackHost(url.hostname)) return undefined;
  // The run itself reports what fails.
  const response = await fetch(url, { redirect: "manual", signal }).catch(() => undefined);
  await response?.body?.cancel();
  return response?.headers.get(EMULATOR_LIMITS_HEADER) === "none" ? Number.MAX_SAFE_INTEGER : undefined;
}

async function run(args: string[], { env, stdout, stderr, signal }: CommandContext): Promise<number> {
  const asked = readArguments(args, env);
  const { follow, since, prune, recordings, documents, baseUrl } = asked;
  const notetaker = new Notetaker({ token: asked.token, baseUrl });
  const { store, close } = await openStore(asked.into, env);
  const line = asked.quiet ? undefined : new ProgressLine(stderr);
  try {
    if (recordings && store.saveRecording === undefined) {
      throw new UsageError("--recordings: only a folder keeps recordings");
    }
    const options = {
      ...{ into: store, follow, since, prune, signal },
      formats: { documents, recording: recordings },
      requestsPerMinute: asked.perMinute ?? (await emulatorPace(baseUrl, signal)),
      onProgress: line && ((progress: Parameters<typeof line.show>[0]) => line.show(progress)),
    };
    let isRefused = false;
    const onRefused = ({ id, error }: Refusal) => {
      isRefused = true;
      line?.end();
      stderr.write(`notetaker-sdk sync: ${id} could not be forgotten: ${oneLine(messageOf(error))}\n`);
    };
    const { result, forgotten } = await keepSynced(notetaker, options, asked.keepDays, onRefused);
    line?.end();
    const shown = { forgotten, withTitles: asked.verbose };
    stdout.write(asked.json ? resultJson(result, shown) : resultText(result, shown));
    if (result.ended === "busy") return AwayError.exitCode;
    return isRefused ? 1 : 0;
  } catch (error) {
    line?.end();
    if (follow && signal.aborted) return 0;
    throw signal.aborted ? error : explained(error);
  } finally {
    await close();
  }
}

function explained(error: unknown): unknown {
  if (error instanceof UnauthorizedError) return new UsageError("the service refuses NOTETAKER_TOKEN (401)");
  return isTemporary(error) || isStoreAway(error) || isLockLost(error) ? new AwayError(messageOf(error)) : error;
}

export const sync: Command = { help: HELP, run };
