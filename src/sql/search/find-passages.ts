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
import { SPACELESS } from "../../transcript/split-text.js";
import { isStorable, timeText } from "../rows.js";
import type { StoredAccount } from "../stored-account.js";
import { conditionOf, SYNTAX } from "./match-syntax.js";
import type { Query, Term } from "./query.js";
import { accountWords, wordsOf } from "./words.js";

const count = z.optional(
  numberOf((value) => Number.isInteger(value) && value >= 1 && value <= 200, "an integer from 1 to 200", [1, 200]),
);

const searchOptions = {
  /** Only what this person said: words of the name. */
  speaker: z.optional(stringOf((text) => text.trim() !== "", "a name", "too_short")),
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

/** A passage that was found, and what was searched for. */
export interface FoundPassage {
  readonly id: number | string;
  readonly meeting_id: string;
  /** What is marked in the text. */
  readonly terms: readonly Term[];
  readonly isExact: boolean;
}

interface Step {
  /** A passage is found if it has all terms of one of these. The weights of those that it has are added. */
  readonly anyOf: readonly { readonly terms: readonly Term[]; readonly weight: number }[];
  readonly marked: readonly Term[];
}

/** Words in so many passages are common: they find nothing by themselves. With more, a search would be slow. */
const COMMON = 2_000;
const MANY = 5 * COMMON;
/** With so many passages that have all words, nobody needs those that have some. */
const ENOUGH = 5;
/** The most words of which any is enough, the rarest: each makes the search slower. */
const MAX_ANY = 8;
/** In letters. A character of a script without spaces may be most of a word. */
const shortestPrefix = (word: string) => (SPACELESS.test(word) ? 1 : 3);

/** The term with its last word, as `map` changes it, as the beginning of a word. */
function beginning({ words, isPrefix }: Term, map = (word: string) => word): Term {
  const last = words.at(-1) ?? "";
  return { words: [...words.slice(0, -1), map(last)], isPrefix: isPrefix || [...last].length >= shortestPrefix(last) };
}

/** What forms of a word have in common: `verlän` of `Verlängerung`. */
function stem(word: string): string {
  const letters = [...word];
  return letters.length < 5 ? word : letters.slice(0, Math.max(4, Math.ceil(letters.length * 0.6))).join("");
}

const allOf = (terms: readonly Term[]): Step => ({ anyOf: [{ terms, weight: 0 }], marked: terms });

/** `all` is how many passages there are, at most MANY; `countOf` says in how many a term is, at most COMMON. */
async function* stepsOf(
  terms: readonly Term[],
  all: number,
  countOf: (term: Term) => Promise<number>,
): AsyncGenerator<Step> {
  yield allOf(terms);
  const counts = new Map<Term, number>();
  for (const term of terms) counts.set(term, await countOf(term));
  const own = (term: Term) => counts.get(term) ?? 0;
  // The beginning of a common word is in most passages.
  yield allOf(terms.map((term) => (own(term) < COMMON ? beginning(term) : term)));
  const rarityOf = (count: number) => (count === 0 || count >= COMMON ? 0 : Math.log(1 + all / count));
  const words: { weight: number; forms: Step["anyOf"] }[] = [];
  for (const term of terms.filter((one) => own(one) < COMMON)) {
    const form = beginning(term, stem);
    const weight = rarityOf(await countOf(form));
    // What has the word as it was written has its form as well.
    const more = Math.max(0, rarityOf(own(term)) - weight);
    const forms = [
      { terms: [form], weight },
      { terms: [term], weight: more },
    ];
    words.push({ weight: weight + more, forms: forms.filter((one) => one.weight > 0) });
  }
  const rarest = words.sort((a, b) => b.weight - a.weight).slice(0, MAX_ANY);
  const anyOf = rarest.flatMap(({ forms }) => forms);
  if (anyOf.length > 0) return yield { anyOf, marked: [...terms, ...anyOf.flatMap(({ terms }) => terms)] };
  // Only common words are in the database: those passages that have them all, then those that have any.
  const present = terms.filter((term) => own(term) > 0);
  if (present.length > 0) yield allOf(present);
  const each = present.slice(0, MAX_ANY).map((term) => ({ terms: [term], weight: 1 }));
  if (present.length > 1) yield { anyOf: each, marked: present };
}

/** A day counts from its beginning to its end, in UTC. */
const timeOf = (moment: string | Date | undefined, ofDay: string) =>
  moment && timeText(moment instanceof Date ? moment : new Date(`${moment}T${ofDay}Z`));

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
    [`p.meeting_id IN (${texts})`, meetingIds && JSON.stringify(meetingIds.filter(isStorable))],
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

const termsOf = (words: readonly string[], ofSpeaker = false): Term[] =>
  words.map((word) => ({ words: [word], isPrefix: false, ofSpeaker }));

/** Counts the passages that have a term, at most COMMON; or all, at most MANY. */
function counterOf({ driver, syntax: { dialect, statement }, account }: StoredAccount) {
  return async (term?: Term) => {
    const [from, most, value] = term
      ? [SYNTAX[dialect].matching, COMMON, conditionOf(dialect, [term, ...termsOf(accountWords(account))], [])]
      : ["notetaker_passages WHERE account = ?", MANY, account];
    const sql = statement(`SELECT count(*) AS n FROM (SELECT 1 FROM ${from} LIMIT ${most}) AS t`);
    const [row] = await driver.all(sql, [value]);
    return Number((row as { n: number | string }).n);
  };
}

/** The passages that fit best, at most `limit`, and at most `perMeeting` of a meeting. */
export async function findPassages(
  stored: StoredAccount,
  { terms, without }: Query,
  options: SearchOptions,
): Promise<FoundPassage[]> {
  const { driver, syntax, account } = stored;
  const { limit = 20, perMeeting = 3, speaker, signal } = options;
  const said = wordsOf(speaker ?? "").map(({ word }) => word);
  if (terms.length === 0 || (speaker !== undefined && said.length === 0)) return [];
  const countOf = counterOf(stored);
  const all = await countOf();
  // To rank the passages of an account, SQLite counts them.
  const always = [...termsOf(said, true), ...termsOf(all < MANY ? accountWords(account) : [])];
  const found = new Map<FoundPassage["id"], FoundPassage>();
  const ofMeeting = (id: string) => [...found.values()].filter(({ meeting_id }) => meeting_id === id).length;
  const isWanted = ({ id, meeting_id }: Pick<FoundPassage, "id" | "meeting_id">) =>
    !found.has(id) && found.size < limit && ofMeeting(meeting_id) < perMeeting;
  let isExact = true;
  for await (const step of stepsOf(terms, all, countOf)) {
    throwIfAborted(signal);
    const conditions = step.anyOf.flatMap(({ terms, weight }) => [
      String(weight),
      conditionOf(syntax.dialect, [...terms, ...always], without),
    ]);
    // What was found before may be found again.
    const most = [perMeeting + found.size, limit + found.size].map(String);
    const { sql, params } = findStatement(stored, options, step);
    const rows = await driver.all(sql, [...conditions, ...params, ...most]);
    for (const row of rows as readonly Pick<FoundPassage, "id" | "meeting_id">[]) {
      if (isWanted(row)) found.set(row.id, { ...row, terms: step.marked, isExact });
    }
    if (found.size >= limit || (!isExact && found.size >= ENOUGH)) break;
    isExact = false;
  }
  return [...found.values()];
}
