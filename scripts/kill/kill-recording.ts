/**
 * Kills saveRecording many times. After each kill, the file must be the old one or the new one, and a later run must
 * save it.
 */
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Finding } from "./finding.js";
import { randomOperation } from "./killing-files.js";
import { bundleProgram } from "./program.js";

const BYTES = 4 * 2 ** 20;
const MEETING = "mtg_1";
const OLD = Buffer.from("the old file");
/** Every second run is killed at one of its disk operations. */
const OPERATIONS = { operations: 40, writes: 30 };

export async function killRecording(kills: number): Promise<Finding> {
  await using program = await bundleProgram("scripts/kill/programs/save-recording.ts");
  const recording = Buffer.from(Uint8Array.from({ length: BYTES }, (_, index) => (index * 7 + (index >> 8)) % 251));
  let onRequest = () => {};
  const server = createServer((request, response) => {
    if (request.url?.includes("/files/")) {
      response.writeHead(200, { "content-type": "audio/wav", "content-length": BYTES, etag: '"one"' });
      response.end(recording);
      return;
    }
    onRequest();
    const { port } = server.address() as AddressInfo;
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ meeting_id: MEETING, recording_url: `http://127.0.0.1:${port}/files/one` }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const env = {
    NOTETAKER_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    NOTETAKER_TOKEN: "kill",
  };
  const folder = await mkdtemp(join(tmpdir(), "kill-recording-"));
  const path = join(folder, "weekly.wav");
  const run = (...dieAt: string[]) => program.start([path, MEETING, ...dieAt], env);
  const differences: string[] = [];
  let killed = 0;
  let replaced = 0;
  let partialFiles = 0;
  try {
    let requestedAt = 0;
    onRequest = () => {
      requestedAt = Date.now();
    };
    await run().wasKilled();
    // The other runs are killed at any point between the first request and the end of the process.
    const lifeMs = Date.now() - requestedAt;
    while (killed < kills) {
      await writeFile(path, OLD);
      const atOperation = killed % 2 === 0;
      const child = atOperation ? run(randomOperation(killed, OPERATIONS)) : run();
      onRequest = () => {
        if (!atOperation) setTimeout(() => child.kill(), Math.random() * lifeMs);
      };
      if (await child.wasKilled()) killed += 1;
      const found = await readFile(path);
      if (found.equals(recording)) replaced += 1;
      else if (!found.equals(OLD)) differences.push(`after kill ${killed}: ${found.length} bytes, neither old nor new`);
    }
    partialFiles = (await readdir(folder)).length - 1;
    onRequest = () => {};
    await run().wasKilled();
    if (!(await readFile(path)).equals(recording))
      differences.push("the run after the last kill did not save the file");
    if (partialFiles === 0) differences.push("no kill struck while the file was written: that promises nothing");
    const figures = `${killed} kills, ${replaced} after the file was replaced, ${partialFiles} partial files left`;
    return { promise: "a killed saveRecording leaves the old file or the new one", differences, figures };
  } finally {
    server.close();
    server.closeAllConnections();
    await rm(folder, { recursive: true, force: true });
  }
}
