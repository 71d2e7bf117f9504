/** Exports everything into the folder that it is given. */
import { Notetaker } from "notetaker-sdk";
import { exportMeetings } from "notetaker-sdk/node";

const [into = ""] = process.argv.slice(2);
await exportMeetings(new Notetaker(), {
  into,
  requestsPerMinute: 1e6,
  formats: { documents: ["markdown", "docx"], recording: true },
});
