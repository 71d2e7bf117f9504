/** Reads the text of found passages, and where the words of the query are in it. */
import { orUndefined } from "../../json/or-undefined.js";
import type { SqlDriver } from "../driver.js";
import type { Syntax } from "../syntax.js";
import type { FoundPassage } from "./find-passages.js";
import { documentPassages, type Passage, transcriptPassages } from "./passages.js";
import { placesOf } from "./query.js";
import { wordsOf } from "./words.js";

/** A passage of a meeting that `archive.search` found. */
export interface SearchHit {
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
  /** Whether it was said in the meeting, or written in a document about it. */
  kind: "transcript" | "document";
  /** The passage: about a turn of a speaker, or some paragraphs of a document. */
  text: string;
  /** Where the words of the query are in `text`. Empty if they are only in the title or the speaker's name. */
  matches: {
    /** The index in `text` of the match's first UTF-16 code unit. */
    start: number;
    /** The index after its last one, as in `text.slice(start, end)`. */
    end: number;
  }[];
  /** Who said it. */
  speaker?: string;
  /** When the passage starts, in seconds from the start of the meeting. */
  start_time?: number;
  /** When it ends. */
  end_time?: number;
  /** The document, if the passage is from one. */
  document?: {
    /** The document's id. */
    id: string;
    /** Its title; `null` if it has none. */
    title: string | null;
  };
  /** Whether all words of the query are in the passage (or in the title, or the speaker's name), as they were written. */
  exact: boolean;
}

interface TextRow {
  readonly text: number | string | bigint;
  readonly id: string;
  readonly title: string | null;
  readonly start_time: string | null;
  readonly status: string | null;
  readonly gone: number | boolean;
  readonly transcript: string | null;
  readonly document_id: string;
  readonly document_title: string | null;
  readonly format: string;
  readonly content: string | null;
}

const readStatement = ({ dialect, statement, texts }: Syntax) =>
  statement(
    `SELECT p.id AS text, m.id, m.title, m.start_time, m.status, m.gone, p.document_id, p.format,
      CASE WHEN p.document_id = '' THEN CAST(m.transcript AS text) END AS transcript,
      d.title AS document_title, d.content
    FROM notetaker_passages AS p
    JOIN notetaker_meetings AS m ON m.account = p.account AND m.id = p.meeting_id AND m.version = p.version
    LEFT JOIN notetaker_documents AS d
      ON d.account = p.account AND d.meeting_id = p.meeting_id AND d.id = p.document_id AND d.format = p.format
    WHERE p.account = ? AND p.id IN (${texts}${dialect === "sqlite" ? "" : "::bigint"})`,
  );

const passagesOf = ({ transcript, content, format }: TextRow): Passage[] =>
  content === null
    ? transcriptPassages(orUndefined(() => JSON.parse(transcript ?? "null")))
    : documentPassages(content, format);

/** The hits in the order in which they were found, without what was deleted or changed meanwhile. */
export async function readHits(
  driver: SqlDriver,
  syntax: Syntax,
  account: string,
  found: readonly FoundPassage[],
): Promise<SearchHit[]> {
  if (found.length === 0) return [];
  const ids = JSON.stringify([...new Set(found.map(({ text }) => Number(text)))]);
  const rows = (await driver.all(readStatement(syntax), [account, ids])) as readonly TextRow[];
  const texts = new Map(rows.map((row) => [String(row.text), { row, passages: passagesOf(row) }]));
  const hits = found.flatMap(({ text, position, terms, isExact }) => {
    const { row, passages } = texts.get(text) ?? {};
    const passage = passages?.[position];
    if (row === undefined || passage === undefined) return [];
    const words = wordsOf(passage.text);
    const places = terms.map((term) => [...placesOf(term, words)]);
    // What has the words itself comes before what has them in its title, whatever the database makes of few meetings.
    const rank = isExact ? 1 + places.filter(({ length }) => length > 0).length : 0;
    return [{ rank, hit: hitOf(row, passage, joinedPlaces(places.flat()), isExact) }];
  });
  return hits.sort((a, b) => b.rank - a.rank).map(({ hit }) => hit);
}

function hitOf(row: TextRow, { text, ...said }: Passage, matches: SearchHit["matches"], exact: boolean): SearchHit {
  const { id, title, start_time, status, gone, document_id, document_title } = row;
  return {
    meeting: { id, title, start_time, status, gone: Boolean(gone) },
    kind: document_id === "" ? "transcript" : "document",
    text,
    matches,
    ...said,
    ...(document_id === "" ? {} : { document: { id: document_id, title: document_title } }),
    exact,
  };
}

/** In their order, those that overlap as one. */
function joinedPlaces(places: readonly (readonly [start: number, end: number])[]): SearchHit["matches"] {
  const matches: { start: number; end: number }[] = [];
  for (const [start, end] of [...places].sort(([a], [b]) => a - b)) {
    const last = matches.at(-1);
    if (last && start < last.end) last.end = Math.max(last.end, end);
    else matches.push({ start, end });
  }
  return matches;
}
