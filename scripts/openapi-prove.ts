/**
 * `npm run openapi:prove`: checks openapi.json with an independent validator. Prism is a proxy between the client and
 * the emulator. It validates the requests and responses of the whole tour and of every operation, and must not object
 * to any. The script first installs Prism into the system's temporary folder (about 120 MB).
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Notetaker } from "notetaker-sdk";
import { aWebhook, createEmulator, type Emulator } from "notetaker-sdk/testing";
import { OPERATIONS } from "./openapi/operations.js";

const PRISM = "@stoplight/prism-cli@5.14.2";
const root = fileURLToPath(new URL("..", import.meta.url));
const specification = join(root, "openapi.json");

/** A request and its response, with Prism's verdict. */
interface Exchange {
  /** For example `GET /rooms?limit=2`. */
  request: string;
  status: number;
  /** Prism's objections as JSON; `undefined` if it has none. */
  objections: string | undefined;
}

function installedPrism(): string {
  const folder = join(tmpdir(), PRISM.replaceAll(/\W+/g, "-"));
  const cli = join(folder, "node_modules/@stoplight/prism-cli/dist/index.js");
  if (existsSync(cli)) return cli;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
  const args = ["install", "--no-fund", "--no-audit", "--ignore-scripts", PRISM];
  execFileSync("npm", args, {
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit"],
    shell: process.platform === "win32",
  });
  return cli;
}

/** Starts Prism on any free port. Resolves when it listens. */
async function startPrism(upstream: string): Promise<{ child: ChildProcess; port: number; log: string[] }> {
  const args = [installedPrism(), "proxy", specification, upstream, "--port", "0", "--host", "127.0.0.1"];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
  const log: string[] = [];
  const port = await new Promise<number>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      log.push(String(chunk));
      const match = /listening on http:\/\/127\.0\.0\.1:(\d+)/.exec(log.join(""));
      if (match !== null) resolve(Number(match[1]));
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    child.once("exit", () => reject(new Error(`Prism did not start:\n${log.join("")}`)));
  });
  return { child, port, log };
}

/**
 * Starts a server that removes `/v1` from paths and passes requests to Prism. The client requires `/v1` in the base
 * URL, but Prism serves the paths of the document without it.
 */
