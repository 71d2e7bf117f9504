/**
 * Fills a folder with all meetings: `fill-folder.ts FOLDER [OPERATION]`. With a number, it is killed at that disk
 * operation.
 */
import { Notetaker, syncMeetings } from "notetaker-sdk";
import { folderStore } from "notetaker-sdk/node";
import { dieAtOperation } from "../killing-files.js";

const [folder = "", dieAt] = process.argv.slice(2);
if (dieAt !== undefined) dieAtOperation(folder, dieAt);
await syncMeetings(new Notetaker(), {
  into: folderStore(folder),
  requestsPerMinute: 1e6,
  formats: { documents: ["markdown", "docx"], recording: true },
});
