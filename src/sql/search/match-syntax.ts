/** How a query is written for FTS5 and as a `tsquery`. No text of a user is syntax of either. */
import type { Dialect } from "../syntax.js";
import { WORDS } from "./index-tables.js";
import type { Query, Term } from "./query.js";

/** The share of the database's own rank: it decides where the weights are the same. */
const RANK = 0.001;

export const SYNTAX = {
  sqlite: {
    /** What the transcript of the meeting `m` has at the place `p`. */
    slice: `CASE WHEN json_valid(m.transcript) THEN json_object('speakers', m.transcript -> '$.speakers', 'segments',
      (SELECT json_group_array(json(s.value)) FROM json_each(m.transcript, '$.segments') AS s
        WHERE s.type = 'object' AND s.key >= p.segment AND s.key < p.segment + p.segments)) END`,
    // Between quotation marks nothing is syntax. Words have only letters and digits.
    term: ({ words, isPrefix }: Term, column?: "speaker") =>
      `${column ? "speaker : " : ""}"${words.join(" ")}"${isPrefix ? " *" : ""}`,
    ...{ and: " AND ", or: " OR ", not: " NOT " },
    matching: "notetaker_words WHERE notetaker_words MATCH ?",
    found: `SELECT rowid AS id, CAST(? AS double precision) - ${RANK} * bm25(notetaker_words, 0.5, 0.5, 1.0) AS score
      FROM notetaker_words WHERE notetaker_words MATCH ?`,
  },
  postgres: {
    slice: `CAST(jsonb_build_object('speakers', m.transcript -> 'speakers', 'segments',
      jsonb_path_query_array(m.transcript, '$.segments[$first to $last]',
        jsonb_build_object('first', p.segment, 'last', p.segment + p.segments - 1))) AS text)`,
    term({ words, isPrefix }: Term, column?: "speaker") {
      const flags = (index: number) => (isPrefix && index === words.length - 1 ? "*" : "") + (column ? "B" : "");
      return `(${words.map((word, index) => `'${word}':${flags(index)}`.replace(/:$/, "")).join(" <-> ")})`;
    },
    ...{ and: " & ", or: " | ", not: " & !" },
    matching: `notetaker_passages WHERE ${WORDS} @@ ?::tsquery`,
    found: `SELECT id, CAST(? AS double precision) + ${RANK} * ts_rank_cd('{1, 1, 0.5, 0.5}', ${WORDS}, query, 1) AS score
      FROM (SELECT ?::tsquery AS query) AS q JOIN notetaker_passages ON ${WORDS} @@ query`,
  },
} as const;

export interface Step {
  /** A passage is found if it has all terms of one of these. The weights of those that it has are added. */
  readonly anyOf: readonly { readonly terms: readonly Term[]; readonly weight: number }[];
  /** What is marked in the text. */
  readonly marked: readonly Term[];
}

/** The condition that a passage has all these terms, as the database writes it. */
export function conditionOf(
  dialect: Dialect,
  terms: readonly Term[],
  { without }: Query,
  speaker: readonly string[],
): string {
  const { term, and, or, not } = SYNTAX[dialect];
  const group = (all: readonly Term[], between: string) => `(${all.map((one) => term(one)).join(between)})`;
  const said = speaker.map((word) => term({ words: [word], isPrefix: false }, "speaker"));
  return `(${[group(terms, and), ...said].join(and)})${without.length === 0 ? "" : not + group(without, or)}`;
}
