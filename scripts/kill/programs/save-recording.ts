/** Saves the recording of a meeting at the path that it is given; with a number, it is killed at that operation. */
import { dirname } from "node:path";
import { Notetaker } from "notetaker-sdk";
import { saveRecording } from "notetaker-sdk/node";
import { dieAtOperation } from "../killing-files.js";

const [path = "", meetingId = "", dieAt] = process.argv.slice(2);
if (dieAt !== undefined) dieAtOperation(dirname(path), dieAt);
await saveRecording(new Notetaker(), meetingId, path);
