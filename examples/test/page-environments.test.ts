/** The package can be loaded in jest's page environments: its CommonJS files, in a context of jsdom or happy-dom. */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runFolder } from "./support/run-folder.js";

/** Loads modules as jest does: each module is a function of `require`, in the context of the page. */
const LOADER = `
  const { readFileSync } = require("node:fs");
  const { createRequire } = require("node:module");
  const vm = require("node:vm");
  const cache = new Map();
  function load(file, context) {
    if (cache.has(file)) return cache.get(file).exports;
    const module = { exports: {} };
    cache.set(file, module);
    const resolve = createRequire(file).resolve;
    const code = "(function (module, exports, require) {" + readFileSync(file, "utf8") + "\\n})";
    const body = vm.runInContext(code, context, { filename: file });
    body(module, module.exports, (name) => load(resolve(name), context));
    return module.exports;
  }
  const resolve = createRequire(__filename).resolve;
  module.exports = async (context) => {
    const [sdk, transcript, webhooks] = ["", "/transcript", "/webhooks"].map((entry) =>
      load(resolve("notetaker-sdk" + entry), context));
    const response = { status: 404, ok: false, headers: { get: () => null }, body: undefined,
      text: async () => '{"error":{"code":"not_found","message":"resource not found"}}' };
    const options = { baseUrl: "https://api.example.com/v1", token: "tok_of_a_page", fetch: async () => response };
    const error = await new sdk.Notetaker(options).webhooks.list().catch((error) => error);
    console.log(JSON.stringify({ name: error.name, code: error.code, status: error.status,
      captions: transcript.toVtt({ meeting_id: "mtg_1", language: "en", speakers: [], segments: [] }).trim(),
      receiver: typeof webhooks.createReceiver({ secrets: "secret" }).handle }));
  };
`;

describe("the packed tarball in a page environment", () => {
  test.each([
    [
      "jsdom",
      `const { JSDOM } = require("jsdom");
       const context = new JSDOM("", { runScripts: "outside-only" }).getInternalVMContext();
       // jsdom has none of these: a test suite sets them. A polyfill of fetch brings no TextEncoder.
       Object.assign(context, { Headers, Request, Response, TextEncoder });`,
    ],
    [
      "happy-dom",
      `const { Window } = await import("happy-dom");
       const context = require("node:vm").createContext(new Window());`,
    ],
  ])("can be loaded in %s, and keeps the code of an error", (name, makeContext) => {
    const folder = runFolder();
    writeFileSync(join(folder, "load-in-page.cjs"), LOADER);
    const program = `(async () => { ${makeContext} await require("./load-in-page.cjs")(context); process.exit(0); })();`;
    writeFileSync(join(folder, `${name}.cjs`), program);
    const { stdout, stderr } = spawnSync(process.execPath, [`${name}.cjs`], { cwd: folder, encoding: "utf8" });
    expect(stderr).toBe("");
    expect(JSON.parse(stdout)).toEqual({
      name: "NotFoundError",
      code: "not_found",
      status: 404,
      captions: "WEBVTT",
      receiver: "function",
    });
  });
});
