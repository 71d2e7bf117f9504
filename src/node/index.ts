/** `notetaker-sdk/node`: files to upload, and recordings to save. Needs Node's file system (Bun and Deno have it, too). */

export { type FileSource, fromPath } from "./from-path.js";
export { type SavedRecording, type SaveOptions, saveRecording } from "./save-recording.js";
