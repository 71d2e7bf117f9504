/** Reads the text of found passages, and where the words of the query are in it. */
import type { StoredAccount } from "../stored-account.js";
import type { FoundPassage } from "./find-passages.js";
import { type Passage, passagesOf } from "./passages.js";
import { placesOf } from "./query.js";
import { readTexts, type StoredText, textKey } from "./read-texts.js";
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

/** The hits in the order in which they were found, without what was deleted or changed meanwhile. */
export async function readHits(stored: StoredAccount, found: readonly FoundPassage[]): Promise<SearchHit[]> {
  if (found.length === 0) return [];
  const texts = await readTexts(stored, [...new Set(found.map(({ meeting_id }) => meeting_id))]);
  const cut = new Map<StoredText, readonly Passage[]>();
  const hits = found.flatMap(({ meeting_id, document_id, position, version, terms, isExact }) => {
    const text = texts.get(textKey(meeting_id, document_id));
    if (text === undefined || text.version !== version) return [];
    const passages = cut.get(text) ?? passagesOf(text.content, text.format);
    cut.set(text, passages);
    const passage = passages[position];
    if (passage === undefined) return [];
    const words = wordsOf(passage.text);
    const places = terms.map((term) => [...placesOf(term, words)]);
    // What has the words itself comes before what has them in its title, whatever the database makes of few meetings.
    const rank = isExact ? 1 + places.filter(({ length }) => length > 0).length : 0;
    return [{ rank, hit: hitOf(text, passage, joinedPlaces(places.flat()), isExact) }];
  });
  return hits.sort((a, b) => b.rank - a.rank).map(({ hit }) => hit);
}

function hitOf(
  stored: StoredText,
  { text, ...said }: Passage,
  matches: SearchHit["matches"],
  exact: boolean,
): SearchHit {
  const { id, title, start_time, status, gone, document_id, document_title } = stored;
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
