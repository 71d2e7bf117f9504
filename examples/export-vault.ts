/**
 * Keeps a folder of notes up to date: Markdown with front matter, with the documents beside it.
 *
 *   npx tsx examples/export-vault.ts <folder> [--since 2026-01-01] [--recordings]
 *
 * You can stop it at any time, with Ctrl+C or by a power cut: the same command continues, and fetches only what is new.
 * With NOTETAKER_BASE_URL and NOTETAKER_TOKEN set, it reads the live service; otherwise it reads the embedded emulator.
 */
import { parseArgs } from "node:util";
import { syncMeetings } from "notetaker-sdk";
import { folderStore } from "notetaker-sdk/node";
import { note } from "./export-vault/note.js";
import { exampleClient } from "./support/client.js";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { since: { type: "string" }, recordings: { type: "boolean", default: false } },
});
const [folder = "vault"] = positionals;

const stop = new AbortController();
process.once("SIGINT", () => stop.abort("stopped"));

try {
  const { changed, missing } = await syncMeetings(exampleClient(), {
    into: folderStore(folder, { transcript: [note] }),
    since: values.since,
    formats: { recording: values.recordings },
    signal: stop.signal,
    onChange: ({ id, meeting }) => console.log(`saved: ${meeting?.title ?? id}`),
  });
  console.log(`${changed} ${changed === 1 ? "change" : "changes"} in ${folder}`);
  for (const { meeting_id, title, what, message } of missing) {
    console.log(`missing: ${what} of ${title ?? meeting_id}: ${message}`);
  }
} catch (error) {
  console.error(error === "stopped" ? "Stopped. The same command resumes from here." : error);
  process.exitCode = 1;
}
