/**
 * Saves the recording of a meeting: `save-recording.ts PATH MEETING_ID [OPERATION]`. With a number, it is killed at
 * that disk operation.
 */
import { dirname } from "node:path";
import { Notetaker } from "notetaker-sdk";
import { saveRecording } from "notetaker-sdk/node";
import { dieAtOperation } from "../killing-files.js";

const [path = "", meetingId = "", dieAt] = process.argv.slice(2);
if (dieAt !== undefined) dieAtOperation(dirname(path), dieAt);
await saveRecording(new Notetaker(), meetingId, path);
