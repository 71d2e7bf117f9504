/** The files that an item of a batch changes in a meeting's folder. */
import { documentBytes } from "../../documents/document-bytes.js";
import { isRecord } from "../../json/is-record.js";
import { parseJson } from "../../json/parse-json.js";
import type { Document, DocumentFormat } from "../../schemas/document.js";
import type { Meeting } from "../../schemas/meeting.js";
import type { Transcript } from "../../schemas/transcript.js";
import { readRow, readTranscript } from "../../sync/list/received.js";
import type { StoreItem } from "../../sync/store/store.js";
import { DOCUMENT_EXTENSIONS } from "../files/save-document.js";
import { documentName } from "./file-names.js";
import { type FolderFiles, jsonBytes } from "./folder-files.js";
import { type FolderRecord, type MeetingFile, newRecord, withRow } from "./record.js";
import {
  type TranscriptFormat,
  type TranscriptRenderer,
  transcriptExtension,
  transcriptText,
} from "./transcript-files.js";

export type TranscriptFormats = readonly (TranscriptFormat | TranscriptRenderer)[];

/** A meeting as it is after an item was written. */
export interface MeetingChange {
  readonly record: FolderRecord;
  /** The bytes of its files, by their path in the meeting's folder. Those that the item does not name are not among them. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** The files to delete. */
  readonly gone: readonly string[];
}

/** Whatever cannot be written, such as a value that is nested too deeply, is thrown before a file is changed. */
export async function meetingChange(
  files: FolderFiles,
  item: StoreItem,
  stored: FolderRecord | undefined,
  formats: TranscriptFormats,
): Promise<MeetingChange> {
  const { id, isGone, memory, dueAt, missing } = item;
  const earlier = stored ?? newRecord(id, memory);
  const { row, json, isNew } = await rowOf(files, item, earlier);
  const named = item.meeting === undefined ? earlier : withRow(earlier, row);
  // A meeting that the list does not have yet has no pieces.
  if (named.folder === "") {
    return { record: { ...earlier, memory, dueAt, isGone, missing }, files: new Map(), gone: [] };
  }
  const documents = new Map(named.documents);
  const bytes = new Map<string, Uint8Array>();
  const saved = new Map<string, MeetingFile>();
  const add = (
    file: string,
    content: Uint8Array,
    owner: { id: string; title: string | null } = { id, title: null },
  ) => {
    bytes.set(file, content);
    saved.set(file, { file, ...owner, isSaved: true });
  };
  if (json !== undefined) add("meeting.json", json);
  const received = item.transcript ?? (isNew ? await storedTranscript(files, earlier) : undefined);
  const transcript = received && transcriptFiles(received, row, formats);
  for (const [file, content] of transcript ?? []) add(file, content);
  for (const document of item.documents) {
    // A document is stored as it was received: its title may be anything.
    const owner = { id: document.id, title: typeof document.title === "string" ? document.title : null };
    const name = documents.get(owner.id) ?? documentName(owner);
    documents.set(owner.id, name);
    add(...documentFile(name, document), owner);
  }
  const isGoneFile = ({ file, id: owner }: MeetingFile) =>
    owner === id
      ? // A format that is not named any more would keep an old transcript.
        transcript?.has(UNREADABLE) === false && file.startsWith("transcript.")
      : item.documentsGone.includes(owner) || (file.endsWith(RECEIVED) && saved.has(file.slice(0, -RECEIVED.length)));
  const gone = [...earlier.files.values()].flatMap((one) => (!saved.has(one.file) && isGoneFile(one) ? one.file : []));
  const kept = [...earlier.files].filter(([file]) => !gone.includes(file));
  const record: FolderRecord = {
    ...named,
    documents,
    files: new Map([...kept, ...saved]),
    transcript: transcript === undefined ? earlier.transcript : formats.map(transcriptExtension),
    missing,
    isGone,
    dueAt,
    memory,
  };
  return { record, files: bytes, gone };
}

/** The row of the meeting, `meeting.json`, and whether that changes. A row that is neither new nor stored is unknown. */
async function rowOf(files: FolderFiles, { id, meeting, isGone }: StoreItem, { folder }: FolderRecord) {
  const written = folder === "" ? undefined : await files.read(`${folder}/meeting.json`);
  const known = readRow(meeting ?? storedRow(written));
  const isKnown = known?.meeting.id === id;
  const { meeting: row, received } = isKnown ? known : unknownRow(id);
  if (meeting === undefined && (folder === "" || !(isKnown || isGone))) return { row, isNew: false };
  const json = jsonBytes(isGone ? { ...(received as object), notetaker_gone: true } : received);
  return { row, json, isNew: !written?.equals(json) };
}

const unknownRow = (id: string) => {
  const meeting = { id, title: null, status: "", source: "", start_time: "" } as unknown as Meeting;
  return { meeting, received: { id } };
};

/** The row that an earlier write stored. The folder is not trusted, and neither is the row. */
function storedRow(written: Buffer | undefined): unknown {
  const row = parseJson(written?.toString("utf8") ?? "");
  if (!isRecord(row)) return undefined;
  const { notetaker_gone, ...received } = row;
  return received;
}

/** The other formats contain the meeting's title, so they are made again when its row changes. */
async function storedTranscript(files: FolderFiles, { folder, transcript }: FolderRecord) {
  if (!transcript.includes("json")) return undefined;
  const stored = await files.readJson(`${folder}/transcript.json`);
  return readTranscript(stored).transcript && (stored as Transcript);
}

/** The end of the name of a file that could not be read, and is stored as it was received. */
const RECEIVED = ".received.json";
const UNREADABLE = `transcript${RECEIVED}`;

/** `received` is written as it is in JSON, the other formats from what can be read of it. */
function transcriptFiles(received: Transcript, meeting: Meeting, formats: TranscriptFormats): Map<string, Uint8Array> {
  const { transcript } = readTranscript(received);
  if (transcript === undefined) return new Map([[UNREADABLE, jsonBytes(received)]]);
  return new Map(
    formats.map((format) => [
      `transcript.${transcriptExtension(format)}`,
      Buffer.from(transcriptText(format, transcript, meeting, received)),
    ]),
  );
}

function documentFile(name: string, document: Document): [file: string, bytes: Uint8Array] {
  const result = documentBytes(document, document.format as DocumentFormat);
  const isKnown = Object.hasOwn(DOCUMENT_EXTENSIONS, document.format);
  const file = `documents/${name}${isKnown ? `.${DOCUMENT_EXTENSIONS[document.format as DocumentFormat]}` : ""}`;
  return "issue" in result || !isKnown ? [`${file}${RECEIVED}`, jsonBytes(document)] : [file, result.bytes];
}
