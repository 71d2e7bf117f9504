/**
 * `notetaker-sdk/node`: files to upload, recordings and documents to save, and everything taken out at once. Needs Node's file
 * system (Bun and Deno have it, too).
 */

export type { ExportClock } from "./export/export-clock.js";
export { exportMeetings } from "./export/export-meetings.js";
export {
  type ExportFormats,
  type ExportOptions,
  type ExportProgress,
  type ExportSummary,
  type MissingPiece,
  TRANSCRIPT_FORMATS,
  type TranscriptFormat,
  type TranscriptRenderer,
} from "./export/export-options.js";
export { type ExportSink, folderSink } from "./export/sink.js";
export { type FileSource, fromPath } from "./files/from-path.js";
export { type SaveDocumentOptions, type SavedDocument, saveDocument } from "./files/save-document.js";
export { type SavedRecording, type SaveOptions, saveRecording } from "./files/save-recording.js";
