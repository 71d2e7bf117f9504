/** `notetaker-sdk sync`: keeps a copy of the account in SQLite, Postgres or a folder. */

import { unknownName } from "../checks/unknown-name.js";
import { Notetaker } from "../client.js";
import { UnauthorizedError } from "../errors/api-error.js";
import { oneLine } from "../errors/one-line.js";
import { atOwnPace } from "../resources/at-own-pace.js";
import { DOCUMENT_FORMATS, type DocumentFormat } from "../schemas/document.js";
import { Period, readLimits } from "../sync/period.js";
import { type MissingPiece, waitsForMeeting } from "../sync/pieces.js";
import type { MeetingStore } from "../sync/store.js";
import { syncMeetings } from "../sync/sync-meetings.js";
import type { SyncOptions, SyncResult } from "../sync/sync-options.js";
import { readSince, requiredBaseUrl, requiredVariable } from "./account-options.js";
import { type Command, type CommandContext, parseFlags, UsageError } from "./command.js";
import { openStore } from "./open-store.js";
import { counted, formatCount, ProgressLine } from "./sync-progress.js";

const OPTIONS = {
  into: { type: "string" },
  follow: { type: "boolean", default: false },
  since: { type: "string" },
  documents: { type: "string" },
  recordings: { type: "boolean", default: false },
  prune: { type: "boolean", default: false },
  "prune-all": { type: "boolean", default: false },
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
  --base-url <url>       the service's base URL, ending in /v1  (default: NOTETAKER_BASE_URL)

The token is read from NOTETAKER_TOKEN. SQLite needs Node 22.16 or later, or better-sqlite3; Postgres needs pg:
npx -p notetaker-sdk -p pg notetaker-sdk sync --into postgres://…
Exit code 0: up to date, or ended by Ctrl-C with --follow; 1: it failed, something is still due, or another run holds
the store; 2: an argument is wrong, a variable or a package is missing, or the service refuses the token.`;

const MAX_LISTED = 20;
/** Counting beside the run takes a part of what the run leaves of the account's limit. */
const COUNTS_PER_MINUTE = 15;

function readFormats(text: string | undefined): DocumentFormat[] | undefined {
  return text?.split(",").map((name) => {
    const format = DOCUMENT_FORMATS.find((known) => known === name.trim());
    if (format === undefined) throw new UsageError(`--documents: ${unknownName(name, DOCUMENT_FORMATS, "format")}`);
    return format;
  });
}

async function run(args: string[], { env, stdout, stderr, signal }: CommandContext): Promise<number> {
  const { values } = parseFlags(args, OPTIONS);
  const { into, follow, recordings } = values;
  const prune = values["prune-all"] ? "all" : values.prune;
  if (into === undefined) throw new UsageError("--into is missing: meetings.sqlite, ./folder/ or postgres://…");
  const since = readSince(values.since);
  const documents = readFormats(values.documents);
  const token = requiredVariable(env, "NOTETAKER_TOKEN");
  const baseUrl = requiredBaseUrl(env, values["base-url"]);
  const notetaker = new Notetaker({ token, baseUrl });
  const { store, close } = await openStore(into);
  const line = new ProgressLine(stderr, readLimits({}).requestsPerMinute);
  const counting = new AbortController();
  try {
    if (recordings && store.saveRecording === undefined) {
      throw new UsageError("--recordings: only a folder keeps recordings");
    }
    if (stderr.isTTY === true) void estimate(line, { notetaker, store, since, signal: counting.signal });
    const formats = { documents, recording: recordings };
    const onProgress: SyncOptions["onProgress"] = (progress) => line.show(progress);
    const result = await syncMeetings(notetaker, { into: store, follow, since, formats, prune, onProgress, signal });
    line.end();
    stdout.write(summary(result));
    return result.ended === "done" && !result.missing.some(isRequestedAgain) ? 0 : 1;
  } catch (error) {
    line.end();
    if (follow && signal.aborted) return 0;
    if (error instanceof UnauthorizedError) throw new UsageError("the service refuses NOTETAKER_TOKEN (401)");
    throw error;
  } finally {
    counting.abort();
    await close();
  }
}

/** Counts the meetings that the first run has still to read. If that fails, no time is shown. */
async function estimate(
  line: ProgressLine,
  { notetaker, store, since, signal }: Pick<SyncOptions, "since"> & Estimated,
): Promise<void> {
  try {
    let toRead = 0;
    for (let after: string | undefined; ; ) {
      const ids = await store.ids(after, 1_000);
      if (ids.length === 0) break;
      toRead -= ids.length;
      after = ids.at(-1);
    }
    const { meetings } = notetaker.withOptions(atOwnPace(notetaker.meetings, { perMinute: COUNTS_PER_MINUTE }));
    const params = { limit: 100, start_date: new Period({ since }).startDate };
    for await (const page of meetings.list(params, { signal, onInvalid: "skip" }).pages()) {
      toRead += page.data.length + page.invalid.length;
    }
    line.toRead = toRead;
  } catch {
    // The run itself reports what fails.
  }
}

interface Estimated {
  readonly notetaker: Notetaker;
  readonly store: MeetingStore;
  readonly signal: AbortSignal;
}

/** A meeting that has not begun lacks its pieces as a matter of course. */
const isRequestedAgain = (piece: MissingPiece) => piece.retryable && !waitsForMeeting(piece);

function summary({ ended, nextAt, meetings, changed, removed, notRemoved, missing, ...counts }: SyncResult): string {
  if (ended === "busy") return `another run holds the store, until ${nextAt.toISOString()} unless it goes on\n`;
  const lacks = missing.filter((piece) => !waitsForMeeting(piece));
  const listed = lacks.slice(0, MAX_LISTED).map(({ meeting_id, title, what, message, retryable }) => {
    const next = retryable ? "; it is requested again by a later run" : "";
    return oneLine(`missing: ${title ?? meeting_id}: ${what}: ${message}${next}`);
  });
  const dueCount = lacks.filter(isRequestedAgain).length;
  const numbers = [
    `${counted(meetings, "meeting")} read`,
    `${formatCount(changed)} changed`,
    ...(removed > 0 ? [`${formatCount(removed)} removed`] : []),
    `${counted(counts.missingCount, "piece")} missing (${formatCount(dueCount)} due again)`,
    counted(counts.requests, "request"),
  ];
  const rest = lacks.length > MAX_LISTED ? [`and ${formatCount(lacks.length - MAX_LISTED)} more are missing`] : [];
  const kept =
    notRemoved === undefined ? [] : [oneLine(`not removed: ${notRemoved}; --prune-all removes what is marked as gone`)];
  return `${[...listed, ...rest, ...kept, numbers.join(", ")].join("\n")}\n`;
}

export const sync: Command = { help: HELP, run };
