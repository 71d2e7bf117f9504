/** Saves the recording of a meeting: `save-recording.ts PATH MEETING_ID`. */
import { Notetaker } from "notetaker-sdk";
import { saveRecording } from "notetaker-sdk/node";

const [path = "", meetingId = ""] = process.argv.slice(2);
await saveRecording(new Notetaker(), meetingId, path);
