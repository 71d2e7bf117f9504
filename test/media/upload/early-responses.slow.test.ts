/**
 * A service may respond before it has read the body, and then close the connection. The client gets this response
 * although writing the body fails.
 */
import { fork } from "node:child_process";
import { createReadStream } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ApiError, Notetaker } from "notetaker-sdk";
import { fromPath } from "notetaker-sdk/node";
import { expect, it, onTestFinished } from "vitest";

const RUNS = 10;
/** The number of runs in which the response must arrive. Without pauses, it arrives in a quarter of the runs. */
const EXPECTED = 9;
/** Other work on the machine may cost responses: it is enough that they arrive at a quieter moment. */
const WHEN_QUIET = { retry: 30 };

/** A service that responds at once, in a process of its own: the first part of the path is the status. */
const SERVICE = `
  const server = require("node:http").createServer((request, response) => {
    request.on("error", () => {});
    const body = JSON.stringify({ error: { code: "refused", message: "no" } });
    const headers = { connection: "close", "content-type": "application/json", "retry-after": "0" };
    response.writeHead(Number(request.url.split("/")[1]), headers).end(body);
  });
  server.listen(0, "127.0.0.1", () => process.send(server.address().port));
`;

it.each([
  ["a path", fromPath],
  ["a Node stream", createReadStream],
])("an upload gets the early responses 401, 413 and 429 if the source is %s", WHEN_QUIET, async (_, open) => {
  const folder = await mkdtemp(join(tmpdir(), "notetaker-early-response-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const [file, program] = [join(folder, "recording.mp4"), join(folder, "service.cjs")];
  await writeFile(file, Buffer.alloc(12 * 1024 * 1024, 7));
  await writeFile(program, SERVICE);
  const service = fork(program, { execArgv: [] });
  onTestFinished(() => void service.kill());
  const port = await new Promise((resolve) => service.once("message", resolve));
  for (const status of [401, 413, 429]) {
    const baseUrl = `http://127.0.0.1:${port}/${status}/v1`;
    const notetaker = new Notetaker({ baseUrl, token: "tok_0123", maxRetries: 0 });
    let arrived = 0;
    for (let run = 0; run < RUNS; run += 1) {
      const error: unknown = await notetaker.meetings.upload(open(file), { contentType: "video/mp4" }).catch((e) => e);
      if (error instanceof ApiError && error.status === status && error.outcome === "rejected") arrived += 1;
    }
    expect(arrived).toBeGreaterThanOrEqual(EXPECTED);
  }
});
