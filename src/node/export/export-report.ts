/** What an export reports while it runs, and at its end. */
import type { MissingPiece } from "../reading/pieces.js";

/** The progress of an export, as `onProgress` receives it. */
export interface ExportProgress {
  /**
   * `listing`: a page of meetings is being read; `waiting`: for a second or more, for the rate limit or for the service
   * to recover.
   */
  phase: "listing" | "exporting" | "waiting" | "done";
  /** Meetings found so far, including those of earlier runs of this export. */
  meetings: number;
  /** How many of them are finished. */
  meetingsDone: number;
  /** Whether `meetings` is complete. */
  allListed: boolean;
  /** Transcripts, documents and recordings that were saved, including those of earlier runs. */
  saved: number;
  /** How many pieces are missing so far. */
  missing: number;
  /** The title (or the id) of the meeting of the latest step. */
  current: string | undefined;
  /** In phase `waiting`: for how long, in milliseconds. */
  waitMs: number | undefined;
}

/** The result of an export. */
export interface ExportSummary {
  /** How many meetings the export holds. */
  meetings: number;
  /**
   * How many transcripts, documents and recordings were saved, including those of earlier runs of this export and those
   * that `skipExisting` left as they are.
   */
  saved: number;
  /** What could not be saved, and why. */
  missing: MissingPiece[];
  /** How many files this run wrote. */
  written: number;
  /** How many files were there already and were left as they are: with the same bytes, or skipped by `skipExisting`. */
  unchanged: number;
  /** How many requests this run sent. */
  requests: number;
  /** Whether this run resumed an earlier one. */
  resumed: boolean;
}
