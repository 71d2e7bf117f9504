/**
 * `notetaker-sdk/node`: upload files, save recordings and documents, and export all meetings. Needs Node's file system,
 * which Bun and Deno have as well.
 *
 * @module notetaker-sdk/node
 */

export type { MissingPiece } from "../sync/pieces.js";
export type { PeriodOptions, ReadOptions } from "../sync/read-options.js";
export type { FetchedMeeting, WalkedMeeting } from "../walk/fetch-meeting.js";
export { walkMeetings } from "../walk/walk-meetings.js";
export type { KnownIds, WalkFormats, WalkOptions, WantedParts, WantsContext } from "../walk/walk-options.js";
export { type NodeRequest, type NodeResponse, toNodeListener } from "../webhooks/http/node-listener.js";
export { exportMeetings } from "./export/export-meetings.js";
export type { ExportFormats, ExportOptions, ExportProgress, ExportSummary } from "./export/export-options.js";
export type { IndexEntry } from "./export/index-file.js";
export { type FileSource, fromPath } from "./files/from-path.js";
export { type SaveDocumentOptions, type SavedDocument, saveDocument } from "./files/save-document.js";
export { type SavedRecording, type SaveOptions, saveRecording } from "./files/save-recording.js";
export { type FolderStoreOptions, folderStore } from "./folder-store/folder-store.js";
export { TRANSCRIPT_FORMATS, type TranscriptFormat, type TranscriptRenderer } from "./folder-store/transcript-files.js";
export { folderSink } from "./sink/folder-sink.js";
export type { ExportSink } from "./sink/sink.js";
