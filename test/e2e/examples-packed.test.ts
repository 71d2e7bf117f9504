/** Every program of examples/, run with the packed package instead of the source. */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, posix } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { sign } from "notetaker-sdk/webhooks";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { toneWav } from "../../examples/tour/wav.js";
import { hasRedis } from "../redis/support/redis-server.js";
import { root, runProgram } from "../support/run-program.js";

/** The other packages that the examples import. */
const PACKAGES = [
  "@langchain/core",
  "@modelcontextprotocol/sdk",
  "ai",
  "bullmq",
  "cli-progress",
  "esbuild",
  "express",
  "hono",
  "redis",
  "sql.js",
  "tsx",
];

let project = "";
beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), "examples-"));
  cpSync(join(root, "examples"), join(project, "examples"), {
    recursive: true,
    filter: (path) => !path.endsWith(join("examples", "recipes")),
  });
  writeFileSync(join(project, "package.json"), '{ "private": true, "type": "module" }');
  const link = (target: string, name: string) => {
    const path = join(project, "node_modules", name);
    mkdirSync(dirname(path), { recursive: true });
    symlinkSync(target, path, "junction");
  };
  link(join(inject("installed"), "node_modules/notetaker-sdk"), "notetaker-sdk");
  for (const name of PACKAGES) link(join(root, "node_modules", name), name);
});
afterAll(() => rmSync(project, { recursive: true, force: true }));

const SECRET = "whsec_of_the_examples";

/** Runs a program until it exits, against the emulator that it starts itself. */
async function run(file: string, args: readonly string[] = [], env: Record<string, string> = {}): Promise<string> {
  const { output, exitCode } = await runProgram(`examples/${file}`, args, env, project);
  expect(exitCode, output).toBe(0);
  return output;
}

/** Runs a short program that uses an example's exports. */
async function use(file: string, source: string): Promise<string> {
  const driver = `driver-${file.replaceAll(/\W/g, "-")}.ts`;
  writeFileSync(join(project, driver), `import * as example from "./examples/${file}";\n${source}`);
  const { output, exitCode } = await runProgram(driver, [], { NOTETAKER_WEBHOOK_SECRET: SECRET }, project);
  expect(exitCode, output).toBe(0);
  return output.trim();
}

const BODY = '{"event":"meeting.transcript_ready","id":"mtg_1"}';

/** Posts a valid delivery to a receiver's `fetch`-like function, and one with a wrong signature. */
const deliver = async (call: string) => `
  const post = (signature) => new Request("http://localhost/hooks/notetaker", {
    method: "POST", body: '${BODY}', headers: { "x-webhook-signature": signature },
  });
  const handle = ${call};
  const good = await handle(post("${await sign(BODY, SECRET)}"));
  const bad = await handle(post("${await sign(BODY, "other")}"));
  console.log(good.status, bad.status);
`;

/** Serves a node:http listener on a free port, and posts to it. */
const overHttp = (listener: string) => `
  async (request) => {
    const server = (await import("node:http")).createServer(${listener});
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address();
    const { method, headers } = request;
    const response = await fetch("http://127.0.0.1:" + port + "/hooks/notetaker", { method, headers, body: await request.text() });
    server.closeAllConnections();
    server.close();
    return response;
  }
`;

const RECEIVED = "The transcript of mtg_1 is ready.\n200 401";

