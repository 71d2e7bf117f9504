/**
 *   npx tsx snapshot.ts <folder>
 *   duckdb -c "SELECT title, transcript FROM 'meetings/snapshot=*\/*.parquet'"
 */
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parquetWriteBuffer } from "hyparquet-writer";
import { Notetaker, type WalkedMeeting, walkMeetings } from "notetaker-sdk";

interface State {
  snapshot: string;
  /** The number of its complete files, and the checkpoint after them. */
  files: number;
  checkpoint?: string;
}

const [folder = "meetings"] = process.argv.slice(2);
const batchSize = Number(process.env.BATCH_SIZE ?? 500);
const stateFile = join(folder, "state.json");

await mkdir(folder, { recursive: true });
let state = await readState();
await mkdir(join(folder, state.snapshot), { recursive: true });

let batch: WalkedMeeting[] = [];
for await (const item of walkMeetings(new Notetaker(), {
  resume: state.checkpoint,
  formats: { documents: [] },
})) {
  batch.push(item);
  if (batch.length >= batchSize) await closeBatch(item.checkpoint);
}
const last = batch.at(-1);
if (last) await closeBatch(last.checkpoint);
await writeFile(join(folder, state.snapshot, "_SUCCESS"), "");
await rm(stateFile, { force: true });
console.log(`${state.snapshot}: ${state.files} files`);

async function closeBatch(checkpoint: string): Promise<void> {
  const name = `${String(state.files).padStart(5, "0")}.parquet`;
  await replaceFile(join(folder, state.snapshot, name), toParquet(batch));
  state = { ...state, files: state.files + 1, checkpoint };
  await replaceFile(stateFile, JSON.stringify(state));
  batch = [];
}

function toParquet(items: WalkedMeeting[]): Uint8Array {
  const meetings = items.map(({ meeting }) => meeting);
  const columnData = [
    { name: "id", type: "STRING", data: meetings.map(({ id }) => id) },
    { name: "title", type: "STRING", data: meetings.map(({ title }) => title) },
    {
      name: "start_time",
      type: "STRING",
      data: meetings.map(({ start_time }) => start_time),
    },
    { name: "meeting", type: "JSON", data: meetings },
    {
      name: "transcript",
      type: "JSON",
      data: items.map(({ transcript }) => transcript),
    },
  ] as const;
  return new Uint8Array(parquetWriteBuffer({ columnData: [...columnData] }));
}

/** A killed program leaves either the old bytes or the new ones. */
async function replaceFile(
  path: string,
  content: string | Uint8Array,
): Promise<void> {
  await writeFile(`${path}.part`, content);
  await rename(`${path}.part`, path);
}

async function readState(): Promise<State> {
  const saved = await readFile(stateFile, "utf8").catch(() => undefined);
  if (saved !== undefined) return JSON.parse(saved);
  const fresh = {
    snapshot: `snapshot=${new Date().toISOString().replaceAll(":", "-")}`,
    files: 0,
  };
  await replaceFile(stateFile, JSON.stringify(fresh));
  return fresh;
}
