/** Makes a recording file for uploads and downloads, and starts their server. Both are removed at the end. */
import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startServer } from "./start-server.mjs";

const MIB = { quick: 16, usual: 128, full: 1024 };

async function serveRecording({ mode }) {
  const folder = await mkdtemp(join(tmpdir(), "notetaker-bench-"));
  const file = join(folder, "recording.mp4");
  const handle = await open(file, "w");
  const block = Buffer.alloc(1024 * 1024, "0123456789abcdef");
  for (let written = 0; written < MIB[mode]; written += 1) await handle.write(block);
  await handle.close();
  const { origin, stop } = await startServer("programs/media-server.mjs", [file]);
  const DIST = new URL("../../dist/node/", import.meta.url).href;
  return {
    values: { ORIGIN: origin, FILE: file, TARGET: join(folder, "saved.mp4"), DIST },
    async stop() {
      stop();
      await rm(folder, { recursive: true });
    },
  };
}

/** The rows of a case with uploads or downloads. Their names are those in `programs/media-case.mjs`. */
export const transfers = (direction, rows) =>
  rows.map((row) => ({
    row,
    program: "programs/media-case.mjs",
    args: [`${direction}, ${row}`, "FILE", "ORIGIN", "DIST", "TARGET"],
  }));

/** The common part of the cases for uploads and downloads. */
export const TRANSFER_CASE = {
  metrics: {
    cpu: { title: "CPU, s", digits: 2 },
    seconds: { title: "time, s", digits: 2, ratio: false },
    peakMiB: { title: "peak memory, MiB", digits: 0, ratio: false },
  },
  rounds: { quick: 3, usual: 5, full: 7 },
  start: serveRecording,
};
