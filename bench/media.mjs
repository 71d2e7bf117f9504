/**
 * Uploads and downloads 1 GiB on the loopback interface, side by side with what Node brings: `node bench/media.mjs`,
 * after `npm run build`: what is measured is the package as users install it.
 * Each Node version installed here (`npm install` in this folder) is measured, each transfer in a process of its own.
 * Options: --mib 1024, --runs 5, --node /path/to/node (once for each).
 */
import { execFile, execFileSync, fork } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs, promisify } from "node:util";

const { values } = parseArgs({
  options: { mib: { type: "string" }, runs: { type: "string" }, node: { type: "string", multiple: true } },
});
const mib = Number(values.mib ?? 1024);
const runs = Number(values.runs ?? 5);

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const folder = await mkdtemp(join(tmpdir(), "notetaker-bench-"));
const file = join(folder, "recording.mp4");
const client = new URL("../dist/", import.meta.url).href;

const handle = await open(file, "w");
const block = Buffer.alloc(1024 * 1024, "0123456789abcdef");
for (let written = 0; written < mib; written += 1) await handle.write(block);
await handle.close();

const nodes =
  values.node ??
  [20, 22, 24, 26].map((major) => here(`node_modules/node-${major}/bin/node`)).filter((path) => existsSync(path));
if (nodes.length === 0) nodes.push(process.execPath);

const CASES = [
  "upload, notetaker-sdk, fromPath",
  "upload, notetaker-sdk, a stream",
  "upload, fetch, a stream, redirects refused",
  "upload, fetch, a stream",
  "upload, node:http",
  "download, notetaker-sdk, saveRecording",
  "download, fetch, to a file",
];
/** Plain `fetch` with a stream holds all that it sends, and is slow for it; with redirects refused it is at its best. */
const BASE = { upload: "upload, fetch, a stream, redirects refused", download: "download, fetch, to a file" };

const server = fork(here("media-server.mjs"), [file]);
const port = await new Promise((resolve) => server.once("message", resolve));

async function measured(node, name) {
  const target = join(folder, "saved.mp4");
  const args = [here("media-case.mjs"), name, file, `http://127.0.0.1:${port}`, client, target];
  const { stdout } = await promisify(execFile)(node, args);
  await rm(target, { force: true });
  return JSON.parse(stdout);
}

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

console.log(`${mib} MiB, medians of ${runs} runs\n`);
console.log("| Node | transfer | seconds | beside fetch | peak memory, MiB | the highest |");
console.log("|---|---|---:|---:|---:|---:|");
for (const node of nodes) {
  const version = execFileSync(node, ["--version"], { encoding: "utf8" }).trim().slice(1);
  const results = Object.fromEntries(CASES.map((name) => [name, []]));
  // In turn, so that what else the machine does falls on all alike.
  for (let run = 0; run < runs; run += 1) for (const name of CASES) results[name].push(await measured(node, name));
  const seconds = (name) => median(results[name].map((one) => one.seconds));
  for (const name of CASES) {
    const ratio = seconds(name) / seconds(BASE[name.split(",", 1)[0]]);
    const peaks = results[name].map((one) => Math.round(one.peakMiB));
    const row = [version, name, seconds(name).toFixed(2), ratio.toFixed(2), median(peaks), Math.max(...peaks)];
    console.log(`| ${row.join(" | ")} |`);
  }
}

server.kill();
await rm(folder, { recursive: true });
