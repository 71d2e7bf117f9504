/** Reads the text of found passages, and where the words of the query are in it. */
import { ConfigurationError } from "../../errors/argument-errors.js";
import type { StoredAccount } from "../stored-account.js";
import { rowsOf } from "../syntax.js";
import type { FoundPassage } from "./find-passages.js";
import { SYNTAX } from "./match-syntax.js";
import { DOCUMENT, type Passage, partsOf } from "./passages.js";
import { placesOf } from "./query.js";
import { wordsOf } from "./words.js";

/** A passage of a meeting that `archive.search` found. */
export type SearchHit = {
  /** The meeting, as it was stored. */
  meeting: {
    /** The meeting's id. */
    id: string;
    /** Its title; `null` if it has none. */
    title: string | null;
    /** When it started, as an ISO 8601 timestamp; `null` if that is not known. */
    start_time: string | null;
    /** Its status when it was stored, such as `"completed"`. */
    status: string | null;
    /** Whether the service no longer has the meeting. */
    gone: boolean;
  };
  /** The passage: about a turn of a speaker, or some paragraphs of a document. */
  text: string;
  /** Where the words of the query are in `text`. Empty if they are only in the title or the speaker's name. */
  matches: {
    /** The index in `text` of the match's first UTF-16 code unit. */
    start: number;
    /** The index after its last one, as in `text.slice(start, end)`. */
    end: number;
  }[];
  /** Whether all words of the query are in the passage (or in the title, or the speaker's name), as they were written. */
  exact: boolean;
} & (
  | {
      /** It was said in the meeting. */
      kind: "transcript";
      /** Who said it. */
      speaker: string;
      /** When the passage starts, in seconds from the start of the meeting. */
      start_time: number;
      /** When it ends. */
      end_time: number;
      /** Only of a document. */
      document?: undefined;
    }
  | {
      /** It was written in a document about the meeting. */
      kind: "document";
      /** The document that the passage is from. */
      document: {
        /** The document's id. */
        id: string;
        /** Its title; `null` if it has none. */
        title: string | null;
      };
      /** Only of a transcript. */
      speaker?: undefined;
      /** Only of a transcript. */
      start_time?: undefined;
      /** Only of a transcript. */
      end_time?: undefined;
    }
);

/** A passage as it is stored: of a transcript, only what is at its place. */
interface StoredPassage extends Omit<SearchHit["meeting"], "gone"> {
  readonly passage_id: number | string;
  readonly gone: number | boolean;
  readonly document_id: string;
  readonly document_title: string | null;
  readonly part: number;
  readonly format: string;
  readonly content: string | null;
}

/** The hits in the order in which they were found, without what was deleted or changed meanwhile. */
export async function readHits(
  { driver, syntax, account }: StoredAccount,
  found: readonly FoundPassage[],
): Promise<SearchHit[]> {
  if (found.length === 0) return [];
  const sql = `SELECT p.id AS passage_id, p.document_id, p.part, m.id, m.title, m.start_time, m.status, m.gone,
      d.title AS document_title, coalesce(d.format, '') AS format,
      CASE p.document_id WHEN '' THEN ${SYNTAX[syntax.dialect].slice} ELSE d.content END AS content
    FROM (${rowsOf(syntax, { count: "passage" })}) AS r CROSS JOIN notetaker_passages AS p
    JOIN notetaker_meetings AS m ON m.account = p.account AND m.id = p.meeting_id AND m.version = p.version
    LEFT JOIN ${DOCUMENT} AND d.id = p.document_id
    WHERE p.account = ? AND p.id = r.passage`;
  const ids = found.map(({ id }) => ({ passage: id }));
  const rows = (await driver.all(syntax.statement(sql), [JSON.stringify(ids), account])) as readonly StoredPassage[];
  const byId = new Map(rows.map((row) => [row.passage_id, row]));
  const hits = found.flatMap(({ id, terms, isExact }) => {
    const stored = byId.get(id);
    if (stored === undefined || stored.content === null) return [];
    const passage = partsOf(stored.content, stored.format)[stored.part];
    if (passage === undefined) {
      const message = `archive.search: the text of ${stored.id} is not the one that was indexed: drop the index`;
      throw new ConfigurationError({ message });
    }
    const words = wordsOf(passage.text);
    const places = terms.map((term) => [...placesOf(term, words)]);
    // What has the words itself comes before what has them in its title, whatever the database makes of few meetings.
    const rank = isExact ? 1 + places.filter(({ length }) => length > 0).length : 0;
    return [{ rank, hit: hitOf(stored, passage, matchesIn(passage.text, places.flat()), isExact) }];
  });
  return hits.sort((a, b) => b.rank - a.rank).map(({ hit }) => hit);
}

function hitOf(
  { id, title, start_time, status, gone, document_id, document_title }: StoredPassage,
  { text, ...said }: Passage,
  matches: SearchHit["matches"],
  exact: boolean,
): SearchHit {
  const hit = { meeting: { id, title, start_time, status, gone: Boolean(gone) }, text, matches, exact };
  // A turn has a speaker and its times.
  if (document_id === "") return { ...hit, kind: "transcript", ...(said as Required<typeof said>) };
  return { ...hit, kind: "document", document: { id: document_id, title: document_title } };
}

const WITH_APOSTROPHE = /(?<![\p{L}\p{M}\p{N}])[\p{L}\p{N}][\p{L}\p{M}\p{N}]*(?:['\u2019\u02bc][\p{L}\p{M}\p{N}]+)+/gu;

/** The places in their order, those that overlap as one, and all of a word with an apostrophe, such as `Don't`. */
function matchesIn(text: string, places: readonly (readonly [start: number, end: number])[]): SearchHit["matches"] {
  const whole = [...text.matchAll(WITH_APOSTROPHE)]
    .map(({ 0: word, index }) => [index, index + word.length] as const)
    .filter(([from, to]) => places.some(([start, end]) => start < to && end > from));
  const matches: { start: number; end: number }[] = [];
  for (const [start, end] of [...places, ...whole].sort(([a], [b]) => a - b)) {
    const last = matches.at(-1);
    if (last && start < last.end) last.end = Math.max(last.end, end);
    else matches.push({ start, end });
  }
  return matches;
}
