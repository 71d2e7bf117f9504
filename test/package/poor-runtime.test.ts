/**
 * The program of `npm run runtimes` in a runtime like React Native: without streams, Web Crypto, `TextDecoder` and
 * recent language features, and with a `fetch` that reads each response as a whole.
 */
import { execFile } from "node:child_process";
import { copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, inject, onTestFinished, test } from "vitest";
import { startService } from "../../scripts/runtimes/service.js";
import { root } from "../support/run-program.js";

const installed = inject("installed");

const POOR = `
  const http = require("node:http");
  const { Headers } = globalThis;
  // Node's own needs what is taken away here. Its Request needs WeakRef and FinalizationRegistry, which stay.
  globalThis.fetch = (url, { method, headers, body, signal }) => new Promise((resolve, reject) => {
    const request = http.request(url, { method, headers, signal }, async (response) => {
      const chunks = [];
      for await (const chunk of response) chunks.push(chunk);
      const { statusCode: status } = response;
      const text = async () => Buffer.concat(chunks).toString();
      resolve({ status, ok: status >= 200 && status < 300, headers: new Headers(response.headers), url, text });
    });
    request.on("error", (error) => reject(signal.aborted ? signal.reason : error)).end(body);
  });
  const missing = ["AggregateError", "Blob", "CompressionStream", "ReadableStream",
    "TextDecoder", "TransformStream", "WritableStream", "crypto", "structuredClone"];
  for (const name of missing) delete globalThis[name];
  for (const name of ["any", "timeout"]) delete AbortSignal[name];
  delete AbortSignal.prototype.throwIfAborted;
  delete URL.canParse;
  delete Intl.Segmenter;
  for (const name of ["findLast", "toSorted", "toReversed", "with"]) delete Array.prototype[name];
  const { Symbol } = globalThis;
  const { asyncIterator } = Symbol;
  globalThis.Symbol = new Proxy((text) => Symbol(text), {
    get: (_target, name) => (name === "asyncIterator" || name === "asyncDispose" ? undefined : Symbol[name]),
  });
  module.exports = asyncIterator;
`;

test("the packed package works in a poor runtime, and throws its own errors for features that need more", async () => {
  copyFileSync(join(root, "scripts/runtimes/program.js"), join(installed, "program.mjs"));
  writeFileSync(join(installed, "poor.cjs"), POOR);
  const service = await startService();
  onTestFinished(() => service.close());
  const program = `
    import asyncIterator from "./poor.cjs";
    const { program } = await import("./program.mjs");
    const { Page, PagePromise } = await import("notetaker-sdk");
    // What Babel makes of generators and loops uses this name; V8 uses the symbol.
    Object.getPrototypeOf(async function* () {}).prototype["@@asyncIterator"] = function () { return this; };
    for (const { prototype } of [Page, PagePromise]) prototype[asyncIterator] = prototype["@@asyncIterator"];
    process.stdout.write(JSON.stringify(await program(${JSON.stringify(service)})));
  `;
  writeFileSync(join(installed, "poor.mjs"), program);
  const { stdout } = await promisify(execFile)(process.execPath, ["poor.mjs"], { cwd: installed });
  const noStreams = "this runtime has no streams (ReadableStream)";
  expect(JSON.parse(stdout)).toEqual({
    list: "yes",
    upload: "yes",
    stream: expect.stringContaining(`no: InvalidArgumentError: meetings.upload: source: ${noStreams}`),
    retry: "yes",
    download: expect.stringContaining(`no: ConfigurationError: meetings.downloadRecording: ${noStreams}`),
    errors: "yes",
    abort: "yes",
    webhook: expect.stringContaining("no: ConfigurationError: this runtime has no Web Crypto"),
    captions: "yes",
    redirects: "yes",
  });
  expect(service.astray()).toBe(0);
});
