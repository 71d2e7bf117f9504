/** Cuts transcripts and documents into the passages that are searched, always in the same way: only their numbers are stored. */
import { isRecord } from "../../json/is-record.js";
import { parseJson } from "../../json/parse-json.js";
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

const lengthOf = (text: string) => text.length;
const pieces = (text: string) => pack(text, MAX_PASSAGE, lengthOf);

/** The format of a transcript, which is JSON. */
export const TRANSCRIPT = "";

/** The passages of a stored text: a transcript, or a document in one of its formats. */
export const passagesOf = (content: string | null, format: string): Passage[] =>
  format === TRANSCRIPT ? transcriptPassages(parseJson(content ?? "")) : documentPassages(content ?? "", format);

/** A passage for each turn of a speaker. A long turn is cut between segments, a long segment between sentences. */
function transcriptPassages(transcript: unknown): Passage[] {
  if (!isRecord(transcript) || "then" in transcript) return [];
  return turns(transcript as unknown as SpokenTranscript, { maxCharacters: MAX_PASSAGE })
    .flatMap((turn): Turn[] => (turn.text.length > MAX_PASSAGE ? interpolate(turn, pieces(turn.text)) : [turn]))
    .filter(({ text }) => text !== "")
    .map(({ text, speaker_name, start_time, end_time }) => ({ text, speaker: speaker_name, start_time, end_time }));
}

/** The text of a page, with a blank line for each element that begins one. */
const htmlText = (html: string) =>
  html
    .replace(/<(?:\/?(?:p|div|h\d|li|ul|ol|table|tr|section|article|blockquote)|br)\b[^<>]*>/gi, "\n\n")
    .replace(/<[^<>]*>/g, "")
    .replace(/&(?:amp|lt|gt|quot|nbsp|#39);/g, " ");

/** Whole paragraphs together, as many as fit; a long paragraph is cut between sentences. */
function documentPassages(content: string, format: string): Passage[] {
  const text = format === "html" ? htmlText(content) : content;
  const passages: string[] = [];
  const paragraphs = text.split(/\n\s*\n/).map((part) => part.trim());
  for (const paragraph of paragraphs.filter(Boolean).flatMap(pieces)) {
    const joined = `${passages.at(-1) ?? ""}\n\n${paragraph}`;
    if (passages.length > 0 && joined.length <= MAX_PASSAGE) passages[passages.length - 1] = joined;
    else passages.push(paragraph);
  }
  return passages.map((passage) => ({ text: passage.trim() }));
}
