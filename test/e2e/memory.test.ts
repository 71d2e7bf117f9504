/** Transfers of 512 MiB with the packed package, each in its own process. `npm run bench` measures exact figures. */
import { execFileSync, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { root } from "../support/run-program.js";

const MIB = 1024 * 1024;
/** Node itself takes 50 to 90 MiB. A program that held the whole file would take 512 MiB more. */
const LIMIT_MIB = 192;

const folder = mkdtempSync(join(tmpdir(), "memory-"));
const file = join(folder, "recording.mp4");
const client = pathToFileURL(join(inject("installed"), "node_modules/notetaker-sdk/dist/node/")).href;
let server: ReturnType<typeof fork>;
let origin = "";

beforeAll(async () => {
  writeFileSync(file, "");
  truncateSync(file, 512 * MIB);
  server = fork(join(root, "bench/programs/media-server.mjs"), [file], { execArgv: [] });
  const [port] = await once(server, "message");
  origin = `http://127.0.0.1:${port}`;
});
afterAll(() => {
  server.kill();
  rmSync(folder, { recursive: true });
});

test.each([
  "upload, notetaker-sdk, fromPath",
  "upload, notetaker-sdk, a stream",
  "download, notetaker-sdk, saveRecording",
])("the memory of a process stays under 192 MiB: %s", (name) => {
  const target = join(folder, "saved.mp4");
  const args = [join(root, "bench/programs/media-case.mjs"), name, file, origin, client, target];
  const { peakMiB } = JSON.parse(execFileSync(process.execPath, args, { encoding: "utf8" }));
  rmSync(target, { force: true });
  expect(peakMiB).toBeGreaterThan(20);
  expect(peakMiB).toBeLessThan(LIMIT_MIB);
});

test("the memory of a process exceeds 192 MiB if it holds 512 MiB", () => {
  const program = "new Uint8Array(512 * 1024 * 1024).fill(1); console.log(process.resourceUsage().maxRSS / 1024)";
  expect(Number(execFileSync(process.execPath, ["-e", program], { encoding: "utf8" }))).toBeGreaterThan(LIMIT_MIB);
});
