/** Reads a received transcript. An invalid transcript is read as far as possible, and keeps its issues. */
import * as z from "zod/mini";
import { isRecord } from "../../json/is-record.js";
import { formatIssues, type Issue } from "../../schemas/format-issues.js";
import { type Transcript, transcriptSchema } from "../../schemas/transcript.js";

/** A transcript as it was received. */
export interface ReceivedTranscript {
  /** The readable part; `undefined` if there is no list of segments. */
  transcript: Transcript | undefined;
  received: unknown;
  /** How the transcript does not match the API specification. */
  issues: readonly Issue[];
}

/** Reads the valid part of a transcript. A segment that is not an object is left out; every other segment is kept. */
export function readTranscript(received: unknown): ReceivedTranscript {
  const { data, error } = z.safeParse(transcriptSchema, received);
  if (data !== undefined) return { transcript: data, received, issues: [] };
  const issues = formatIssues(error.issues, received);
  return { transcript: isRecord(received) ? readableTranscript(received) : undefined, received, issues };
}

function readableTranscript({ segments, speakers, ...rest }: Record<string, unknown>): Transcript | undefined {
  if (!Array.isArray(segments)) return undefined;
  return {
    ...rest,
    meeting_id: text(rest.meeting_id) as Transcript["meeting_id"],
    language: text(rest.language),
    speakers: (Array.isArray(speakers) ? speakers : [])
      .filter(isRecord)
      .map(({ id, name }) => ({ id: text(id) as Transcript["speakers"][number]["id"], name: text(name) })),
    segments: segments.filter(isRecord).map((segment) => ({
      ...segment,
      speaker_id: text(segment.speaker_id) as Transcript["segments"][number]["speaker_id"],
      start_time: seconds(segment.start_time),
      end_time: seconds(segment.end_time),
      text: text(segment.text),
    })),
  };
}

const text = (value: unknown) => (typeof value === "string" ? value : "");
/** The functions of `notetaker-sdk/transcript` treat `NaN` as a missing time. */
const seconds = (value: unknown) => (typeof value === "number" ? value : Number.NaN);
