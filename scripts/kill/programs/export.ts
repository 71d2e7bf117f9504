/**
 * Exports all meetings into a folder: `export.ts FOLDER [OPERATION]`. With a number, it is killed at that disk
 * operation.
 */
import { Notetaker } from "notetaker-sdk";
import { exportMeetings } from "notetaker-sdk/node";
import { dieAtOperation } from "../killing-files.js";

const [into = "", dieAt] = process.argv.slice(2);
if (dieAt !== undefined) dieAtOperation(into, dieAt);
await exportMeetings(new Notetaker(), {
  into,
  requestsPerMinute: 1e6,
  formats: { documents: ["markdown", "docx"], recording: true },
});
