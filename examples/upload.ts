/**
 * Uploads a recording, waits for its transcript, and prints it.
 *
 *   npx tsx examples/upload.ts recording.mp4 [--title "Weekly"] [--language en]
 *
 * With NOTETAKER_BASE_URL and NOTETAKER_TOKEN set, it uses the live service; otherwise it uses the embedded emulator,
 * which invents a transcript after a few seconds.
 */
import { parseArgs } from "node:util";
import { SingleBar } from "cli-progress";
import { MeetingFailedError, Notetaker } from "notetaker-sdk";
import { fromPath } from "notetaker-sdk/node";
import { toText } from "notetaker-sdk/transcript";
import { exampleService } from "./support/client.js";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { title: { type: "string" }, language: { type: "string" } },
});
const [file] = positionals;
if (file === undefined) {
  console.error("Which file? npx tsx examples/upload.ts recording.mp4");
  process.exit(2);
}

const { live, options } = exampleService({ now: Date.now, stepTimes: { transcribeMs: 3_000, summariseMs: 1_000 } });
const notetaker = new Notetaker(options);

const stop = new AbortController();
process.once("SIGINT", () => stop.abort(new Error("stopped")));
const { signal } = stop;

const bar = new SingleBar({ format: "uploading [{bar}] {percentage}% of {size}", hideCursor: true, noTTYOutput: true });
try {
  const source = fromPath(file);
  bar.start(source.size, 0, { size: `${(source.size / 1e6).toFixed(1)} MB` });
  const { id } = await notetaker.meetings.upload(source, values, {
    signal,
    onProgress: ({ sentBytes }) => bar.update(sentBytes),
  });
  bar.stop();

  console.log(`meeting ${id}: waiting for the transcript`);
  const transcript = await notetaker.meetings.waitForTranscript(id, { pollMs: live ? 5_000 : 500, signal });
  console.log(`\n${toText(transcript)}`);
} catch (error) {
  bar.stop();
  console.error(error instanceof MeetingFailedError ? `${error.message}; there is no transcript` : String(error));
  process.exitCode = 1;
}
