/**
 * A published CommonJS library: it uses the client of its caller, and creates
 * none.
 */
import type { NotetakerLike } from "notetaker-sdk";

import sdk = require("notetaker-sdk");
import transcripts = require("notetaker-sdk/transcript");

/**
 * The number of words that each speaker of a meeting said; `undefined` if there
 * is no transcript.
 */
export async function wordCounts(
  { meetings }: NotetakerLike,
  meetingId: string,
): Promise<Record<string, number> | undefined> {
  try {
    const counts: Record<string, number> = {};
    for (const { speaker_name, text } of transcripts.turns(
      await meetings.getTranscript(meetingId),
    )) {
      counts[speaker_name] =
        (counts[speaker_name] ?? 0) + text.split(/\s+/).length;
    }
    return counts;
  } catch (error) {
    // The error comes from the other copy of the package, the ESM copy.
    // `instanceof` works across copies.
    if (error instanceof sdk.NotFoundError) return undefined;
    throw error;
  }
}
