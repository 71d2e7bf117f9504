/**
 * Finds passages in steps, so that a question finds something as well: all words of the query; all as beginnings of
 * words; any of the rare ones or, if there are none, of the common ones. What an earlier step finds comes first.
 */
import * as z from "zod/mini";
import { throwIfAborted } from "../../async/abort.js";
import { InvalidArgumentError } from "../../errors/argument-errors.js";
import { checkArgument } from "../../errors/check-arguments.js";
import { enumOf, type Infer, numberOf, readonlyArray, stringOf } from "../../schemas/primitives.js";
import { type PeriodOptions, periodIssues, readOptionsShape } from "../../sync/period.js";
import { timeText } from "../rows.js";
import type { StoredAccount } from "../stored-account.js";
import { conditionOf, type Step, SYNTAX } from "./match-syntax.js";
import type { Query, Term } from "./query.js";
import { wordsOf } from "./words.js";

const count = z.optional(
  numberOf((value) => Number.isInteger(value) && value >= 1 && value <= 200, "an integer from 1 to 200", [1, 200]),
);

const searchOptions = {
  /** Only what this person said: words of the name. */
  speaker: z.optional(z.string()),
  /** Only these meetings. */
  meetingIds: z.optional(readonlyArray(z.string())),
  /** Only what was said (`transcripts`), or what was written about it (`documents`). Default: both. */
  in: z.optional(enumOf(["transcripts", "documents"])),
  /** How many passages to return: 1 to 200. Default: 20. */
  limit: count,
  /** How many passages of one meeting to return. Default: 3. */
  perMeeting: count,
  /** Ends the search with the signal's reason. */
  signal: readOptionsShape.signal,
};

/** Options of `archive.search`. */
export interface SearchOptions extends PeriodOptions, Infer<typeof searchOptions> {}

const { since, until } = readOptionsShape;
const searchOptionsSchema = z.strictObject({ since, until, ...searchOptions });
const querySchema = z.object({
  query: stringOf((text) => text.trim() !== "", "words, a phrase or the beginning of a word", "too_short"),
});

export function checkSearch(operation: string, query: unknown, options: SearchOptions): void {
  checkArgument(operation, querySchema, { query });
  checkArgument(operation, searchOptionsSchema, options);
  const issues = periodIssues(options);
  if (issues.length > 0) throw new InvalidArgumentError({ operation, issues });
}

/** A row of the passages that were found. */
interface FoundRow {
  readonly id: number | string;
  readonly meeting_id: string;
}

/** A passage that was found, and what was searched for. */
export interface FoundPassage extends FoundRow {
  readonly terms: readonly Term[];
  readonly isExact: boolean;
}

/** Words in so many passages are common: they find nothing by themselves. More would make a search slow. */
const COMMON = 2_000;
/** With so many passages that have all words, nobody needs those that have some. */
const ENOUGH = 5;
/** The most words of which any is enough, the rarest: each makes the search slower. */
const MAX_ANY = 8;
const SHORTEST_PREFIX = 3;

/** The term with its last word, as `map` changes it, as the beginning of a word. */
function beginning({ words, isPrefix }: Term, map = (word: string) => word): Term {
  const last = words.at(-1) ?? "";
  return { words: [...words.slice(0, -1), map(last)], isPrefix: isPrefix || [...last].length >= SHORTEST_PREFIX };
}

/** What forms of a word have in common: `verlän` of `Verlängerung`. */
function stem(word: string): string {
  const letters = [...word];
  return letters.length < 5 ? word : letters.slice(0, Math.max(4, Math.ceil(letters.length * 0.6))).join("");
}

/** A day counts from its beginning to its end, in UTC. */
const timeOf = (moment: string | Date | undefined, ofDay: string) =>
  moment instanceof Date ? timeText(moment) : moment && `${moment}T${ofDay}Z`;

/** The statement of a step. Behind its weights and conditions, its parameters are those of the filter and the two limits. */
function findStatement({ syntax, account }: StoredAccount, options: SearchOptions, { anyOf }: Step) {
  const { dialect, statement, texts, types } = syntax;
  const { meetingIds, in: kind } = options;
  const started = (is: string) => `EXISTS (SELECT 1 FROM notetaker_meetings AS m
    WHERE m.account = p.account AND m.id = p.meeting_id AND m.started_at ${is} CAST(? AS ${types.time}))`;
  const conditions = [
    ["p.account = ?", account],
    [started(">="), timeOf(options.since, "00:00:00.000")],
    [started("<="), timeOf(options.until, "23:59:59.999")],
    [`p.meeting_id IN (${texts})`, meetingIds && JSON.stringify(meetingIds)],
    [`p.document_id ${kind === "transcripts" ? "=" : "<>"} ?`, kind && ""],
  ].filter((condition): condition is [string, string] => condition[1] !== undefined);
  // In SQLite, CROSS JOIN keeps the order of the tables.
  const sql = statement(
    `WITH each AS MATERIALIZED (${anyOf.map(() => SYNTAX[dialect].found).join(" UNION ALL ")}),
    f AS MATERIALIZED (SELECT id, sum(score) AS score FROM each GROUP BY id), ranked AS (
      SELECT f.score, p.id, p.meeting_id,
        row_number() OVER (PARTITION BY p.meeting_id ORDER BY f.score DESC, p.id) AS place
      FROM f CROSS JOIN notetaker_passages AS p WHERE p.id = f.id AND ${conditions.map(([sql]) => sql).join(" AND ")}
    )
    SELECT id, meeting_id FROM ranked WHERE place <= CAST(? AS integer)
    ORDER BY score DESC, id LIMIT CAST(? AS integer)`,
  );
  return { sql, params: conditions.map(([, value]) => value) };
}

