/**
 * The record that an export keeps of each meeting, in one file per meeting: what it has saved, what is missing, and the
 * names of the meeting's folder and documents, so that these stay the same when a title changes.
 */
import * as z from "zod/mini";
import { isMeetingId } from "../../schemas/ids.js";
import type { Meeting } from "../../schemas/meeting.js";
import { custom } from "../../schemas/primitives.js";
import { type Missing, type MissingPiece, missingPiece, missingShape } from "../../sync/pieces.js";
import { documentName, idName, isNameOf, meetingName } from "../folder-store/file-names.js";
import { jsonBytes, type SinkWriter, STATE_FOLDER } from "../sink/sink.js";

/** A file of a meeting that was saved, or that a run was about to save. */
export interface SavedFile {
  /** Relative to the meeting's folder. */
  file: string;
  /** `mtg_…` or, for a document, `doc_…` */
  id: string;
  title: string | null;
  /**
   * A digest of the entry of the meeting or document in the meeting list when the file was saved. If the digest of the
   * entry differs later, the file is out of date. Empty for a recording. `null`: it was not saved, or the run ended
   * before it could note that.
   */
  version: string | null;
}

/** The record of one meeting. */
export interface SavedMeeting {
  /** `mtg_…` */
  id: string;
  folder: string;
  /** For each document id (`doc_…`), the name of its files, without the extension. */
  documents: ReadonlyMap<string, string>;
  title: string | null;
  /** The start time of the meeting, as the service sent it. */
  date: string;
  /** The files, by their path in the folder. Each is noted before it is written, so that `prune` finds it. */
  files: ReadonlyMap<string, SavedFile>;
  /** The names of the pieces that the latest export has not tried yet. */
  open: readonly string[];
  /** How many pieces the latest export has saved. */
  saved: number;
  /** What the latest export could not save. */
  missing: readonly Missing[];
}

const savedFileSchema = z.object({
  file: custom<string>(isFileInMeeting, "the path of a file in a meeting's folder"),
  id: z.string(),
  title: z.nullable(z.string()),
  version: z.nullable(z.string()),
} satisfies Record<keyof SavedFile, z.ZodMiniType>);

/** For example `transcript.md` or `documents/Summary-doc_1.md`. */
function isFileInMeeting(value: unknown): boolean {
  return typeof value === "string" && /^(documents\/)?[\p{L}\p{M}\p{N}_-]+(\.[a-z0-9]{1,16}){1,2}$/u.test(value);
}

/** An invalid field is read as empty, so that the meeting keeps its folder, and its files are fetched again. */
const recordSchema = z.object({
  folder: z.string(),
  documents: z.record(z.string(), z.unknown()),
  title: z.catch(z.nullable(z.string()), null),
  date: z.catch(z.string(), ""),
  files: z.catch(z.array(savedFileSchema), []),
  open: z.catch(z.array(z.string()), []),
  saved: z.catch(z.number().check(z.int(), z.nonnegative()), 0),
  missing: z.catch(z.array(z.object(missingShape())), []),
} satisfies Record<Exclude<keyof SavedMeeting, "id">, z.ZodMiniType>);

const KNOWN = `${STATE_FOLDER}/meetings.json`;

/** The ids of all meetings that may have a record. */
export async function readKnownIds(sink: SinkWriter): Promise<Set<string>> {
  const ids = await sink.readJson(KNOWN);
  return new Set(Array.isArray(ids) ? ids.filter(isMeetingId) : []);
}

export const writeKnownIds = (sink: SinkWriter, ids: ReadonlySet<string>) =>
  sink.writeChanged(KNOWN, Buffer.from(JSON.stringify([...ids].sort())));

const recordPath = (id: string) => `${STATE_FOLDER}/names/${idName(id)}.json`;

/** The record of a meeting, or `undefined` if it does not exist or is invalid. */
export async function readSavedMeeting(sink: SinkWriter, id: string): Promise<SavedMeeting | undefined> {
  const { data } = z.safeParse(recordSchema, await sink.readJson(recordPath(id)));
  if (data === undefined || !isNameOf(id, data.folder)) return undefined;
  const names = Object.entries(data.documents).filter((entry): entry is [string, string] => isNameOf(...entry));
  const files = new Map(data.files.map((file) => [file.file, file]));
  return { ...data, id, documents: new Map(names), files };
}

/** The earlier record with the current names, or a new record. Nothing of the meeting has been tried yet. */
export function updatedMeeting(meeting: Meeting, earlier: SavedMeeting | undefined): SavedMeeting {
  const names = (meeting.documents ?? []).map((document) => [document.id, documentName(document)] as const);
  return {
    id: meeting.id,
    folder: earlier?.folder ?? meetingName(meeting),
    documents: new Map([...names, ...(earlier?.documents ?? [])]),
    title: meeting.title ?? null,
    date: meeting.start_time,
    files: earlier?.files ?? new Map(),
    open: [],
    saved: 0,
    missing: [],
  };
}

/** The record that also names these files, before they are written. */
export const recordWith = (record: SavedMeeting, files: readonly SavedFile[]): SavedMeeting => ({
  ...record,
  files: new Map([...files.map((file) => [file.file, { ...file, version: null }] as const), ...record.files]),
});

/** What is missing of the meeting, as the summary reports it. */
export const missingOf = ({ id, title, missing }: SavedMeeting): MissingPiece[] =>
  missing.map((one) => missingPiece({ id: id as Meeting["id"], title }, one));

export async function writeSavedMeeting(sink: SinkWriter, record: SavedMeeting): Promise<void> {
  const { id, documents, files, ...rest } = record;
  const sortedFiles = [...files.values()].sort((a, b) => (a.file < b.file ? -1 : 1));
  const value = { ...rest, documents: Object.fromEntries(documents), files: sortedFiles };
  await sink.writeChanged(recordPath(id), jsonBytes(value));
}

export async function deleteMeeting(sink: SinkWriter, record: SavedMeeting): Promise<void> {
  for (const file of [...record.files.keys(), "meeting.json"]) await sink.delete(`${record.folder}/${file}`);
  await sink.delete(recordPath(record.id));
}