const CASES: Record<string, () => Promise<void>> = {
  "archive-ndjson.ts": async () => {
    const file = join(project, "archive.ndjson");
    expect(await run("archive-ndjson.ts", [file])).toContain("11 new meetings in");
    expect(readFileSync(file, "utf8").trim().split("\n")).toHaveLength(12);
  },
  "archive-sqlite.ts": async () => {
    expect(await run("archive-sqlite.ts", [join(project, "archive.sqlite")])).toContain("11 meetings in");
  },
  "ask-transcript.ts": async () => {
    expect(await run("ask-transcript.ts", ["Who pays?"])).toMatch(/Part 1 of \d+ .*\[00:00:\d\d\] \S/s);
  },
  "calendar-bots.ts": async () => {
    expect(await run("calendar-bots.ts")).toMatch(/automation: MANUAL\n.*: scheduling\n.*: no bot\n/s);
  },
  "export-vault.ts": async () => {
    expect(await run("export-vault.ts", [join(project, "vault")])).toMatch(/^11 meetings in /);
  },
  "find-in-meetings.ts": async () => {
    expect(await run("find-in-meetings.ts", ["When is the onboarding flag on?", "--top", "1"])).toMatch(
      /^Weekly product sync, .*\n {2}\[\d\d:\d\d:\d\d\] \S/,
    );
  },
  "live-rooms/server.ts": async () => {
    const output = await use(
      "live-rooms/server.ts",
      `const { url, close } = await example.startLiveRooms({ port: 0 });
       const rooms = await (await fetch(url + "/api/rooms")).json();
       const page = await (await fetch(url)).text();
       console.log(rooms.length > 0, page.includes("<html"));
       await close();`,
    );
    expect(output).toBe("true true");
  },
  "receivers/cloudflare-worker.ts": async () => {
    const call = `(request) => example.default.fetch(request, { NOTETAKER_WEBHOOK_SECRET: "${SECRET}" }, { waitUntil() {} })`;
    expect(await use("receivers/cloudflare-worker.ts", await deliver(call))).toBe(RECEIVED);
  },
  "receivers/express.ts": async () => {
    expect(await use("receivers/express.ts", await deliver(overHttp("example.app")))).toBe(RECEIVED);
  },
  "receivers/hono.ts": async () => {
    expect(await use("receivers/hono.ts", await deliver("example.default.fetch"))).toBe(RECEIVED);
  },
  "receivers/next/app/api/notetaker/route.ts": async () => {
    expect(await use("receivers/next/app/api/notetaker/route.ts", await deliver("example.POST"))).toBe(RECEIVED);
  },
  "receivers/node-http.ts": async () => {
    const listener = `example.server.listeners("request")[0]`;
    expect(await use("receivers/node-http.ts", await deliver(overHttp(listener)))).toBe(RECEIVED);
  },
  "several-processes/main.ts": async () => {
    expect(await run("several-processes/main.ts")).toContain(
      "The reader heard 12 of 12 events, each of them handled once.",
    );
  },
  "several-processes/queue.ts": async () => {
    expect(await run("several-processes/queue.ts")).toContain("Jobs: 1.");
  },
  "tools/ai-agent.ts": async () => {
    const output = await use(
      "tools/ai-agent.ts",
      `import { MockLanguageModelV3 } from "ai/test";
       import { exampleClient } from "./examples/support/client.js";
       const usage = { inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 }, outputTokens: { total: 1, text: 1, reasoning: 0 } };
       const model = new MockLanguageModelV3({ doGenerate: async ({ prompt }) => prompt.length < 2
         ? { content: [{ type: "tool-call", toolCallId: "1", toolName: "find_meetings", input: '{"limit":1}' }], finishReason: { unified: "tool-calls", raw: "" }, usage, warnings: [] }
         : { content: [{ type: "text", text: JSON.stringify(prompt.at(-1)) }], finishReason: { unified: "stop", raw: "" }, usage, warnings: [] } });
       console.log(await example.answer(model, exampleClient(), "What was the last call?"));`,
    );
    expect(output).toContain("Panel discussion.mp3");
  },
  "tools/langchain.ts": async () => {
    const output = await use(
      "tools/langchain.ts",
      `import { exampleClient } from "./examples/support/client.js";
       const find = example.langchainTools(exampleClient()).find(({ name }) => name === "find_meetings");
       console.log(await find.invoke({ limit: 1 }));`,
    );
    expect(JSON.parse(output).meetings).toHaveLength(1);
  },
  "tools/mcp-server.ts": async () => {
    const client = new Client({ name: "test", version: "1.0.0" });
    const args = ["--import", import.meta.resolve("tsx"), "examples/tools/mcp-server.ts", "--write"];
    await client.connect(new StdioClientTransport({ command: process.execPath, args, cwd: project }));
    const call = async (name: string, input: Record<string, unknown>) => {
      const { content, isError } = await client.callTool({ name, arguments: input });
      const [part] = content as { text: string }[];
      expect(isError, part?.text).toBe(false);
      return JSON.parse(part?.text ?? "null");
    };
    const { meetings } = await call("find_meetings", { status: "completed", limit: 1 });
    const meeting_id = meetings[0].id;
    const shared = await call("share_meeting_with_anyone", { meeting_id });
    expect((await call("list_permissions", { meeting_id })).permissions).toMatchObject([{ id: shared.id }]);
    expect(await call("revoke_permission", { meeting_id, permission_id: shared.id })).toEqual({ revoked: true });
    expect((await call("list_permissions", { meeting_id })).permissions).toEqual([]);
    await client.close();
  },
  "tour.ts": async () => {
    expect(await run("tour.ts")).toContain("11 steps done, 0 skipped, 0 failed");
  },
  "upload.ts": async () => {
    const file = join(project, "call.wav");
    writeFileSync(file, toneWav(1));
    expect(await run("upload.ts", [file])).toMatch(/^\[00:00:\d\d\] .+: .+/m);
  },
  "upload-page/server.ts": async () => {
    const output = await use(
      "upload-page/server.ts",
      `const { url, close } = await example.startUploadPage({ port: 0 });
       const page = await (await fetch(url + "/page.js")).text();
       const list = await (await fetch(url + "/v1/meetings")).json();
       console.log(page.length > 10_000, list.data.length > 0);
       await close();`,
    );
    expect(output).toBe("true true");
  },
};

const NEEDS_REDIS = ["several-processes/main.ts", "several-processes/queue.ts"];

describe("with the packed package, the example works:", () => {
  for (const [file, check] of Object.entries(CASES)) {
    test.runIf(hasRedis || !NEEDS_REDIS.includes(file))(file, check);
  }
});

test("every example that no other example imports has a case in this test", () => {
  const files = readdirSync(join(root, "examples"), { recursive: true, encoding: "utf8" })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => path.endsWith(".ts") && !path.startsWith("recipes/"));
  const imported = files.flatMap((file) => {
    const source = readFileSync(join(root, "examples", file), "utf8");
    const names = [...source.matchAll(/(?:from |new URL\()"(\.[^"]+)\.[jt]s"/g)].map(([, name]) => name ?? "");
    return names.map((name) => posix.normalize(`${posix.dirname(file)}/${name}.ts`));
  });
  // The server bundles this file by its name.
  const parts = new Set([...imported, "upload-page/page.ts"]);
  expect(files.filter((file) => !parts.has(file)).sort()).toEqual(Object.keys(CASES).sort());
});
