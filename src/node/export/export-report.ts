/** The reports of an export: its progress, and the summary at its end. */
import type { MissingPiece } from "../reading/pieces.js";

/** The progress of an export, as `onProgress` receives it. */
export interface ExportProgress {
  /**
   * `listing`: a page of meetings is being read. `exporting`: a piece was saved, or could not be saved. `waiting`: the
   * export waits for a second or more, because of the rate limit or until the service recovers. `done`: the export is
   * complete.
   */
  phase: "listing" | "exporting" | "waiting" | "done";
  /** Meetings found so far, including those of earlier runs of this export. */
  meetings: number;
  /** How many of these meetings are finished. */
  meetingsDone: number;
  /** Whether `meetings` is complete. */
  allListed: boolean;
  /** Transcripts, documents and recordings that were saved, including those of earlier runs. */
  saved: number;
  /** How many pieces are missing so far. */
  missing: number;
  /** The title (or the id) of the meeting that the latest step was about. */
  current: string | undefined;
  /** In phase `waiting`: the length of the wait, in milliseconds. */
  waitMs: number | undefined;
}

/** The result of an export. */
export interface ExportSummary {
  /** How many meetings the export contains. */
  meetings: number;
  /**
   * How many transcripts, documents and recordings were saved. This includes those of earlier runs of this export, and
   * those that `skipExisting` skipped.
   */
  saved: number;
  /** The pieces that could not be saved, and why. */
  missing: MissingPiece[];
  /** How many files this run wrote. */
  written: number;
  /**
   * How many existing files were not written: because their bytes were the same, or because `skipExisting` skipped
   * them.
   */
  unchanged: number;
  /** How many requests this run sent. */
  requests: number;
  /** Whether this run resumed an earlier one. */
  resumed: boolean;
}
