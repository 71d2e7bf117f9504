/**
 * Runs the packed package on each runtime that can be installed from npm, and prints what it came to: `npm run
 * runtimes`. It installs some 500 MB into a temporary folder, so it is no part of the tests.
 */
import { execFile, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "notetaker-runtimes-"));
const npm = (...args: string[]) =>
  execFileSync("npm", args, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
const bin = (name: string) => join(folder, "node_modules/.bin", name);

execFileSync("npm", ["run", "build"], { cwd: root, stdio: "ignore" });
npm("pack", root, "--ignore-scripts");
npm("init", "--yes");
npm(
  "install",
  ...readdirSync(folder)
    .filter((name) => name.endsWith(".tgz"))
    .map((name) => `./${name}`),
);
npm("install", "bun", "deno", "workerd", "@edge-runtime/vm", "node22@npm:node@22", "node24@npm:node@24");

/** Redirects every request to an address where nothing may arrive. */
let astray = 0;
const redirecting = createServer((request, response) => {
  if (request.url === "/astray") astray += 1;
  response.writeHead(302, { location: "/astray" }).end();
});
await new Promise<void>((resolve) => redirecting.listen(0, "127.0.0.1", resolve));
const port = (redirecting.address() as AddressInfo).port;

const scenario = `
import { NotFoundError, Notetaker } from "notetaker-sdk";
import { createEmulator } from "notetaker-sdk/testing";
import { sign, verify } from "notetaker-sdk/webhooks";

// At module level, as edge workers want it.
const elsewhere = new Notetaker({ baseUrl: "http://127.0.0.1:${port}/v1", token: "token", maxRetries: 0 });

export async function scenario() {
  const service = createEmulator();
  const notetaker = new Notetaker({ baseUrl: service.baseUrl, token: service.token, fetch: service.fetch });
  const rooms = [];
  for await (const room of notetaker.rooms.list({ limit: 2, expand: ["meetings"] })) rooms.push(room.id);
  const missing = await notetaker.meetings.getTranscript("mtg_nothing").catch((error) => error);
  const upload = await notetaker.meetings.upload(new Uint8Array(1000), { contentType: "audio/wav" });
  const body = '{"event":"meeting.transcript_ready","id":"mtg_1"}';
  const event = await verify(body, await sign(body, "secret"), "secret");
  const redirected = await elsewhere.rooms.list().catch((error) => error);
  const fine = rooms.length > 2 && missing instanceof NotFoundError && upload.status === "processing"
    && event.meetingId === "mtg_1" && redirected.name === "ConnectionError";
  return fine ? "fine" : JSON.stringify({ rooms, missing, upload, event, redirected });
}
`;
writeFileSync(join(folder, "scenario.mjs"), scenario);
writeFileSync(join(folder, "run.mjs"), 'import { scenario } from "./scenario.mjs";\nconsole.log(await scenario());\n');

/** Not the synchronous form: the redirecting server answers from this process. */
const run = async (command: string, args: string[]) =>
  (await promisify(execFile)(command, args, { cwd: folder })).stdout.trim();
const bundle = async (source: string, file: string, format: "esm" | "iife") => {
  const options = {
    stdin: { contents: source, resolveDir: folder },
    outfile: join(folder, file),
    external: ["node:*"],
  };
  await build({
    ...options,
    bundle: true,
    format,
    platform: "neutral",
    mainFields: ["module", "main"],
    logLevel: "error",
  });
};

async function workerd(): Promise<string> {
  await bundle(
    'import { scenario } from "./scenario.mjs";\nexport default { fetch: async () => new Response(await scenario().catch(String)) };',
    "worker.js",
    "esm",
  );
  const config = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .worker), (name = "internet", network = (allow = ["public", "private", "local"]))],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")]
);
const worker :Workerd.Worker = (modules = [(name = "worker.js", esModule = embed "worker.js")], compatibilityDate = "2026-01-01");
`;
  writeFileSync(join(folder, "config.capnp"), config);
  const child = spawn(bin("workerd"), ["serve", "config.capnp", "--control-fd=3"], {
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit", "pipe"],
  });
  try {
    const listening = await new Promise<string>((resolve) =>
      child.stdio[3]!.once("data", (chunk) => resolve(String(chunk))),
    );
    const { port } = JSON.parse(listening) as { port: number };
    return await (await fetch(`http://127.0.0.1:${port}/`)).text();
  } finally {
    child.kill();
  }
}

async function edgeRuntime(): Promise<string> {
  await bundle('import { scenario } from "./scenario.mjs";\nglobalThis.result = scenario();', "edge.js", "iife");
  const program = `
    const { EdgeVM } = require("@edge-runtime/vm");
    const vm = new EdgeVM();
    vm.evaluate(require("node:fs").readFileSync("edge.js", "utf8"));
    vm.evaluate("result").then((said) => console.log(said));
  `;
  writeFileSync(join(folder, "edge.cjs"), program);
  return run(process.execPath, ["edge.cjs"]);
}

const runtimes: Record<string, () => Promise<string>> = {
  [`node ${process.version}`]: () => run(process.execPath, ["run.mjs"]),
  "node 22": () => run(join(folder, "node_modules/node22/bin/node"), ["run.mjs"]),
  "node 24": () => run(join(folder, "node_modules/node24/bin/node"), ["run.mjs"]),
  bun: () => run(bin("bun"), ["run.mjs"]),
  deno: () => run(bin("deno"), ["run", "--node-modules-dir=manual", "--no-lock", "--allow-all", "run.mjs"]),
  "workerd (Cloudflare Workers)": workerd,
  "edge-runtime (Vercel)": edgeRuntime,
};

let failed = false;
for (const [name, check] of Object.entries(runtimes)) {
  const said = await check().catch((error: unknown) => String(error));
  failed ||= said !== "fine";
  console.log(`${name}: ${said}`);
}
console.log(`${astray} requests followed a redirect`);
redirecting.close();
rmSync(folder, { recursive: true, force: true });
process.exitCode = failed || astray > 0 ? 1 : 0;
