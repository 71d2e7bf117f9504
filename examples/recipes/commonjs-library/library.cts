import type { NotetakerLike } from "notetaker-sdk";

import sdk = require("notetaker-sdk");
import transcripts = require("notetaker-sdk/transcript");

/** How many words each speaker said; `undefined` without a transcript. */
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
    if (error instanceof sdk.NotFoundError) return undefined;
    throw error;
  }
}
