import { oneLine } from "./one-line.js";
import type { SpokenTranscript } from "./spoken.js";

/** A function that names speakers, for many look-ups in one transcript. */
export function speakerNames({ speakers }: Pick<SpokenTranscript, "speakers">): (id: string) => string {
  const names = new Map<string, string>();
  for (const { id, name } of speakers) if (!names.has(id)) names.set(id, oneLine(name));
  return (id) => names.get(id) || oneLine(id) || "Unknown speaker";
}

/**
 * The name of a speaker, on one line. A speaker that the transcript does not list, or lists without a name, is called by the id.
 *
 * @example
 * speakerName(transcript, "spk_1"); // "Ada Lovelace"
 */
export const speakerName = (transcript: Pick<SpokenTranscript, "speakers">, id: string): string =>
  speakerNames(transcript)(id);
