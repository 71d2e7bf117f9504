/** How a query is written for FTS5 and as a `tsquery`. Nothing of it is syntax: words have only letters and digits. */
import type { Dialect } from "../syntax.js";
import { WORDS } from "./index-tables.js";
import type { Term } from "./query.js";

/** The share of the database's own rank: it decides where the weights are the same. */
const RANK = 0.001;

export const SYNTAX = {
  sqlite: {
    term: ({ words, isPrefix, ofSpeaker }: Term) =>
      `${ofSpeaker ? "speaker : " : ""}"${words.join(" ")}"${isPrefix ? " *" : ""}`,
    ...{ and: " AND ", or: " OR ", not: " NOT " },
    matching: "notetaker_words WHERE notetaker_words MATCH ?",
    found: `SELECT rowid AS id, CAST(? AS double precision) - ${RANK} * bm25(notetaker_words, 0.5, 0.5, 1.0) AS score
      FROM notetaker_words WHERE notetaker_words MATCH ?`,
    /** What the transcript of the meeting `m` has at the place `p`. Out of a subquery, JSON is text since SQLite 3.54. */
    slice: `CASE WHEN json_valid(m.transcript) THEN json_object('speakers', m.transcript -> '$.speakers', 'segments',
      json((SELECT json_group_array(json(s.value)) FROM json_each(m.transcript, '$.segments') AS s
        WHERE s.type = 'object' AND s.key >= p.segment AND s.key < p.segment + p.segments))) END`,
  },
  postgres: {
    term({ words, isPrefix, ofSpeaker }: Term) {
      const flags = (index: number) => (isPrefix && index === words.length - 1 ? "*" : "") + (ofSpeaker ? "B" : "");
      return `(${words.map((word, index) => `'${word}':${flags(index)}`.replace(/:$/, "")).join(" <-> ")})`;
    },
    ...{ and: " & ", or: " | ", not: " & !" },
    matching: `notetaker_passages WHERE ${WORDS} @@ ?::tsquery`,
    found: `SELECT id, CAST(? AS double precision) + ${RANK} * ts_rank_cd('{1, 1, 0.5, 0.5}', ${WORDS}, query, 1) AS score
      FROM (SELECT ?::tsquery AS query) AS q JOIN notetaker_passages ON ${WORDS} @@ query`,
    slice: `CASE WHEN m.transcript IS NOT NULL THEN CAST(jsonb_build_object('speakers', m.transcript -> 'speakers',
      'segments', jsonb_path_query_array(m.transcript, '$.segments[$first to $last]',
        jsonb_build_object('first', p.segment, 'last', p.segment + p.segments - 1))) AS text) END`,
  },
} as const;

/** The condition that a passage has all these terms, and none of those, as the database writes it. */
export function conditionOf(dialect: Dialect, terms: readonly Term[], without: readonly Term[]): string {
  const { term, and, or, not } = SYNTAX[dialect];
  const all = `(${terms.map(term).join(and)})`;
  return without.length === 0 ? all : `${all}${not}(${without.map(term).join(or)})`;
}
