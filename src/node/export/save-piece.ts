/** Fetches one piece of a meeting and writes its files. */

import { createHash } from "node:crypto";
import * as z from "zod/mini";
import { throwIfAborted } from "../../async/abort.js";
import { extensionOfMediaType } from "../../media/media-type-names.js";
import type { Meeting } from "../../schemas/meeting.js";
import type { MeetingClient } from "../../sync/pace.js";
import { invalidPiece, type Missing, missingBecause, type Piece, tryPiece } from "../../sync/pieces.js";
import { requestDocument, requestTranscript } from "../../sync/received.js";
import { DOCUMENT_EXTENSIONS } from "../files/save-document.js";
import { idName } from "../folder-store/file-names.js";
import { transcriptExtension, transcriptText } from "../folder-store/transcript-files.js";
import { jsonBytes, type SinkWriter } from "../sink/sink.js";
import type { ExportPlan } from "./export-options.js";
import type { SavedFile, SavedMeeting } from "./saved-meetings.js";

/** The meeting whose pieces are saved, and what is needed for that. */
export interface PieceOwner {
  plan: ExportPlan;
  client: MeetingClient;
  sink: SinkWriter;
  meeting: Meeting;
  record: SavedMeeting;
  /** Called before files are written, so that the record names them. */
  announce(files: readonly SavedFile[]): Promise<void>;
}

/** The result of saving a piece. A piece that does not match the API specification is saved as received, and is missing. */
export interface PieceResult {
  /** `undefined` if the piece was not saved. */
  files?: readonly SavedFile[] | undefined;
  missing?: Missing | undefined;
}

/** An error of the sink is thrown, and so is an error that affects every piece. */
export async function savePiece(owner: PieceOwner, piece: Piece, signal: AbortSignal): Promise<PieceResult> {
  if (piece.kind === "recording") return saveRecording(owner, piece, signal);
  const { fetched, missing } = await tryPiece(piece, signal, () => requestFiles(owner, piece, signal));
  if (fetched === undefined) return { missing };
  const files = fetched.files.map(([extension]) => fileOf(owner, piece, extension));
  await owner.announce(files);
  for (const [extension, bytes] of fetched.files) {
    await owner.sink.saveFile(`${owner.record.folder}/${fileOf(owner, piece, extension).file}`, bytes);
  }
  // A piece with an issue gets no version, so that the next export fetches it again.
  return { files: missing === undefined ? files : files.map((file) => ({ ...file, version: "" })), missing };
}

/** The files of a transcript or document by their extensions. What cannot be read at all is written as received. */
interface RequestedFiles {
  files: [extension: string, bytes: Uint8Array][];
  issue: string | undefined;
}

async function requestFiles(
  { client, plan, meeting }: PieceOwner,
  piece: Exclude<Piece, { kind: "recording" }>,
  signal: AbortSignal,
): Promise<RequestedFiles> {
  if (piece.kind === "document") {
    const { received, bytes, issue } = await requestDocument(client, piece.id, piece.format, signal);
    if (bytes === undefined) return { files: [["received.json", jsonBytes(received)]], issue };
    return { files: [[DOCUMENT_EXTENSIONS[piece.format], bytes]], issue };
  }
  const { transcript, received, issue } = await requestTranscript(client, meeting.id, signal);
  if (transcript === undefined) return { files: [["received.json", jsonBytes(received)]], issue };
  const files = plan.transcript.map((format): [string, Uint8Array] => {
    return [transcriptExtension(format), Buffer.from(transcriptText(format, transcript, meeting, received))];
  });
  return { files, issue };
}

const noteSchema = z.object({ file: z.string().check(z.regex(/^recording\.[a-z0-9]{1,16}$/)) });

/**
 * A recording does not change and may be large, so it is not fetched again once it is saved. Its note, the file
 * `recording.json`, is written after it.
 */
async function saveRecording(owner: PieceOwner, piece: Piece, signal: AbortSignal): Promise<PieceResult> {
  const { client, sink, meeting, record } = owner;
  const noteFile = fileOf(owner, piece, "json");
  const note = `${record.folder}/${noteFile.file}`;
  const { data: noted } = z.safeParse(noteSchema, await sink.readJson(note));
  if (noted !== undefined) return { files: [{ ...noteFile, file: noted.file }, noteFile] };
  const { fetched, missing } = await tryPiece(piece, signal, async () => {
    return { download: await client.meetings.downloadRecording(meeting.id, { signal }), issue: undefined };
  });
  if (fetched === undefined) return { missing };
  const { stream, contentType = null } = fetched.download;
  const file = fileOf(owner, piece, extensionOfMediaType(contentType ?? "") ?? "bin");
  await owner.announce([file, noteFile]);
  const result = await sink.saveStream(`${record.folder}/${file.file}`, stream);
  if ("broken" in result) {
    throwIfAborted(signal);
    return { missing: missingBecause(piece, result.broken) };
  }
  await sink.saveFile(note, jsonBytes({ file: file.file, size: result.size, contentType }));
  const { warning } = fetched.download;
  return { files: [file, noteFile], missing: warning === undefined ? undefined : invalidPiece("recording", warning) };
}

/** Whether all files of the piece are in the sink, and neither the meeting nor the document has changed since. */
export async function isSaved(owner: PieceOwner, piece: Piece): Promise<boolean> {
  const { sink, record } = owner;
  for (const { file, version } of filesOf(owner, piece)) {
    if (record.files.get(file)?.version !== version) return false;
    if ((await sink.read(`${record.folder}/${file}`)) === undefined) return false;
  }
  return true;
}

/** The files that show that the piece is saved. */
export function filesOf(owner: PieceOwner, piece: Piece): SavedFile[] {
  let extensions = ["json"];
  if (piece.kind === "transcript") extensions = owner.plan.transcript.map(transcriptExtension);
  if (piece.kind === "document") extensions = [DOCUMENT_EXTENSIONS[piece.format]];
  return extensions.map((extension) => fileOf(owner, piece, extension));
}

/**
 * A file of the piece. A transcript is out of date if any field of the meeting's row in the list has changed, except
 * the documents; a document, if its entry in the row has changed.
 */
function fileOf({ meeting, record }: PieceOwner, piece: Piece, extension: string): SavedFile {
  const { documents, ...row } = meeting;
  if (piece.kind === "document") {
    const { id } = piece;
    const reference = documents?.find((document) => document.id === id);
    const file = `documents/${record.documents.get(id) ?? idName(id)}.${extension}`;
    return { file, id, title: reference?.title ?? null, version: digest(reference ?? id) };
  }
  const version = piece.kind === "transcript" ? digest(row) : "";
  return { file: `${piece.kind}.${extension}`, id: meeting.id, title: meeting.title ?? null, version };
}

const digest = (value: unknown) => createHash("sha256").update(JSON.stringify(value)).digest("hex").slice(0, 16);
