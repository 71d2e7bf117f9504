/**
 * Finds passages, in up to three steps, so that a question finds something as well: all words of the query; all as
 * beginnings of words; any of the rare ones. What an earlier step finds comes first.
 */
import { throwIfAborted } from "../../async/abort.js";
import type { SqlDriver } from "../driver.js";
import type { Dialect, Syntax } from "../syntax.js";
import { MAX_PASSAGES } from "./passages.js";
import type { Query, Term } from "./query.js";
import { wordsOf } from "./words.js";

/** Which passages are searched. */
export interface Filter {
  readonly account: string;
  readonly since: string | undefined;
  readonly until: string | undefined;
  readonly speaker: string | undefined;
  readonly meetingIds: readonly string[] | undefined;
  readonly in: "transcripts" | "documents" | undefined;
  readonly limit: number;
  readonly perMeeting: number;
}

/** A passage that was found: a number of a text, and what was searched for. */
export interface FoundPassage {
  readonly text: string;
  readonly position: number;
  readonly meetingId: string;
  readonly terms: readonly Term[];
  readonly isExact: boolean;
}

/** Words in more passages than this are common: they do not find anything by themselves. */
const COMMON = 5_000;
/** With so many passages that have all words, nobody needs those that have some. */
const ENOUGH = 5;
/** The most rare words of which any is enough: each makes the search slower. */
const MAX_ANY = 8;
const SHORTEST_PREFIX = 3;

const lengthOf = (word: string) => [...word].length;
const mapWord = ({ words, isPrefix }: Term, map: (word: string) => string): Term => ({
  words: [...words.slice(0, -1), map(words.at(-1) ?? "")],
  isPrefix: isPrefix || lengthOf(words.at(-1) ?? "") >= SHORTEST_PREFIX,
});

/** The beginning that forms of a word have in common: `verlän` of `Verlängerung`. */
function stem(word: string): string {
  const letters = [...word];
  return letters.length < 5 ? word : letters.slice(0, Math.max(4, Math.ceil(letters.length * 0.6))).join("");
}

/** How a database writes a term: with quotation marks, so that nothing in it is syntax. Words have only letters and digits. */
const TERM: Readonly<Record<Dialect, (term: Term, column?: "speaker") => string>> = {
  sqlite: ({ words, isPrefix }, column) => `${column ? "speaker : " : ""}"${words.join(" ")}"${isPrefix ? " *" : ""}`,
  postgres: ({ words, isPrefix }, column) => {
    const last = words.length - 1;
    const flags = (index: number) => `${isPrefix && index === last ? "*" : ""}${column ? "B" : ""}`;
    const written = words.map((word, index) => `'${word}'${flags(index) === "" ? "" : `:${flags(index)}`}`);
    return `(${written.join(" <-> ")})`;
  },
};
const OPERATORS = {
  sqlite: { and: " AND ", or: " OR ", not: " NOT " },
  postgres: { and: " & ", or: " | ", not: " & !" },
} as const;

/** The condition of a step as the database writes it. */
function conditionOf(
  dialect: Dialect,
  terms: readonly Term[],
  join: "and" | "or",
  { without }: Query,
  speaker: string[],
) {
  const { [join]: joint, and, or, not } = OPERATORS[dialect];
  const write = TERM[dialect];
  const wanted = `(${terms.map((term) => write(term)).join(joint)})`;
  const said = speaker.map((word) => write({ words: [word], isPrefix: false }, "speaker"));
  const excluded = without.length === 0 ? "" : `${not}(${without.map((term) => write(term)).join(or)})`;
  return `(${[wanted, ...said].join(and)})${excluded}`;
}

/** Passages with their scores, the best ones of each meeting. Parameters: the condition, then those of the filter. */
function findStatement({ dialect, statement, texts, types }: Syntax, filter: Filter): string {
  const found =
    dialect === "sqlite"
      ? `SELECT rowid / ${MAX_PASSAGES} AS text, rowid % ${MAX_PASSAGES} AS position,
          -bm25(notetaker_words, 0.5, 0.5, 1.0) AS score FROM notetaker_words WHERE notetaker_words MATCH ?`
      : `SELECT w.text, w.position, ts_rank_cd('{1, 1, 0.5, 0.5}', w.words, q.query, 1) AS score
          FROM (SELECT ?::tsquery AS query) AS q JOIN notetaker_words AS w ON w.words @@ q.query`;
  const conditions = [
    "p.account = ?",
    filter.since === undefined ? "" : `m.started_at >= CAST(? AS ${types.time})`,
    filter.until === undefined ? "" : `m.started_at <= CAST(? AS ${types.time})`,
    filter.meetingIds === undefined ? "" : `p.meeting_id IN (${texts})`,
    filter.in === undefined ? "" : `p.document_id ${filter.in === "transcripts" ? "=" : "<>"} ''`,
  ];
  return statement(
    `WITH f AS MATERIALIZED (${found}), ranked AS (
      SELECT f.text, f.position, f.score, p.meeting_id, m.started_at,
        row_number() OVER (PARTITION BY p.meeting_id ORDER BY f.score DESC, f.text, f.position) AS place
      FROM f CROSS JOIN notetaker_passages AS p CROSS JOIN notetaker_meetings AS m
      WHERE p.id = f.text AND m.account = p.account AND m.id = p.meeting_id AND m.version = p.version AND ${conditions.filter(Boolean).join(" AND ")}
    )
    SELECT text, position, meeting_id FROM ranked WHERE place <= CAST(? AS integer)
    ORDER BY score DESC, started_at DESC, text, position LIMIT CAST(? AS integer)`,
  );
}

