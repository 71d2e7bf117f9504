/** Cuts transcripts and documents into the passages that are searched, always in the same way: only their places are stored. */
import { isRecord } from "../../json/is-record.js";
import { parseJson } from "../../json/parse-json.js";
import { pack } from "../../transcript/chunks.js";
import { speakerNames } from "../../transcript/speaker-name.js";
import { interpolate } from "../../transcript/timeline.js";
import { turns } from "../../transcript/turns.js";
import type { Spoken, SpokenTranscript } from "../../transcript/types.js";

/** A part of a text that is found as a whole. */
export interface Passage {
  readonly text: string;
  readonly speaker?: string;
  readonly start_time?: number;
  readonly end_time?: number;
}

/** Where a passage is in its text: in some segments of a transcript, or none of a document; and which part of these. */
export interface Place {
  readonly segment: number;
  readonly segments: number;
  readonly part: number;
}

/** In UTF-16 units: about a minute and a half of talk. */
const MAX_PASSAGE = 1_000;

const pieces = (text: string) => pack(text, MAX_PASSAGE, ({ length }) => length);

/** The format of a transcript, which is JSON. */
const TRANSCRIPT = "";

/** The text of a document of the meeting `m`: in several formats, the last of them. */
export const DOCUMENT = `notetaker_documents AS d ON d.account = m.account AND d.meeting_id = m.id AND d.format = (
  SELECT max(format) FROM notetaker_documents AS f WHERE f.account = d.account AND f.meeting_id = d.meeting_id
    AND f.id = d.id AND f.format IN ('html', 'markdown', 'raw'))`;

/** The passages of a stored text: a transcript, or a document in one of its formats. */
export function passagesOf(content: string | null, format: string): (Passage & { readonly place: Place })[] {
  const { nameOf, segments } = fieldsOf(format === TRANSCRIPT ? content : null);
  const runs =
    format === TRANSCRIPT
      ? runsOf(segments).map(([from, to]) => [from, to - from, turnParts(nameOf, segments.slice(from, to))] as const)
      : [[0, 0, documentParts(content ?? "", format)] as const];
  return runs.flatMap(([segment, segments, parts]) =>
    parts.map((passage, part) => ({ ...passage, place: { segment, segments, part } })),
  );
}

/** The parts of a document, or of the segments of a place in a transcript, which are all that `content` has. */
export function partsOf(content: string, format: string): Passage[] {
  if (format !== TRANSCRIPT) return documentParts(content, format);
  const { nameOf, segments } = fieldsOf(content);
  return turnParts(nameOf, segments);
}

function fieldsOf(transcript: string | null) {
  const { speakers, segments } = (parseJson(transcript ?? "") ?? {}) as Record<string, unknown>;
  const nameOf = speakerNames({ speakers: speakers as SpokenTranscript["speakers"] });
  return { nameOf, segments: Array.isArray(segments) ? (segments as Spoken[]) : [] };
}

/** From where to where somebody speaks, as many segments as fit into a passage. */
function runsOf(segments: readonly unknown[]): [from: number, to: number][] {
  const runs: [from: number, to: number][] = [];
  let speaker: unknown;
  let length = 0;
  for (const [index, segment] of segments.entries()) {
    const { speaker_id, text } = isRecord(segment) ? segment : {};
    // With a space between two segments.
    const added = typeof text === "string" ? text.length + 1 : 0;
    const last = runs.at(-1);
    length += added;
    if (last && speaker_id === speaker && length <= MAX_PASSAGE) last[1] = index + 1;
    else {
      runs.push([index, index + 1]);
      length = added;
    }
    speaker = speaker_id;
  }
  return runs;
}

/** One passage, or those of a long segment, which is cut between sentences. */
function turnParts(nameOf: (id: string) => string, segments: readonly Spoken[]): Passage[] {
  const id = segments.find(Boolean)?.speaker_id ?? "spk_";
  return turns({ speakers: [{ id, name: nameOf(id) }], segments })
    .flatMap((turn) => (turn.text.length > MAX_PASSAGE ? interpolate(turn, pieces(turn.text)) : [turn]))
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
function documentParts(content: string, format: string): Passage[] {
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
