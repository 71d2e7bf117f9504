/**
 * A service may respond before it has read the body, and then close the connection. The client gets this response
 * although writing the body fails.
 */
import { fork } from "node:child_process";
import { createReadStream, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ApiError, Notetaker, type UploadSource } from "notetaker-sdk";
import { fromPath } from "notetaker-sdk/node";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { httpServer } from "../../support/loopback.js";
import { ACCEPTED } from "./upload-service.js";

const RUNS = 10;
/** The number of runs in which the response must arrive. Without pauses, it arrives in a quarter of the runs. */
const EXPECTED = 9;
/** Other work on the machine may cost responses: it is enough that they arrive at a quieter moment. */
const WHEN_QUIET = { retry: 30 };

const folder = mkdtempSync(join(tmpdir(), "notetaker-early-response-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const file = join(folder, "recording.mp4");
writeFileSync(file, Buffer.alloc(12 * 1024 * 1024, 7));

const sources: [string, () => UploadSource][] = [
  ["a path", () => fromPath(file)],
  ["a Node stream", () => createReadStream(file)],
];

function refuse(response: ServerResponse, status: number) {
  const body = JSON.stringify({ error: { code: "refused", message: "no" } });
  response.writeHead(status, { connection: "close", "content-type": "application/json", "retry-after": "0" }).end(body);
}

/** The same service, as a separate program: the first part of the path is the status. */
const PROGRAM = `
  const server = require("node:http").createServer((request, response) => {
    request.on("error", () => {});
    const body = JSON.stringify({ error: { code: "refused", message: "no" } });
    const headers = { connection: "close", "content-type": "application/json", "retry-after": "0" };
    response.writeHead(Number(request.url.split("/")[1]), headers).end(body);
  });
  server.listen(0, "127.0.0.1", () => process.send(server.address().port));
`;

async function serviceInOtherProcess(): Promise<string> {
  const program = join(folder, "service.cjs");
  writeFileSync(program, PROGRAM);
  const child = fork(program, { execArgv: [] });
  onTestFinished(() => void child.kill());
  const port = await new Promise((resolve) => child.once("message", resolve));
  return `http://127.0.0.1:${port}`;
}

const serviceInThisProcess = () =>
  httpServer((request: IncomingMessage, response: ServerResponse) => {
    request.on("error", () => {});
    refuse(response, Number(request.url?.split("/")[1]));
  });

describe.each([
  ["in this process", serviceInThisProcess],
  ["in another process", serviceInOtherProcess],
])("an upload to a service %s", (_, start) => {
  it.each(sources)("gets the early responses 401, 413 and 429 if the source is %s", WHEN_QUIET, async (__, source) => {
    const url = await start();
    const counts: Record<number, number> = {};
    for (const status of [401, 413, 429]) {
      const notetaker = new Notetaker({ baseUrl: `${url}/${status}/v1`, token: "tok_0123", maxRetries: 0 });
      counts[status] = 0;
      for (let run = 0; run < RUNS; run += 1) {
        const upload = notetaker.meetings.upload(source(), { contentType: "video/mp4" });
        const error = await upload.then(
          () => undefined,
          (reason: unknown) => reason,
        );
        if (error instanceof ApiError && error.status === status && error.outcome === "rejected") counts[status] += 1;
      }
    }
    expect(Math.min(...Object.values(counts))).toBeGreaterThanOrEqual(EXPECTED);
  });
});

it("an upload is retried after an early 429, and sends the file from its start", WHEN_QUIET, async () => {
  const arrived: number[] = [];
  let requests = 0;
  const url = await httpServer((request, response) => {
    requests += 1;
    request.on("error", () => {});
    if (requests % 2 === 1) {
      refuse(response, 429);
      return;
    }
    let bytes = 0;
    request.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
    });
    request.on("end", () => {
      arrived.push(bytes);
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(ACCEPTED));
    });
  });
  const notetaker = new Notetaker({ baseUrl: `${url}/v1`, token: "tok_0123" });
  expect(await notetaker.meetings.upload(fromPath(file))).toEqual(ACCEPTED);
  expect(arrived).toEqual([12 * 1024 * 1024]);
});
