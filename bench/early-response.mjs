/**
 * Measures how often a client receives a response that the service sends before it has read the whole body (401, 413 or
 * 429, with `Connection: close`). Run it with `npm run build && node bench/early-response.mjs`, or with another Node
 * with `npx -y node@22 bench/early-response.mjs`.
 *
 * Each technique sends the same body with `fetch`; the last rows are the package. The service runs in another process,
 * then in this one. It responds after the headers, 5 ms later, or once it has read 1 MB. Options: --runs 20, --mib 20.
 */
import { fork } from "node:child_process";
import { createReadStream, writeFileSync } from "node:fs";
import { mkdtemp, open, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Notetaker, RateLimitedError } from "../dist/node/index.js";
import { fromPath } from "../dist/node/node/index.js";

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "20" },
    mib: { type: "string", default: "20" },
    serve: { type: "boolean" },
  },
});
const runs = Number(values.runs);
const size = Number(values.mib) * 1024 * 1024;
const CHUNK_BYTES = 64 * 1024;
/** How many bytes are read from the disk at once. */
const BLOCK_BYTES = 4 * CHUNK_BYTES;

/** The service. The path selects when it responds: `/headers`, `/5ms`, `/1MB`. */
function serve() {
  const server = createServer((request, response) => {
    const answer = () => {
      if (response.headersSent) return;
      const body = JSON.stringify({ error: { code: "rate_limited", message: "slow down" } });
      response.writeHead(429, { connection: "close", "content-type": "application/json" }).end(body);
    };
    request.on("error", () => {});
    if (request.url.startsWith("/headers")) answer();
    else if (request.url.startsWith("/5ms")) setTimeout(answer, 5);
    else {
      let received = 0;
      request.on("data", (chunk) => {
        received += chunk.length;
        if (received < 1_000_000) return;
        request.pause();
        answer();
      });
    }
  });
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
}

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const turns = async (count) => {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

/** Each technique returns a promise to await after `sent` bytes. */
const TECHNIQUES = {
  "fetch, as fast as it goes": () => {},
  "25 ms after the first chunk": (sent) => (sent === CHUNK_BYTES ? sleep(25) : undefined),
  "1 ms after each chunk of the first 2 MiB": (sent) => (sent <= 2 * 1024 * 1024 ? sleep(1) : undefined),
  "2 turns of the event loop after each chunk": () => turns(2),
  "all three": (sent) => {
    if (sent === CHUNK_BYTES) return sleep(25);
    return sent <= 2 * 1024 * 1024 ? sleep(1) : turns(2);
  },
};

async function* chunksOf(file, waitAfter) {
  const handle = await open(file);
  try {
    for (let sent = 0; sent < size; ) {
      const { buffer } = await handle.read(Buffer.allocUnsafe(BLOCK_BYTES), 0, BLOCK_BYTES, sent);
      for (let start = 0; start < buffer.length && sent < size; start += CHUNK_BYTES) {
        yield new Uint8Array(buffer.subarray(start, start + CHUNK_BYTES));
        sent += CHUNK_BYTES;
        await waitAfter(sent);
      }
    }
  } finally {
    await handle.close();
  }
}

async function fetched(url, file, waitAfter) {
  const chunks = chunksOf(file, waitAfter);
  const body = new ReadableStream(
    {
      async pull(controller) {
        const { value, done } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: () => chunks.return(),
    },
    { highWaterMark: 0 },
  );
  const headers = { "content-length": String(size) };
  const response = await fetch(url, { method: "PUT", body, duplex: "half", redirect: "error", headers });
  await response.text();
  return response.status === 429;
}

async function uploaded(url, source) {
  const notetaker = new Notetaker({ baseUrl: `${url}/v1`, token: "bench", maxRetries: 0 });
  try {
    await notetaker.meetings.upload(source, { contentType: "video/mp4" });
  } catch (error) {
    return error instanceof RateLimitedError;
  }
  return false;
}

const CASES = {
  ...Object.fromEntries(
    Object.entries(TECHNIQUES).map(([name, waitAfter]) => [name, (url, file) => fetched(url, file, waitAfter)]),
  ),
  "notetaker-sdk, fromPath": (url, file) => uploaded(url, fromPath(file)),
  "notetaker-sdk, a Node stream": (url, file) => uploaded(url, createReadStream(file)),
};

async function main() {
  const folder = await mkdtemp(join(tmpdir(), "notetaker-bench-"));
  const file = join(folder, "recording.mp4");
  writeFileSync(file, Buffer.alloc(size, 7));
  const child = fork(fileURLToPath(import.meta.url), ["--serve"]);
  const childPort = await new Promise((resolve) => child.once("message", resolve));
  const server = await serve();

  const places = { "another process": childPort, "this process": server.address().port };
  const moments = ["headers", "5ms", "1MB"];
  const columns = Object.keys(places).flatMap((place) => moments.map((moment) => `${place}, ${moment}`));
  console.log(`Node ${process.version}: of ${runs} answers, arrived\n`);
  console.log(`| technique | ${columns.join(" | ")} |\n|---|${columns.map(() => "---:|").join("")}`);
  for (const [name, run] of Object.entries(CASES)) {
    const cells = [];
    for (const port of Object.values(places)) {
      for (const moment of moments) {
        let arrived = 0;
        for (let index = 0; index < runs; index += 1) {
          if (await run(`http://127.0.0.1:${port}/${moment}`, file).catch(() => false)) arrived += 1;
        }
        cells.push(arrived);
      }
    }
    console.log(`| ${name} | ${cells.join(" | ")} |`);
  }
  child.kill();
  server.close();
  server.closeAllConnections();
  await rm(folder, { recursive: true });
}

if (values.serve) process.send((await serve()).address().port);
else await main();
