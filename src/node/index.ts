/**
 * `notetaker-sdk/node`: upload files, save recordings and documents, and keep all meetings in a folder. Needs Node's
 * file system, which Bun and Deno have as well.
 * @module notetaker-sdk/node
 */

export { forgetMeetings } from "../sync/forget-meetings.js";
export type { MissingPiece } from "../sync/pieces.js";
export type { WalkedMeeting } from "../walk/fetch-meeting.js";
export { walkMeetings } from "../walk/walk-meetings.js";
export type { WalkFormats, WalkOptions, WantedParts } from "../walk/walk-options.js";
export { type NodeRequest, type NodeResponse, toNodeListener } from "../webhooks/http/node-listener.js";
export { type FileSource, fromPath } from "./files/from-path.js";
export { type SaveDocumentOptions, type SavedDocument, saveDocument } from "./files/save-document.js";
export { type SavedRecording, type SaveOptions, saveRecording } from "./files/save-recording.js";
export { type FolderStoreOptions, folderStore } from "./folder-store/folder-store.js";
export type { TranscriptFormat, TranscriptRenderer } from "./folder-store/transcript-files.js";
