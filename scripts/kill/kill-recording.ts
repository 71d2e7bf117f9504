/**
 * Kills saveRecording many times, at a random moment. After each kill, the file must be the old one or the new one, and a
 * later run must save it.
 */
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Notetaker } from "notetaker-sdk";
import { createEmulator } from "notetaker-sdk/testing";
import { bundleProgram, type Finding } from "./program.js";

const OLD = Buffer.from("the old file");
const RECORDING = Buffer.from(Uint8Array.from({ length: 4 * 2 ** 20 }, (_, index) => (index * 7 + (index >> 8)) % 251));

export async function killRecording(kills: number): Promise<Finding> {
  await using program = await bundleProgram("scripts/kill/programs/save-recording.ts");
  let onRequest = () => {};
  const service = createEmulator({ limits: "none", onRequest: () => onRequest() });
  const { meetings } = new Notetaker(service.clientOptions);
  const { id } = await meetings.upload(RECORDING, { contentType: "audio/wav" });
  await service.meetings.finish(id);
  const { url, close } = await service.listen({ port: 0 });
  const folder = await mkdtemp(join(tmpdir(), "kill-recording-"));
  const path = join(folder, "weekly.wav");
  const run = () => program.start([path, id], { NOTETAKER_BASE_URL: url, NOTETAKER_TOKEN: service.token });
  const differences: string[] = [];
  let killed = 0;
  let replaced = 0;
  try {
    let requestedAt = 0;
    onRequest = () => {
      requestedAt ||= Date.now();
    };
    await run().wasKilled();
    // The other runs are killed at any point between the first request and the end of the process.
    const lifeMs = Date.now() - requestedAt;
    while (killed < kills) {
      await writeFile(path, OLD);
      const child = run();
      onRequest = () => void setTimeout(() => child.kill(), Math.random() * lifeMs);
      if (await child.wasKilled()) killed += 1;
      const found = await readFile(path);
      if (found.equals(RECORDING)) replaced += 1;
      else if (!found.equals(OLD)) differences.push(`after kill ${killed}: ${found.length} bytes, neither old nor new`);
    }
    const partialFiles = (await readdir(folder)).length - 1;
    if (partialFiles === 0) differences.push("no kill struck while the file was written: that promises nothing");
    onRequest = () => {};
    await writeFile(path, OLD);
    await run().wasKilled();
    if (!(await readFile(path)).equals(RECORDING))
      differences.push("the run after the last kill did not save the file");
    const figures = `${killed} kills, ${replaced} after the file was replaced, ${partialFiles} partial files left`;
    return { promise: "a killed saveRecording leaves the old file or the new one", differences, figures };
  } finally {
    await close();
    await rm(folder, { recursive: true, force: true });
  }
}
