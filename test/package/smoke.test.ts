/** The packed package in an empty folder: both kinds of modules make calls, and a program with its types compiles. */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, inject, test } from "vitest";
import { compile } from "../support/compile.js";
import { root } from "../support/run-program.js";

const installed = inject("installed");

/** Runs a program in the folder in which the package is installed. */
function run(name: string, source: string): string {
  writeFileSync(join(installed, name), source);
  return execFileSync(process.execPath, [name], { cwd: installed, encoding: "utf8", env: {} });
}

const NAMES = {
  "notetaker-sdk": "Notetaker, NotFoundError",
  "notetaker-sdk/testing": "createEmulator",
  "notetaker-sdk/webhooks": "sign, verify",
  "notetaker-sdk/transcript": "toText",
  "notetaker-sdk/node": "fromPath",
  "notetaker-sdk/browser": "xhrFetch",
  "notetaker-sdk/redis": "redisDedupe",
  "notetaker-sdk/sql": "sqliteStore",
  "notetaker-sdk/tools": "tools",
  "notetaker-sdk/doctor": "diagnose",
};

const PROGRAM = `
const service = createEmulator();
const notetaker = new Notetaker({ baseUrl: service.baseUrl, token: service.token, fetch: service.fetch });
(async () => {
  const titles = [];
  for await (const room of notetaker.rooms.list({ limit: 1, expand: ["meetings"] })) titles.push(room.title);
  const [meeting] = await notetaker.meetings.list({ status: "completed" }).toArray({ max: 1 });
  const retried = [];
  service.faults.next("GET /meetings/:id/transcript", { status: 429, retryAfterSeconds: 0 });
  const client = notetaker.withOptions({ onRetry: ({ error }) => retried.push(error.name) });
  const text = toText(await client.meetings.getTranscript(meeting.id));
  const missing = await notetaker.meetings.getTranscript("mtg_nothing").catch((error) => error);
  const body = '{"event":"meeting.transcript_ready","id":"mtg_1"}';
  const event = await verify(body, { "x-webhook-signature": await sign(body, "secret") }, "secret");
  console.log(JSON.stringify({
    pages: titles.length > 1,
    retried,
    text: text.length > 0,
    notFound: missing instanceof NotFoundError && missing.status === 404,
    event: event.kind + " " + event.meetingId,
    others: [fromPath, xhrFetch, redisDedupe, sqliteStore, tools, diagnose].map((value) => typeof value).join(),
  }));
})();
`;

const EXPECTED = {
  pages: true,
  retried: ["RateLimitedError"],
  text: true,
  notFound: true,
  event: "meeting.transcript_ready mtg_1",
  others: "function,function,function,function,function,function",
};

test("can be imported in an ES module", () => {
  const imports = Object.entries(NAMES).map(([from, names]) => `import { ${names} } from "${from}";\n`);
  expect(JSON.parse(run("smoke.mjs", imports.join("") + PROGRAM))).toEqual(EXPECTED);
});

test("can be required in CommonJS", () => {
  const requires = Object.entries(NAMES).map(([from, names]) => `const { ${names} } = require("${from}");\n`);
  expect(JSON.parse(run("smoke.cjs", requires.join("") + PROGRAM))).toEqual(EXPECTED);
});

test("has types that compile under the strictest options", () => {
  const program = readFileSync(join(root, "scripts/types-versions/program.ts"), "utf8");
  expect(compile({ "program.ts": program }, { module: "nodenext" })).toBe("");
});
