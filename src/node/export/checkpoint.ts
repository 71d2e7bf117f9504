/**
 * The progress of an export, stored in its sink as `checkpoint.json`: its plan, its position in the meeting list, and
 * the ids of its meetings. What is saved of a meeting is in the meeting's own record.
 */
import * as z from "zod/mini";
import { isMeetingId } from "../../schemas/ids.js";
import { custom } from "../../schemas/primitives.js";
import { type ListPlace, listPlaceShape } from "../../sync/meeting-list.js";
import { type MissingPiece, missingShape } from "../../sync/pieces.js";
import { type SinkWriter, STATE_FOLDER } from "../sink/sink.js";

const CHECKPOINT = `${STATE_FOLDER}/checkpoint.json`;

export interface Checkpoint {
  /** The page to read next. */
  place: ListPlace;
  /** The meetings of that page, once they are known, and of the pages before. Their records belong to this export. */
  meetings: readonly string[];
  /** The rows without an id on the pages before. */
  unreadable: readonly MissingPiece[];
}

const checkpointSchema = z.object({
  plan: z.string(),
  ...listPlaceShape(),
  meetings: z.array(custom<string>(isMeetingId, "a meeting id")),
  unreadable: z.array(z.object({ ...missingShape(), meeting_id: z.string(), title: z.nullable(z.string()) })),
});

/** The checkpoint of an unfinished export with the same plan, if there is one. */
export async function readCheckpoint(sink: SinkWriter, plan: string): Promise<Checkpoint | undefined> {
  const { data } = z.safeParse(checkpointSchema, await sink.readJson(CHECKPOINT));
  if (data === undefined || data.plan !== plan) return undefined;
  const { cursor, page, meetings, unreadable } = data;
  return { place: { cursor, page }, meetings, unreadable };
}

/** Without a checkpoint, the export is complete: the next run begins a new one. */
export async function writeCheckpoint(sink: SinkWriter, plan: string, checkpoint?: Checkpoint): Promise<void> {
  const { place, ...others } = checkpoint ?? { complete: true };
  await sink.write(CHECKPOINT, Buffer.from(JSON.stringify({ plan, ...place, ...others })));
}
