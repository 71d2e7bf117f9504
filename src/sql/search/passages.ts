/** Cuts transcripts and documents into the passages that are searched, always in the same way: only their numbers are stored. */
import { isRecord } from "../../json/is-record.js";
import { pack } from "../../transcript/chunks.js";
import { interpolate } from "../../transcript/timeline.js";
import { turns } from "../../transcript/turns.js";
import type { SpokenTranscript, Turn } from "../../transcript/types.js";

/** A part of a text that is found as a whole. */
export interface Passage {
  readonly text: string;
  readonly speaker?: string;
  readonly start_time?: number;
  readonly end_time?: number;
}

/** In UTF-16 units: about a minute and a half of talk. */
const MAX_PASSAGE = 1_000;

/** The most passages of one text: the ids of a database leave room for no more. */
export const MAX_PASSAGES = 1_048_576;

const lengthOf = (text: string) => text.length;
const pieces = (text: string) => pack(text, MAX_PASSAGE, lengthOf);

/** A passage for each turn of a speaker. A long turn is cut between segments, a long segment between sentences. */
export function transcriptPassages(transcript: unknown): Passage[] {
  if (!isRecord(transcript) || "then" in transcript) return [];
  return turns(transcript as unknown as SpokenTranscript, { maxCharacters: MAX_PASSAGE })
    .flatMap((turn): Turn[] => (turn.text.length > MAX_PASSAGE ? interpolate(turn, pieces(turn.text)) : [turn]))
    .filter(({ text }) => text !== "")
    .slice(0, MAX_PASSAGES)
    .map(({ text, speaker_name, start_time, end_time }) => ({ text, speaker: speaker_name, start_time, end_time }));
}

/** The formats of documents that can be read as text, the best first. */
export const TEXT_FORMATS = ["markdown", "raw", "html"] as const;

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', nbsp: " ", "#39": "'" };

/** The text of a page, with a blank line for each element that begins one. */
const htmlText = (html: string) =>
  html
    .replace(/<(?:\/?(?:p|div|h\d|li|ul|ol|table|tr|section|article|blockquote)|br)\b[^<>]*>/gi, "\n\n")
    .replace(/<[^<>]*>/g, "")
    .replace(/&(amp|lt|gt|quot|nbsp|#39);/g, (entity, name: string) => ENTITIES[name] ?? entity);

/** Whole paragraphs together, as many as fit; a long paragraph is cut between sentences. */
export function documentPassages(content: string, format: string): Passage[] {
  const text = format === "html" ? htmlText(content) : content;
  const passages: string[] = [];
  const paragraphs = text.split(/\n\s*\n/).map((part) => part.trim());
  for (const paragraph of paragraphs.filter(Boolean).flatMap(pieces)) {
    const joined = `${passages.at(-1) ?? ""}\n\n${paragraph}`;
    if (passages.length > 0 && joined.length <= MAX_PASSAGE) passages[passages.length - 1] = joined;
    else passages.push(paragraph);
  }
  return passages.slice(0, MAX_PASSAGES).map((passage) => ({ text: passage.trim() }));
}
