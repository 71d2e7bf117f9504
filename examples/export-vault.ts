/**
 * Exports every meeting into a folder of notes: Markdown with front matter, with the documents beside it.
 *
 *   npx tsx examples/export-vault.ts <folder> [--since 2026-01-01] [--recordings]
 *
 * You can stop it at any time, with Ctrl+C or by a power cut: the same command resumes it. After a complete export, the
 * next run fetches only new content. With NOTETAKER_BASE_URL and NOTETAKER_TOKEN set, it reads the live service;
 * otherwise it reads the embedded emulator.
 */
import { parseArgs } from "node:util";
import { exportMeetings } from "notetaker-sdk/node";
import { note } from "./export-vault/note.js";
import { progressLine } from "./export-vault/progress.js";
import { exampleClient } from "./support/client.js";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { since: { type: "string" }, recordings: { type: "boolean", default: false } },
});
const [folder = "vault"] = positionals;

const stop = new AbortController();
process.once("SIGINT", () => stop.abort("stopped"));

const progress = progressLine();
try {
  const { meetings, saved, missing, written, unchanged, resumed } = await exportMeetings(exampleClient(), {
    into: folder,
    since: values.since,
    formats: { transcript: [note], documents: ["markdown"], recording: values.recordings },
    skipExisting: true,
    signal: stop.signal,
    onProgress: progress.update,
  });
  progress.stop();
  console.log(`${meetings} ${meetings === 1 ? "meeting" : "meetings"} in ${folder}${resumed ? ", resumed" : ""}`);
  console.log(`${saved} transcripts, documents and recordings; ${written} files written, ${unchanged} unchanged`);
  for (const { meeting_id, title, what, message } of missing) {
    console.log(`missing: ${what} of ${title ?? meeting_id}: ${message}`);
  }
} catch (error) {
  progress.stop();
  console.error(error === "stopped" ? "Stopped. The same command resumes from here." : error);
  process.exitCode = 1;
}
