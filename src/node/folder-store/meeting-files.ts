/** The files that an item of a batch changes in a meeting's folder. */
import { documentBytes } from "../../documents/document-bytes.js";
import { isRecord } from "../../json/is-record.js";
import type { Document, DocumentFormat } from "../../schemas/document.js";
import type { Meeting } from "../../schemas/meeting.js";
import type { Transcript } from "../../schemas/transcript.js";
import { readRow, readTranscript } from "../../sync/rows.js";
import type { StoreItem } from "../../sync/store.js";
import { DOCUMENT_EXTENSIONS } from "../files/save-document.js";
import { documentName } from "./file-names.js";
import { type FolderFiles, jsonBytes } from "./folder-files.js";
import {
  type Content,
  type FileChanges,
  type FolderRecord,
  type MeetingFile,
  newRecord,
  RECEIVED,
  RECORDING_NOTE,
  UNREADABLE,
  withFiles,
  withRow,
} from "./records.js";
import { rendererOf, type TranscriptFormats } from "./transcript-files.js";

/** Whatever cannot be written, such as a value that is nested too deeply, is thrown before a file is changed. */
export async function fileChanges(
  files: FolderFiles,
  item: StoreItem,
  stored: FolderRecord | undefined,
  formats: TranscriptFormats,
): Promise<FileChanges> {
  const { id, isGone, memory, missing } = item;
  const earlier = stored ?? newRecord(id, memory);
  const row = await rowOf(files, item, earlier.folder);
  const named = item.meeting === undefined ? earlier : withRow(earlier, row.meeting);
  // A meeting that the list does not have yet has no pieces.
  const contents = named.folder === "" ? [] : await contentsOf(files, item, earlier, row, formats);
  const saved = contents.map(({ bytes, ...file }) => ({ ...file, isSaved: true }));
  if (await isRecorded(files, named)) {
    saved.push(...named.files.filter(isRecording).map((file) => ({ ...file, isSaved: true })));
  }
  const gone = earlier.files.map(({ file }) => file).filter(goneFiles(item, earlier.files, contents));
  const kept = earlier.files.filter(({ file }) => !gone.includes(file));
  const dueAt = item.dueAt?.getTime() ?? null;
  return { record: { ...named, files: withFiles(kept, saved), missing, isGone, dueAt, memory }, contents, gone };
}

async function contentsOf(
  files: FolderFiles,
  item: StoreItem,
  earlier: FolderRecord,
  { meeting, received }: Row,
  formats: TranscriptFormats,
): Promise<Content[]> {
  const { id, isGone } = item;
  const contents: Content[] = [];
  if (item.meeting !== undefined || isGone !== earlier.isGone) {
    const row = isGone ? { ...(received as object), notetaker_gone: true } : received;
    contents.push({ file: "meeting.json", id, title: null, bytes: jsonBytes(row) });
  }
  const transcript = item.transcript ?? (item.meeting && (await storedTranscript(files, earlier)));
  for (const [file, bytes] of transcriptFiles(transcript, meeting, formats)) {
    contents.push({ file, id, title: null, bytes });
  }
  for (const document of item.documents) {
    // A document is stored as it was received: its title may be anything.
    const title = typeof document.title === "string" ? document.title : null;
    const [file, bytes] = documentFile(nameOf(document.id, title, earlier, meeting), document);
    contents.push({ file, id: document.id, title, bytes });
  }
  return contents;
}

/** Whether a file goes: that of a document that is gone, or one that the new contents replace. */
function goneFiles({ documentsGone }: StoreItem, earlier: readonly MeetingFile[], contents: readonly Content[]) {
  const names = new Set(contents.map(({ file }) => file));
  const ofGone = new Set(earlier.flatMap(({ file, id }) => (documentsGone.includes(id) ? file : [])));
  // A format that is not named any more would keep an old transcript.
  const hasTranscript = contents.some(({ file }) => isTranscript(file) && file !== UNREADABLE);
  const isReplaced = (file: string) =>
    (hasTranscript && isTranscript(file)) || (file.endsWith(RECEIVED) && names.has(file.slice(0, -RECEIVED.length)));
  return (file: string) => !names.has(file) && (ofGone.has(file) || isReplaced(file));
}

interface Row {
  readonly meeting: Meeting;
  /** As it was received. */
  readonly received: unknown;
}

/** The row of the meeting: the stored one if the item has none. The folder is not trusted, and neither is that row. */
async function rowOf(files: FolderFiles, { id, meeting }: StoreItem, folder: string): Promise<Row> {
  const stored = meeting || folder === "" ? undefined : await files.readJson(`${folder}/meeting.json`);
  const { notetaker_gone, ...row } = isRecord(stored) ? stored : {};
  const known = readRow(meeting ?? row);
  if (known?.meeting.id === id) return known;
  const unknown = { id, title: null, status: "", source: "", start_time: "" } as unknown as Meeting;
  return { meeting: unknown, received: { id } };
}

const isTranscript = (file: string) => file.startsWith("transcript.");
const isRecording = ({ file }: MeetingFile) => file.startsWith("recording.");

/** Whether a recording was saved since the record was written. */
const isRecorded = async (files: FolderFiles, { folder, files: named }: FolderRecord) =>
  named.some((one) => isRecording(one) && !one.isSaved) && files.has(`${folder}/${RECORDING_NOTE}`);

/** The other formats contain the meeting's title, so they are made again when its row changes. */
async function storedTranscript(files: FolderFiles, { folder, files: named }: FolderRecord) {
  if (!named.some(({ file }) => file === "transcript.json")) return undefined;
  const stored = await files.readJson(`${folder}/transcript.json`);
  return readTranscript(stored).transcript && (stored as Transcript);
}

/** `received` is written as it is in JSON, the other formats from what can be read of it. */
function transcriptFiles(
  received: Transcript | undefined,
  meeting: Meeting,
  formats: TranscriptFormats,
): (readonly [file: string, bytes: Uint8Array])[] {
  if (received === undefined) return [];
  const { transcript } = readTranscript(received);
  if (transcript === undefined) return [[UNREADABLE, jsonBytes(received)]];
  return formats.map((format) => {
    const renderer = rendererOf(format);
    return [`transcript.${renderer.extension}`, Buffer.from(renderer.render(transcript, meeting, received))];
  });
}

/** The name of a document's files, which stays when its title changes. The row may have a title for a document. */
function nameOf(id: string, title: string | null, { files }: FolderRecord, row: Meeting): string {
  const file = files.find((one) => one.id === id)?.file;
  return (
    /^documents\/([^.]+)/.exec(file ?? "")?.[1] ??
    documentName(row.documents?.find((one) => one.id === id) ?? { id, title })
  );
}

function documentFile(name: string, document: Document): [file: string, bytes: Uint8Array] {
  const result = documentBytes(document, document.format as DocumentFormat);
  const isKnown = Object.hasOwn(DOCUMENT_EXTENSIONS, document.format);
  const file = `documents/${name}${isKnown ? `.${DOCUMENT_EXTENSIONS[document.format as DocumentFormat]}` : ""}`;
  return "issue" in result || !isKnown ? [`${file}${RECEIVED}`, jsonBytes(document)] : [file, result.bytes];
}