interface FoundRow {
  readonly text: number | string | bigint;
  readonly position: number | string | bigint;
  readonly meeting_id: string;
}

/** In how many passages a term is, or that it is in many. */
async function countOf(driver: SqlDriver, { dialect, statement }: Syntax, term: Term): Promise<number> {
  const where = dialect === "sqlite" ? "notetaker_words MATCH ?" : "words @@ ?::tsquery";
  const sql = `SELECT count(*) AS n FROM (SELECT 1 FROM notetaker_words WHERE ${where} LIMIT ${COMMON}) AS t`;
  const [row] = await driver.all(statement(sql), [TERM[dialect](term)]);
  return Number((row as { n: number | string }).n);
}

async function countsOf(driver: SqlDriver, syntax: Syntax, terms: readonly Term[]) {
  const counts: { term: Term; count: number }[] = [];
  for (const term of terms) counts.push({ term, count: await countOf(driver, syntax, term) });
  return counts;
}

type Step = { readonly terms: readonly Term[]; readonly join: "and" | "or" };

async function* stepsOf(driver: SqlDriver, syntax: Syntax, { terms }: Query): AsyncGenerator<Step> {
  yield { terms, join: "and" };
  // The beginning of a common word is in most passages.
  const counts = await countsOf(driver, syntax, terms);
  const begun = counts.map(({ term, count }) => (count < COMMON ? mapWord(term, (word) => word) : term));
  yield { terms: begun, join: "and" };
  const rare = counts.filter(({ count }) => count < COMMON).map(({ term }) => mapWord(term, stem));
  const stems = (await countsOf(driver, syntax, rare)).filter(({ count }) => count > 0 && count < COMMON);
  const exact = counts.filter(({ count }) => count > 0 && count < COMMON);
  const any = [...exact, ...stems].sort((a, b) => a.count - b.count).slice(0, MAX_ANY);
  const unique = new Map(any.map(({ term }) => [JSON.stringify(term), term]));
  if (unique.size > 0) yield { terms: [...unique.values()], join: "or" };
}

/** The passages that fit best, at most `limit`, and at most `perMeeting` of a meeting. */
export async function findPassages(
  driver: SqlDriver,
  syntax: Syntax,
  query: Query,
  filter: Filter,
  signal: AbortSignal | undefined,
): Promise<FoundPassage[]> {
  const found = new Map<string, FoundPassage>();
  const ofMeeting = new Map<string, number>();
  if (query.terms.length === 0) return [];
  const speaker = wordsOf(filter.speaker ?? "").map(({ word }) => word);
  const sql = findStatement(syntax, filter);
  const { account, since, until, meetingIds, limit, perMeeting } = filter;
  const params = [account, since, until, meetingIds && JSON.stringify(meetingIds)].filter((one) => one !== undefined);
  let isExact = true;
  for await (const { terms, join } of stepsOf(driver, syntax, query)) {
    throwIfAborted(signal);
    const condition = conditionOf(syntax.dialect, terms, join, query, speaker);
    // What was found before may be found again.
    const most = [perMeeting + found.size, limit + found.size].map(String);
    const rows = (await driver.all(sql, [condition, ...params, ...most])) as readonly FoundRow[];
    for (const { text, position, meeting_id: meetingId } of rows) {
      const count = ofMeeting.get(meetingId) ?? 0;
      const key = `${text}:${position}`;
      if (found.has(key) || found.size >= limit || count >= perMeeting) continue;
      found.set(key, { text: String(text), position: Number(position), meetingId, terms, isExact });
      ofMeeting.set(meetingId, count + 1);
    }
    if (found.size >= limit || (join === "and" && !isExact && found.size >= ENOUGH)) break;
    isExact = false;
  }
  return [...found.values()];
}
