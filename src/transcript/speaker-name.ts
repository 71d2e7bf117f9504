import { wellFormed } from "../json/well-formed.js";
import { checkTranscript } from "./check-arguments.js";
import { singleLine } from "./split-text.js";
import type { SpokenTranscript } from "./types.js";

/** Returns a function that names speakers, for many look-ups in one transcript. */
export function speakerNames(transcript: Pick<SpokenTranscript, "speakers">): (id: string) => string {
  checkTranscript(transcript);
  const { speakers } = transcript;
  const names = new Map<string, string>();
  for (const speaker of Array.isArray(speakers) ? speakers : []) {
    if (speaker && !names.has(wellFormed(speaker.id))) names.set(wellFormed(speaker.id), singleLine(speaker.name));
  }
  return (id) => names.get(wellFormed(id)) || singleLine(id) || "Unknown speaker";
}

/**
 * The name of a speaker, on one line. If the transcript does not list the speaker, or lists no name, the id.
 * @example
 * speakerName(transcript, "spk_1"); // "Ada Lovelace"
 */
export const speakerName = (transcript: Pick<SpokenTranscript, "speakers">, id: string): string =>
  speakerNames(transcript)(id);
