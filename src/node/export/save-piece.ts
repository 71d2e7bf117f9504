/** Fetches one piece of a meeting and writes its files. */
import { createHash } from "node:crypto";
import { isRecord } from "../../json/is-record.js";
import type { RecordingDownload } from "../../media/download/download-recording.js";
import type { Meeting } from "../../schemas/meeting.js";
import { extensionOfMediaType } from "../../schemas/upload.js";
import { DOCUMENT_EXTENSIONS } from "../files/save-document.js";
import type { MeetingClient } from "../reading/pace.js";
import type { Piece } from "../reading/pieces.js";
import { requestDocument, requestTranscript } from "../reading/received.js";
import { jsonBytes, type SinkWriter } from "../sink/sink.js";
import type { ExportPlan } from "./export-options.js";
import { idName } from "./file-names.js";
import type { MeetingRecord, SavedFile } from "./meeting-records.js";
import { transcriptExtension, transcriptText } from "./transcript-files.js";

/**
 * The result of saving a piece. A piece that does not match the API specification is saved as received, and has an
 * `issue`. An error of the sink is thrown instead.
 */
export type PieceResult =
  | { kind: "saved"; files: SavedFile[]; issue?: string | undefined }
  | { kind: "failed"; error: unknown };

/** The meeting whose piece is saved. */
export interface PieceOwner {
  plan: ExportPlan;
  meeting: Meeting;
  record: MeetingRecord;
}

export interface PieceTarget extends PieceOwner {
  client: MeetingClient;
  sink: SinkWriter;
}

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
  // A piece with an issue gets no version, so that the next export fetches it again.
  const saved = files.map(({ bytes: _, ...file }) => ({ ...file, version: issue === undefined ? file.version : "" }));
  return { kind: "saved", files: saved, issue };
}

interface PieceContent {
  files: (SavedFile & { bytes: Uint8Array })[];
  issue: string | undefined;
}

async function transcriptContent({ client, plan, meeting }: PieceTarget, signal: AbortSignal): Promise<PieceContent> {
  const { transcript, received, issue } = await requestTranscript(client, meeting.id, signal);
  if (transcript === undefined) {
    return { files: [{ ...transcriptFile(meeting, "received.json"), bytes: jsonBytes(received) }], issue };
  }
  const files = plan.transcript.map((format) => ({
    ...transcriptFile(meeting, transcriptExtension(format)),
    bytes: Buffer.from(transcriptText(format, transcript, meeting, received)),
  }));
  return { files, issue };
}

async function documentContent(
  { client, meeting, record }: PieceTarget,
  { id, format }: DocumentPiece,
  signal: AbortSignal,
): Promise<PieceContent> {
  const { received, bytes, issue } = await requestDocument(client, id, format, signal);
  const extension = bytes === undefined ? "received.json" : DOCUMENT_EXTENSIONS[format];
  const file = documentFile(meeting, record, id, extension);
  return { files: [{ ...file, bytes: bytes ?? jsonBytes(received) }], issue };
}

/** The file beside a recording which says that the recording is complete. */
const RECORDING_NOTE = "recording.json";

/**
 * A recording does not change and may be large, so it is not fetched again once it is saved. Its note is written after
 * it.
 */
async function saveRecording(
  { client, sink, meeting, record }: PieceTarget,
  signal: AbortSignal,
): Promise<PieceResult> {
  const note = `${record.folder}/${RECORDING_NOTE}`;
  const noteFile = recordingFile(meeting, RECORDING_NOTE);
  if ((await sink.read(note)) !== undefined) {
    // The content of the note is not trusted.
    const noted = await sink.readJson(note);
    const file = isRecord(noted) && typeof noted.file === "string" ? noted.file : "";
    const files = /^recording\.[a-z0-9]{1,16}$/.test(file) ? [recordingFile(meeting, file), noteFile] : [noteFile];
    return { kind: "saved", files };
  }
  let download: RecordingDownload;
  try {
    download = await client.meetings.downloadRecording(meeting.id, { signal });
  } catch (error) {
    return { kind: "failed", error };
  }
  const contentType = download.contentType ?? null;
  const file = `recording.${extensionOfMediaType(contentType ?? "") ?? "bin"}`;
  const result = await sink.saveStream(`${record.folder}/${file}`, download.stream);
  if ("broken" in result) return { kind: "failed", error: result.broken };
  await sink.saveFile(note, jsonBytes({ file, size: result.size, contentType }));
  return { kind: "saved", files: [recordingFile(meeting, file), noteFile] };
}

/** The files that a piece has once it is saved. */
export function filesOf({ plan, meeting, record }: PieceOwner, piece: Piece): SavedFile[] {
  switch (piece.kind) {
    case "transcript":
      return plan.transcript.map((format) => transcriptFile(meeting, transcriptExtension(format)));
    case "document":
      return [documentFile(meeting, record, piece.id, DOCUMENT_EXTENSIONS[piece.format])];
    case "recording":
      return [recordingFile(meeting, RECORDING_NOTE)];
  }
}

type DocumentPiece = Extract<Piece, { kind: "document" }>;

const recordingFile = ({ id, title }: Meeting, file: string): SavedFile => ({
  file,
  id,
  title: title ?? null,
  version: "",
});

/** A transcript is out of date if any field of the meeting's row in the list has changed, except the documents. */
function transcriptFile(meeting: Meeting, extension: string): SavedFile {
  const { documents: _, ...row } = meeting;
  return { file: `transcript.${extension}`, id: meeting.id, title: meeting.title ?? null, version: digest(row) };
}

/** A document is out of date if its entry in the meeting list has changed. */
function documentFile(meeting: Meeting, record: MeetingRecord, id: string, extension: string): SavedFile {
  const reference = meeting.documents?.find((document) => document.id === id);
  const name = record.documents.get(id) ?? idName(id);
  const version = digest(reference ?? id);
  return { file: `documents/${name}.${extension}`, id, title: reference?.title ?? null, version };
}

const digest = (value: unknown) => createHash("sha256").update(JSON.stringify(value)).digest("hex").slice(0, 16);