async function listenBefore(prismPort: number, exchanges: Exchange[]) {
  const pass = (incoming: IncomingMessage, answer: ServerResponse) => {
    const path = (incoming.url ?? "").replace(/^\/v1/, "");
    const { method, headers } = incoming;
    const outgoing = request({ host: "127.0.0.1", port: prismPort, method, path, headers }, (response) => {
      const { statusCode = 0 } = response;
      const objections = response.headers["sl-violations"];
      exchanges.push({
        request: `${method} ${path}`,
        status: statusCode,
        objections: Array.isArray(objections) ? objections.join() : objections,
      });
      answer.writeHead(statusCode, response.headers);
      response.pipe(answer);
    });
    outgoing.on("error", (error) => answer.destroy(error));
    incoming.pipe(outgoing);
  };
  const server = createServer(pass).listen(0, "127.0.0.1");
  await once(server, "listening");
  return { server, baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` };
}

async function runTour(baseUrl: string, token: string): Promise<void> {
  const child = spawn(process.execPath, ["--import", import.meta.resolve("tsx"), "examples/tour.ts", "--write"], {
    cwd: root,
    env: { ...process.env, NOTETAKER_BASE_URL: baseUrl, NOTETAKER_TOKEN: token },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const [exitCode] = (await once(child, "close")) as [number | null];
  if (exitCode !== 0) throw new Error(`the tour failed with ${exitCode}`);
}

/**
 * Calls each operation once, with each parameter of the lists, and provokes each status that a valid request can get.
 */
async function callEverything(service: Emulator, baseUrl: string, token: string): Promise<void> {
  const notetaker = new Notetaker({ baseUrl, token, maxRetries: 0 });
  const { data } = await notetaker.meetings.list({ scope: "owned", status: "completed", expand: ["documents"] });
  const [event] = await notetaker.meetings.upcoming();
  const meetingId = data[0]?.id ?? "";
  const account = { service, meetingId, documentId: data[0]?.documents[0]?.id ?? "", eventId: event?.id ?? "" };
  for (const { call } of OPERATIONS) await call(notetaker, account);

  const rooms = await notetaker.rooms.list({ scope: "all", search: "o", limit: 100 });
  await notetaker.rooms.list({ ids: rooms.data.map(({ id }) => id), expand: ["documents", "meetings"] });
  for await (const _ of notetaker.meetings.list({ limit: 3 }));
  await notetaker.meetings.list({
    ids: [meetingId],
    scope: "owned",
    status: "completed",
    start_date: "2025-01-01",
    end_date: "2026-01-01",
    search: "e",
    q: "design",
    participant: "Ada",
    company: "Lovelace",
    expand: ["documents"],
  });
  await notetaker.meetings.list({ room_id: rooms.data[0]?.id ?? "" });
  for (const format of ["html", "markdown", "raw", "docx", "json"] as const) {
    await notetaker.documents.get(account.documentId, { format });
  }

  // The pattern in the document allows this id, but the service refuses it. The client would not send it.
  await fetch(`${baseUrl}/documents/doc_..`, { headers: { authorization: `Bearer ${token}` } });
  const shared = await notetaker.meetings.list({ scope: "shared", limit: 1 });
  const refusals = [
    () => notetaker.withOptions({ token: "unknown" }).rooms.list(),
    () => notetaker.meetings.getTranscript("mtg_unknown"),
    () => notetaker.permissions.list(shared.data[0]?.id ?? ""),
    ...[400, 429, 500, 503].map((status) => () => {
      service.faults.next("GET /rooms", { status });
      return notetaker.rooms.list();
    }),
  ];
  for (const refusal of refusals) {
    const failed = await refusal().then(
      () => false,
      () => true,
    );
    if (!failed) throw new Error(`expected an error: ${refusal}`);
  }
}

/**
 * Whether an exchange belongs to a route: `GET /meetings/mtg_1/transcript?x=1` belongs to `GET
 * /meetings/{meeting_id}/transcript`.
 */
const isOf = (route: string) => {
  const pattern = new RegExp(`^${route.replaceAll(/\{\w+\}/g, "[^/?]+")}(\\?|$)`);
  return ({ request }: Exchange) => pattern.test(request);
};

function report(exchanges: readonly Exchange[], log: readonly string[]): boolean {
  const { paths } = JSON.parse(readFileSync(specification, "utf8")) as { paths: Record<string, object> };
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const unseen = routes.filter((route) => !exchanges.some(isOf(route)));
  const objected = exchanges.filter(({ objections }) => objections !== undefined);
  for (const { request, status, objections } of objected) console.log(`${request} ${status}: ${objections}`);
  const complaints = log
    .join("")
    .split("\n")
    // At its start Prism prints each operation with a URL of random words, and "error" can be one of them.
    .filter((line) => !/\[CLI\]\W+info\s/.test(line))
    .filter((line) => /violation|\berror\b|\bwarn/i.test(line));
  for (const line of complaints) console.log(line);
  const statuses = [...new Set(exchanges.map(({ status }) => status))].sort();
  console.log(`${exchanges.length} requests of ${routes.length - unseen.length} of ${routes.length} operations`);
  console.log(`statuses: ${statuses.join(", ")}`);
  if (unseen.length > 0) console.log(`never seen: ${unseen.join(", ")}`);
  console.log(`objections: ${objected.length}, lines of Prism's log that complain: ${complaints.length}`);
  return objected.length === 0 && complaints.length === 0 && unseen.length === 0;
}

/** Checks that Prism objects to a wrong request and to a wrong response. Otherwise the check would prove nothing. */
async function objectsToWrongOnes(baseUrl: string, oddToken: string, token: string, exchanges: Exchange[]) {
  exchanges.length = 0;
  const send = (path: string, bearer: string) =>
    fetch(`${baseUrl}${path}`, { headers: { authorization: `Bearer ${bearer}` } });
  await send("/rooms?limit=500", token);
  await send("/webhooks", oddToken);
  const found = exchanges.map(({ objections }) => objections !== undefined);
  console.log(`objects to a wrong request: ${found[0]}, to a wrong answer: ${found[1]}`);
  return found.length === 2 && found.every(Boolean);
}

const [token, oddToken] = ["token-1", "token-2"];
const oddSeed = { webhooks: [aWebhook({ extra: { url: 5 } })] };
const service = createEmulator({ accounts: { [token]: 1, [oddToken]: oddSeed } });
const { url, close } = await service.listen({ port: 0 });
const prism = await startPrism(url);
const exchanges: Exchange[] = [];
const { server, baseUrl } = await listenBefore(prism.port, exchanges);
try {
  await runTour(baseUrl, token);
  console.log(`the tour: ${exchanges.length} requests`);
  await callEverything(service, baseUrl, token);
  const clean = report(exchanges, prism.log);
  const strict = await objectsToWrongOnes(baseUrl, oddToken, token, exchanges);
  process.exitCode = clean && strict ? 0 : 1;
} finally {
  prism.child.kill();
  server.close();
  server.closeAllConnections();
  await close();
}