/** In how many passages each term is. What is common has the count COMMON. */
async function counted({ driver, syntax }: StoredAccount, terms: readonly Term[]) {
  const { matching, term: write } = SYNTAX[syntax.dialect];
  const sql = syntax.statement(`SELECT count(*) AS n FROM (SELECT 1 FROM ${matching} LIMIT ${COMMON}) AS t`);
  const counts: { term: Term; count: number }[] = [];
  for (const term of terms) {
    const [row] = (await driver.all(sql, [write(term)])) as readonly { n: number | string }[];
    counts.push({ term, count: Number(row?.n) });
  }
  return counts;
}

const allOf = (terms: readonly Term[]): Step => ({ anyOf: [{ terms, weight: 0 }], marked: terms });

async function* stepsOf(stored: StoredAccount, { terms }: Query): AsyncGenerator<Step> {
  yield allOf(terms);
  const exact = await counted(stored, terms);
  const uncommon = exact.filter(({ count }) => count < COMMON);
  // The beginning of a common word is in most passages.
  yield allOf(exact.map(({ term, count }) => (count < COMMON ? beginning(term) : term)));
  const rarity = await rarityOf(stored);
  const words: { weight: number; forms: Step["anyOf"] }[] = [];
  for (const own of uncommon) {
    const [other = own] = await counted(stored, [beginning(own.term, stem)]);
    // What has the word as it was written has its stem as well.
    const forms = [
      { terms: [other.term], weight: rarity(other) },
      { terms: [own.term], weight: rarity(own) - rarity(other) },
    ];
    words.push({
      weight: Math.max(rarity(own), rarity(other)),
      forms: forms.filter(({ weight }) => weight > 0),
    });
  }
  const rarest = words.sort((a, b) => b.weight - a.weight).slice(0, MAX_ANY);
  const anyOf = rarest.flatMap(({ forms }) => forms);
  if (anyOf.length > 0) yield { anyOf, marked: [...terms, ...anyOf.flatMap(({ terms }) => terms)] };
  else {
    // Only common words are in the database: those passages that have them all, then those that have any.
    const present = exact.filter(({ count }) => count > 0).map(({ term }) => term);
    if (present.length > 0) yield allOf(present);
    if (present.length > 1)
      yield { anyOf: present.slice(0, MAX_ANY).map((term) => ({ terms: [term], weight: 1 })), marked: present };
  }
}

/** How much a word counts that is in so many of all passages; 0 if it is common, or nowhere. */
async function rarityOf({ driver, syntax }: StoredAccount) {
  // Counting them takes too long.
  const sql = syntax.statement("SELECT max(id) AS n FROM notetaker_passages");
  const [row] = (await driver.all(sql, [])) as readonly { n: number | string | null }[];
  return ({ count }: { count: number }) => (count === 0 || count >= COMMON ? 0 : Math.log(1 + Number(row?.n) / count));
}

/** The passages that fit best, at most `limit`, and at most `perMeeting` of a meeting. */
export async function findPassages(
  stored: StoredAccount,
  query: Query,
  options: SearchOptions,
): Promise<FoundPassage[]> {
  const { limit = 20, perMeeting = 3, speaker, signal } = options;
  const said = speaker === undefined ? undefined : wordsOf(speaker).map(({ word }) => word);
  if (query.terms.length === 0 || said?.length === 0) return [];
  const found = new Map<FoundRow["id"], FoundPassage>();
  const ofMeeting = new Map<string, number>();
  const add = (row: FoundRow, terms: readonly Term[], isExact: boolean) => {
    const count = ofMeeting.get(row.meeting_id) ?? 0;
    if (found.has(row.id) || found.size >= limit || count >= perMeeting) return;
    found.set(row.id, { ...row, terms, isExact });
    ofMeeting.set(row.meeting_id, count + 1);
  };
  let isExact = true;
  for await (const step of stepsOf(stored, query)) {
    throwIfAborted(signal);
    // What was found before may be found again.
    const most = [perMeeting + found.size, limit + found.size].map(String);
    const conditions = step.anyOf.flatMap(({ terms, weight }) => [
      String(weight),
      conditionOf(stored.syntax.dialect, terms, query, said ?? []),
    ]);
    const { sql, params } = findStatement(stored, options, step);
    const rows = (await stored.driver.all(sql, [...conditions, ...params, ...most])) as readonly FoundRow[];
    for (const row of rows) add(row, step.marked, isExact);
    if (found.size >= limit || (!isExact && found.size >= ENOUGH)) break;
    isExact = false;
  }
  return [...found.values()];
}
