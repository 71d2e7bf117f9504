import type { Meeting } from "../schemas/meeting.js";
import type { MissingPiece } from "./pieces.js";

/** A part of a meeting that was written: see {@link MeetingChange}. */
export type ChangedPart =
  | "meeting"
  | "transcript"
  | "recording"
  | "gone"
  | {
      /** The id of the document: `doc_…` */
      readonly document: string;
    };

/** What `syncMeetings` has written of a meeting. */
export interface MeetingChange {
  /** `mtg_…` */
  readonly id: string;
  /** The meeting as the list has it; `undefined` if the service no longer has it. */
  readonly meeting: Meeting | undefined;
  /** Whether the store did not have the meeting before. */
  readonly isNew: boolean;
  /**
   * What is new: the row of the list, the transcript, the recording, or a document, or that a document is no longer there.
   * `"gone"`: the service no longer has the meeting, or has it again. Empty if only `missing` has changed.
   */
  readonly changed: readonly ChangedPart[];
  /** All pieces that are missing now. */
  readonly missing: readonly MissingPiece[];
}
