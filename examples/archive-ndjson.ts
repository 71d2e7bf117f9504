/**
 * Archives every meeting as one line of JSON, with its transcript and documents. Each line also holds the checkpoint of
 * the walk, so that a meeting and its checkpoint are saved together or not at all.
 *
 *   npx tsx examples/archive-ndjson.ts <file.ndjson>
 *
 * You can stop it at any time: the same command resumes it. With NOTETAKER_BASE_URL and NOTETAKER_TOKEN set, it reads
 * the live service; otherwise it reads the embedded emulator.
 */
import { open } from "node:fs/promises";
import { walkMeetings } from "notetaker-sdk";
import { exampleClient } from "./support/client.js";

const [path = "meetings.ndjson"] = process.argv.slice(2);
const requestsPerMinute = Number(process.env.REQUESTS_PER_MINUTE ?? 60);

const file = await open(path, "a+");
const archive = await readArchive();
// If the program was killed, the last line may be incomplete.
await file.truncate(archive.bytes);

let count = 0;
for await (const item of walkMeetings(exampleClient(), { resume: archive.checkpoint, requestsPerMinute })) {
  if (archive.complete.has(item.meeting.id)) continue;
  await file.appendFile(`${JSON.stringify(item)}\n`);
  await file.sync();
  count += 1;
}
// The walk is complete: the next run starts from the beginning and adds only new meetings.
await file.appendFile(`${JSON.stringify({ complete: new Date().toISOString() })}\n`);
await file.close();
console.log(`${count} new ${count === 1 ? "meeting" : "meetings"} in ${path}${archive.checkpoint ? ", resumed" : ""}`);

/** Reads what earlier runs have written. An incomplete last line is ignored. */
async function readArchive(): Promise<{ bytes: number; complete: Set<string>; checkpoint: string | undefined }> {
  /** The meetings of walks that were completed. */
  const complete = new Set<string>();
  let bytes = 0;
  let ids: string[] = [];
  let checkpoint: string | undefined;
  const text = await file.readFile("utf8");
  for (const line of text.split(/(?<=\n)/)) {
    if (!line.endsWith("\n")) break;
    bytes += Buffer.byteLength(line);
    const item = JSON.parse(line);
    checkpoint = item.checkpoint;
    if (item.meeting !== undefined) ids.push(item.meeting.id);
    if (item.complete === undefined) continue;
    for (const id of ids) complete.add(id);
    ids = [];
  }
  return { bytes, complete, checkpoint };
}
