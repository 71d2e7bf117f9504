/** Fetches one piece of a meeting and writes its files. */
import { createHash } from "node:crypto";
import { isRecord } from "../../json/is-record.js";
import type { RecordingDownload } from "../../media/download/download-recording.js";
import type { Meeting } from "../../schemas/meeting.js";
import { extensionOfMediaType } from "../../schemas/upload.js";
import { DOCUMENT_EXTENSIONS, documentBytes, isOfAnotherFormat } from "../files/document-bytes.js";
import { issueText } from "../reading/issue-text.js";
import type { MeetingReader } from "../reading/meeting-reader.js";
import type { Piece } from "../reading/pieces.js";
import { jsonBytes, readJson } from "../sink/json-file.js";
import type { SinkWriter } from "../sink/sink-writer.js";
import type { SavedFile } from "./checkpoint-state.js";
import type { ExportPlan } from "./export-options.js";
import { idName } from "./file-names.js";
import type { MeetingRecord } from "./meeting-records.js";
import { transcriptText } from "./transcript-file.js";
import { transcriptExtension } from "./transcript-format.js";

/**
 * The result of saving a piece. A piece that does not match the API specification is saved as received, and has an
 * `issue`. An error of the sink is thrown instead.
 */
export type PieceResult = { kind: "saved"; files: SavedFile[]; issue?: string } | { kind: "failed"; error: unknown };

/** The context in which a piece is saved. */
export interface PieceTarget {
  reader: MeetingReader;
  sink: SinkWriter;
  plan: ExportPlan;
  meeting: Meeting;
  record: MeetingRecord;
}

/** The file beside a recording which says that the recording is complete. */
const RECORDING_NOTE = "recording.json";

export async function savePiece(target: PieceTarget, piece: Piece, signal: AbortSignal): Promise<PieceResult> {
  if (piece.kind === "recording") return saveRecording(target, signal);
  let content: PieceContent;
  try {
    content =
      piece.kind === "transcript"
        ? await transcriptContent(target, signal)
        : await documentContent(target, piece, signal);
  } catch (error) {
    return { kind: "failed", error };
  }
  const { sink, record } = target;
  const { files, issue } = content;
  for (const { file, bytes } of files) await sink.saveFile(`${record.folder}/${file}`, bytes);
  // A piece with an issue gets no version, so that the next run fetches it again.
  const saved = files.map(({ bytes: _, ...file }) => ({ ...file, version: issue === undefined ? file.version : "" }));
  return issue === undefined ? { kind: "saved", files: saved } : { kind: "saved", files: saved, issue };
}

interface PieceContent {
  files: (SavedFile & { bytes: Uint8Array })[];
  issue: string | undefined;
}

async function transcriptContent(target: PieceTarget, signal: AbortSignal): Promise<PieceContent> {
  const { reader, plan, meeting } = target;
  const { transcript, received, issues } = await reader.transcript(meeting.id, signal);
  const issue = issueText(issues[0]);
  if (transcript === undefined) {
    if (!isRecord(received)) throw new Error(issue);
    return { files: [{ ...transcriptFile(meeting, "received.json"), bytes: jsonBytes(received) }], issue };
  }
  const files = plan.transcript.map((format) => ({
    ...transcriptFile(meeting, transcriptExtension(format)),
    bytes: Buffer.from(transcriptText(format, transcript, meeting, received)),
  }));
  return { files, issue };
}

async function documentContent(
  { reader, meeting, record }: PieceTarget,
  { id, format }: DocumentPiece,
  signal: AbortSignal,
): Promise<PieceContent> {
  const { received, issues } = await reader.document(id, format, signal);
  const file = documentFile(meeting, record, id, DOCUMENT_EXTENSIONS[format]);
  const result = documentBytes(received, format);
  if ("bytes" in result) return { files: [{ ...file, bytes: result.bytes }], issue: issueText(issues[0]) };
  const issue = issueText(result.issue);
  if (!isRecord(received) || isOfAnotherFormat(received, format)) throw new Error(issue);
  const asReceived = documentFile(meeting, record, id, "received.json");
  return { files: [{ ...asReceived, bytes: jsonBytes(received) }], issue };
}

/**
 * A recording does not change and may be large, so it is not fetched again once it is saved. Its note is written after
 * it.
 */
async function saveRecording(
  { reader, sink, meeting, record }: PieceTarget,
  signal: AbortSignal,
): Promise<PieceResult> {
  const note = `${record.folder}/${RECORDING_NOTE}`;
  const noteFile = { file: RECORDING_NOTE, ...fileOfMeeting(meeting), version: "" };
  if ((await sink.read(note)) !== undefined) return { kind: "saved", files: await notedFiles(sink, note, noteFile) };
  let file = "";
  let contentType: string | null = null;
  const save = (download: RecordingDownload) => {
    contentType = download.contentType ?? null;
    file = `recording.${extensionOfMediaType(contentType ?? "") ?? "bin"}`;
    return sink.saveStream(`${record.folder}/${file}`, download.stream);
  };
  const result = await reader.recording(meeting.id, save, signal).catch((error: unknown) => ({
    kind: "failed" as const,
    error,
  }));
  if (result.kind === "failed") return result;
  if (result.kind === "unwritable") throw result.error;
  await sink.saveFile(note, jsonBytes({ file, size: result.size, contentType }));
  return { kind: "saved", files: [{ ...noteFile, file }, noteFile] };
}

/** The files of a recording that was saved before. The content of the note is not trusted. */
async function notedFiles(sink: SinkWriter, note: string, noteFile: SavedFile): Promise<SavedFile[]> {
  const content = await readJson(sink, note);
  const file = isRecord(content) ? content.file : undefined;
  if (typeof file !== "string" || !/^recording\.[a-z0-9]{1,16}$/.test(file)) return [noteFile];
  return [{ ...noteFile, file }, noteFile];
}

/** The files that a piece has once it is saved. */
export function filesOf({ plan, meeting, record }: Omit<PieceTarget, "reader" | "sink">, piece: Piece): SavedFile[] {
  switch (piece.kind) {
    case "transcript":
      return plan.transcript.map((format) => transcriptFile(meeting, transcriptExtension(format)));
    case "document":
      return [documentFile(meeting, record, piece.id, DOCUMENT_EXTENSIONS[piece.format])];
    case "recording":
      return [{ file: RECORDING_NOTE, ...fileOfMeeting(meeting), version: "" }];
  }
}

type DocumentPiece = Extract<Piece, { kind: "document" }>;

const fileOfMeeting = ({ id, title }: Meeting) => ({ id, title: title ?? null });

/** A transcript is out of date if any field of the meeting's row in the list has changed, except the documents. */
function transcriptFile(meeting: Meeting, extension: string): SavedFile {
  const { documents: _, ...row } = meeting;
  return { file: `transcript.${extension}`, ...fileOfMeeting(meeting), version: digest(row) };
}

/** A document is out of date if its entry in the meeting list has changed. */
function documentFile(meeting: Meeting, record: MeetingRecord, id: string, extension: string): SavedFile {
  const reference = meeting.documents?.find((document) => document.id === id);
  const name = record.documents.get(id) ?? idName(id);
  const version = digest(reference ?? id);
  return { file: `documents/${name}.${extension}`, id, title: reference?.title ?? null, version };
}

const digest = (value: unknown) => createHash("sha256").update(JSON.stringify(value)).digest("hex").slice(0, 16);
