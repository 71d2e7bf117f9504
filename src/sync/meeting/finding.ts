/** What is to be written of a meeting, and what `onChange` gets of it. */
import type { Meeting } from "../../schemas/meeting.js";
import type { StoreItem } from "../store/store.js";
import { formatMemory, isListed, type KnownMemory, type Memory, rememberedTitle } from "./memory.js";
import { type Gap, invalidGap, type MissingPiece, missingPiece } from "./pieces.js";

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

/** What is to be written of a meeting. */
export interface Finding {
  readonly item: StoreItem;
  /** `undefined` if only the memory is new. */
  readonly change: MeetingChange | undefined;
  readonly missing: readonly MissingPiece[];
  /** The length of the item's texts in characters. */
  readonly size: number;
}

export function givenUp(gap: Gap): Gap {
  if (gap.isRefused) return invalidGap(gap.what, gap.message);
  return { ...gap, reason: gap.reason === "not_ready" ? "not_found" : gap.reason, retryable: false };
}

/** The item without the content of a meeting; `undefined` if it would change nothing. */
export function findingOf(
  id: string,
  known: KnownMemory,
  memory: Memory,
  { before, changed, row }: { before: Memory | undefined; changed: ChangedPart[]; row?: Meeting },
): Finding | undefined {
  const text = formatMemory(memory);
  if (text === known.text && changed.length === 0) return undefined;
  const missing = memory.missing.map((one) => missingPiece({ id, title: rememberedTitle(memory) }, one));
  const isSame = changed.length === 0 && JSON.stringify(before?.missing ?? []) === JSON.stringify(memory.missing);
  // An id that the list has never shown is no meeting of the store yet.
  const isReported = !isSame && isListed(memory);
  return {
    item: {
      id,
      documents: [],
      documentKinds: new Map(),
      documentsGone: [],
      missing,
      isGone: memory.isGone,
      memory: text,
      before: known.text,
      dueAt: memory.dueMs === undefined ? undefined : new Date(memory.dueMs),
    },
    change: !isReported ? undefined : { id, meeting: row, isNew: before === undefined, changed, missing },
    missing,
    size: text.length,
  };
}
