/**
 * Takes every meeting out into a folder of notes: Markdown with front matter, the documents beside it.
 *
 *   npx tsx examples/export-vault.ts <folder> [--since 2026-01-01] [--recordings]
 *
 * It may be stopped at any time, with Ctrl+C or by pulling the plug: the same command goes on where it was. With
 * NOTETAKER_BASE_URL and NOTETAKER_TOKEN set it talks to the live service, and only reads; else to the embedded emulator.
 */
import { parseArgs } from "node:util";
import { Notetaker } from "notetaker-sdk";
import { exportMeetings } from "notetaker-sdk/node";
import { createEmulator } from "notetaker-sdk/testing";
import { note } from "./export-vault/note.js";
import { progressLine } from "./export-vault/progress.js";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { since: { type: "string" }, recordings: { type: "boolean", default: false } },
});
const [folder = "vault"] = positionals;

const live = process.env.NOTETAKER_BASE_URL !== undefined && process.env.NOTETAKER_TOKEN !== undefined;
const service = createEmulator();
const notetaker = live
  ? new Notetaker()
  : new Notetaker({ baseUrl: service.baseUrl, token: service.token, fetch: service.fetch });

const stop = new AbortController();
process.once("SIGINT", () => stop.abort("stopped"));

const progress = progressLine();
try {
  const { meetings, saved, missing, written, unchanged, resumed } = await exportMeetings(notetaker, {
    into: folder,
    since: values.since,
    formats: { transcript: [note], documents: ["markdown"], recording: values.recordings },
    signal: stop.signal,
    onProgress: progress.update,
  });
  progress.stop();
  console.log(
    `${meetings} ${meetings === 1 ? "meeting" : "meetings"} in ${folder}${resumed ? ", going on from an earlier run" : ""}`,
  );
  console.log(`${saved} transcripts, documents and recordings; ${written} files written, ${unchanged} as they were`);
  for (const { meeting_id, title, what, message } of missing) {
    console.log(`missing: ${what} of ${title ?? meeting_id}: ${message}`);
  }
} catch (error) {
  progress.stop();
  console.error(error === "stopped" ? "Stopped. The same command goes on from here." : error);
  process.exitCode = 1;
}
