/** Writes a meeting's files and its record, and removes them, so that a kill at any step leaves nothing half stored. */
import type { Check, FolderFiles } from "./folder-files.js";
import type { MeetingChange } from "./meeting-files.js";
import { type FolderRecord, incomplete, RECORDS, recordBytes, recordFile } from "./record.js";

const pathOf = (id: string) => `${RECORDS}/${recordFile(id)}`;

export const writeRecord = (files: FolderFiles, record: FolderRecord, check: Check) =>
  files.write(pathOf(record.id), [recordBytes(record)], check);

/** Files with the same bytes are not written. The record is incomplete until all others are there. */
export async function writeMeeting(
  files: FolderFiles,
  { record, files: contents, gone }: MeetingChange,
  stored: FolderRecord | undefined,
  check: Check,
): Promise<void> {
  const { folder } = record;
  const changed: [file: string, bytes: Uint8Array][] = [];
  for (const [file, bytes] of contents) {
    if (!(await files.read(`${folder}/${file}`))?.equals(bytes)) changed.push([file, bytes]);
  }
  if (changed.length > 0 || gone.length > 0) {
    const unsaved = [...record.files].map(([name, file]) => [name, { ...file, isSaved: false }] as const);
    const announced = new Map([...unsaved, ...(stored?.files ?? [])]);
    await writeRecord(files, incomplete({ ...record, files: announced }), check);
    for (const [file, bytes] of changed) await files.write(`${folder}/${file}`, [bytes], check);
    for (const file of gone) await files.delete(`${folder}/${file}`, check);
  }
  await writeRecord(files, record, check);
}

/** Files that the record does not name are the user's own: they stay, and so does their folder. */
export async function removeMeeting(files: FolderFiles, record: FolderRecord, check: Check): Promise<void> {
  await writeRecord(files, incomplete(record), check);
  for (const file of record.files.keys()) await files.delete(`${record.folder}/${file}`, check);
  await files.delete(pathOf(record.id), check);
}
