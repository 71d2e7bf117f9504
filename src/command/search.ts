/** `notetaker-sdk search`: searches the meetings that `sync` has stored. */

import { oneLine } from "../errors/one-line.js";
import type { SearchHit } from "../sql/search/read-hits.js";
import { formatTime } from "../transcript/format-time.js";
import { readMoment } from "./account-options.js";
import { type Command, type CommandContext, parseFlags, readNumber, UsageError } from "./command.js";
import { openAccount } from "./open-account.js";
import { openDatabase } from "./open-store.js";

const OPTIONS = {
  in: { type: "string" },
  account: { type: "string" },
  since: { type: "string" },
  until: { type: "string" },
  speaker: { type: "string" },
  limit: { type: "string", default: "10" },
  json: { type: "boolean", default: false },
} as const;

const HELP = `npx notetaker-sdk search <query> --in <database> [options]

Searches what was said, and the documents, in a database that "notetaker-sdk sync" keeps. It needs no token and no network.
A query has words, "phrases", beginnings (contr*) and exclusions (-draft).

  --in <database>    meetings.sqlite (or .sqlite3, .db, sqlite:PATH) or postgres://…
  --since <date>     only meetings that began on this day (YYYY-MM-DD) or at this time, or later
  --until <date>     only meetings that began on this day or at this time, or earlier
  --speaker <name>   only what this person said
  --limit <number>   how many passages to print, up to 200  (default: 10)
  --json             prints them as JSON
  --account <name>   the account, if the database has several

The first search of a large database indexes it. After Ctrl-C, the next search goes on.
Exit code 0: something was found; 1: nothing was found; 2: it failed, or an argument is wrong; 130: Ctrl-C.`;

const MAX_SHOWN = 240;

/** The text around the first match, on one line, with its matches bold. */
function excerpt({ text, matches }: SearchHit, isTerminal: boolean): string {
  const first = matches[0]?.start ?? 0;
  const from = Math.max(0, Math.min(first - MAX_SHOWN / 3, text.length - MAX_SHOWN));
  const to = Math.min(text.length, from + MAX_SHOWN);
  const part = (start: number, end: number) => text.slice(start, end).replace(/[\s\p{Cc}\p{Surrogate}]+/gu, " ");
  let shown = from > 0 ? "… " : "";
  let at = from;
  for (const { start, end } of matches.filter((match) => match.start >= from && match.end <= to)) {
    const found = part(start, end);
    shown += part(at, start) + (isTerminal ? `\u001b[1m${found}\u001b[22m` : found);
    at = end;
  }
  return shown + part(at, to) + (to < text.length ? " …" : "");
}

function* lines(hits: readonly SearchHit[], isTerminal: boolean): Generator<string> {
  yield* byMeeting(
    hits.filter(({ exact }) => exact),
    isTerminal,
  );
  const rest = hits.filter(({ exact }) => !exact);
  if (rest.length > 0) yield "Some of the words, or other forms of them:";
  yield* byMeeting(rest, isTerminal);
}

/** Grouped by meeting, in the order of the best passage of each. */
function* byMeeting(hits: readonly SearchHit[], isTerminal: boolean): Generator<string> {
  const meetings = new Map<string, SearchHit[]>();
  for (const hit of hits) meetings.set(hit.meeting.id, [...(meetings.get(hit.meeting.id) ?? []), hit]);
  for (const ofMeeting of meetings.values()) {
    const { id, title, start_time, gone } = (ofMeeting[0] as SearchHit).meeting;
    const about = [start_time?.slice(0, 10) ?? "no date", title ?? "no title", id, gone ? "(gone)" : ""];
    yield about
      .filter(Boolean)
      .map((part) => oneLine(part))
      .join("  ");
    for (const hit of ofMeeting) {
      const where =
        hit.kind === "document"
          ? `${oneLine(hit.document.title ?? "document")}: `
          : `[${formatTime(hit.start_time)}] ${oneLine(hit.speaker)}: `;
      yield `  ${where}${excerpt(hit, isTerminal)}`;
    }
  }
}

async function run(args: string[], { env, stdout, stderr, signal }: CommandContext): Promise<number> {
  // It has no option of one letter.
  const end = args.indexOf("--");
  if (args.slice(0, end < 0 ? undefined : end).some((argument) => /^-[^-]/.test(argument))) {
    throw new UsageError('quote the query, and begin it with what you look for: "renewal -draft"');
  }
  const { values, positionals } = parseFlags(args, OPTIONS, true);
  const { in: name, speaker, account } = values;
  const query = positionals.join(" ");
  if (query.trim() === "") throw new UsageError('expected a query: npx notetaker-sdk search "renewal price" --in …');
  if (name === undefined) throw new UsageError("--in is missing: meetings.sqlite or postgres://…");
  const isLimit = (value: number) => Number.isInteger(value) && value >= 1 && value <= 200;
  const limit = readNumber("limit", values.limit, isLimit, "an integer from 1 to 200");
  const [since, until] = [readMoment("since", values.since), readMoment("until", values.until)];
  const opened = await openDatabase("in", name, env);
  try {
    const archive = await openAccount(opened, account);
    const isShown = stderr.isTTY === true;
    await archive
      .update({
        signal,
        onProgress: ({ indexed, total }) =>
          void (isShown && stderr.write(`\rindexing: ${indexed} of ${total} meetings`)),
      })
      .finally(() => isShown && stderr.write("\r\u001b[K"));
    const hits = await archive.search(query, { since, until, speaker, limit, signal });
    if (values.json) stdout.write(`${JSON.stringify(hits, undefined, 2)}\n`);
    else if (hits.length === 0) stderr.write("nothing found\n");
    else for (const line of lines(hits, stdout.isTTY === true)) stdout.write(`${line}\n`);
    return hits.length > 0 ? 0 : 1;
  } catch (error) {
    const { name, message } = error as Error;
    if (name === "InvalidArgumentError") throw new UsageError(message.replace("archive.search: ", "--"));
    throw error;
  } finally {
    await opened.close();
  }
}

// 1 would say that nothing was found.
export const search: Command = { help: HELP, failureCode: 2, interruptedCode: 130, run };
