/** `npx notetaker-sdk emulator` and `trigger`, from the packed tarball in an empty folder. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, inject, onTestFinished, test } from "vitest";
import { httpServer, listening } from "../support/servers.js";

const installed = inject("installed");
const command = join(installed, "node_modules/.bin/notetaker-sdk");

async function printed(child: ChildProcess, pattern: RegExp): Promise<string> {
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => (output += String(chunk)));
  while (!pattern.test(output)) {
    if (child.exitCode !== null) throw new Error(`ended with ${child.exitCode} before ${pattern}: ${output}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return output;
}

/** Starts the emulator on a free port. `get` requests a path with its token, or another one. */
async function started(...args: string[]) {
  const child = spawn(command, ["emulator", "--port", "0", ...args], { cwd: installed });
  onTestFinished(() => void child.kill("SIGKILL"));
  const output = await printed(child, /token: +\S+\n/);
  const url = /address: +(\S+)/.exec(output)?.[1] ?? "";
  const tokens = [...output.matchAll(/token: +(\S+)/g)].map(([, value = ""]) => value);
  const headers = { authorization: `Bearer ${tokens[0]}`, "content-type": "application/json" };
  const get = async (path: string, token = tokens[0]) =>
    (await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${token}` } })).json();
  return { child, url, tokens, headers, get };
}

/** Runs the command to its end, while servers of this process respond. */
async function ended(...args: string[]) {
  const child = spawn(command, args, { env: { ...process.env, NOTETAKER_WEBHOOK_SECRET: "whsec_1" } });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += String(chunk)));
  const [status] = await once(child, "close");
  return { status, output };
}

test("the emulator prints its URL, responds, and logs one line per request without the token", async () => {
  const { child, url, tokens, get } = await started();
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1$/);
  const logged = printed(child, / 401\n/);
  expect(await get("/rooms?limit=1")).toMatchObject({ data: [{ title: "Product" }], has_more: true });
  await get("/rooms", "unknown");
  const log = await logged;
  expect(log).toContain("GET /v1/rooms?limit=1 200\nGET /v1/rooms 401\n");
  expect(log).not.toContain(tokens[0]);
});

test("the emulator uses the given token and seed file, also with several accounts", async () => {
  writeFileSync(join(installed, "seed.json"), JSON.stringify({ rooms: [{ id: "room_mine", title: "Mine" }] }));
  const webhook = ["--webhook", "http://127.0.0.1:9/hooks", "--webhook-secret", "whsec_mine"];
  const { tokens, get } = await started("--token", "my-token", "--seed", "seed.json", ...webhook);
  expect(tokens).toEqual(["my-token"]);
  expect(await get("/rooms")).toMatchObject({ data: [{ id: "room_mine", title: "Mine" }] });
  expect(await get("/webhooks")).toMatchObject([{ url: "http://127.0.0.1:9/hooks", enabled: true }]);

  const accounts = { "token-a": { rooms: [{ title: "A" }] }, "token-b": { rooms: [{ title: "B" }] } };
  writeFileSync(join(installed, "accounts.json"), JSON.stringify({ accounts }));
  const shared = await started("--seed", "accounts.json");
  expect(shared.tokens).toEqual(["token-a", "token-b"]);
  for (const [token, { rooms }] of Object.entries(accounts))
    expect(await shared.get("/rooms", token)).toMatchObject({ data: rooms });
});

test("the emulator runs faster with --speed, has no rate limits with --limits none, and control routes with --control", async () => {
  const { url, headers, get } = await started("--speed", "600", "--limits", "none", "--control");
  // The call takes 67 s of the emulator's time, which is a tenth of a second here.
  const completed = async () =>
    ((await get("/meetings?status=completed&limit=100")) as { data: unknown[] }).data.length;
  const body = JSON.stringify({ meeting_url: "https://zoom.us/j/123456" });
  const before = await completed();
  for (let sent = 0; sent < 11; sent++)
    expect((await fetch(`${url}/meetings/bot`, { method: "POST", headers, body })).status).toBe(202);
  await expect.poll(completed, { timeout: 60_000 }).toBeGreaterThan(before);
  const clock = { method: "POST", headers, body: '{"advance":3600000}' };
  expect(await (await fetch(new URL("/_emulator/clock", url), clock)).json()).toEqual({ now: expect.any(Number) });
});

test("the emulator names the option --cors if the preflight of a page is refused", async () => {
  const { child, url } = await started();
  const line = printed(child, /--cors http:\/\/localhost:5173/);
  const headers = { origin: "http://localhost:5173", "access-control-request-method": "GET" };
  await fetch(`${url}/rooms`, { method: "OPTIONS", headers });
  await line;
});

test("the command has the version of the package, and exits with 1 if the emulator cannot start", async () => {
  const { version } = JSON.parse(readFileSync(join(installed, "node_modules/notetaker-sdk/package.json"), "utf8"));
  expect(execFileSync(command, ["--version"], { encoding: "utf8" })).toBe(`${version}\n`);
  const { port } = new URL(await listening(createServer()));
  const output = expect.stringMatching(/^notetaker-sdk emulator: [^\n]*EADDRINUSE[^\n]*\n$/);
  expect(await ended("emulator", "--port", port)).toEqual({ status: 1, output });
});

const isRunning = (pid: number) => {
  try {
    process.kill(pid, 0);
    // In a container without an init process, a process that has exited remains as a zombie.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch (error) {
    return (error as { code?: string }).code === "ENOENT";
  }
};

test.each([
  ["exits", []],
  ["keeps running with --detached", ["--detached"]],
])("the emulator %s when the process that started it has exited", async (_, options) => {
  const args = JSON.stringify(["emulator", "--port", "0", ...options]);
  const program = `require("child_process").spawn(${JSON.stringify(command)}, ${args}, { stdio: "inherit" })
    .on("spawn", function () { console.log("pid: " + this.pid + ";"); })`;
  const parent = spawn(process.execPath, ["-e", program], { cwd: installed });
  const output = await printed(parent, /token: +\S+\n/);
  const pid = Number(/pid: (\d+);/.exec(output)?.[1]);
  onTestFinished(() => void (isRunning(pid) && process.kill(pid, "SIGKILL")));
  expect(isRunning(pid)).toBe(true);
  parent.kill("SIGKILL");
  await once(parent, "exit");
  if (options.length === 0) return expect.poll(() => isRunning(pid), { timeout: 60_000 }).toBe(false);
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  expect(isRunning(pid)).toBe(true);
});

test.each([
  [
    [503, 200],
    0,
    /^status 503 after \d+ ms; next attempt in 1 s\nstatus 200 after \d+ ms\naccepted after 2 attempts\n$/,
  ],
  [[401], 1, /^status 401 after \d+ ms\nnot accepted after 1 attempt\n$/],
])("trigger sends an event, retries it, and says how the endpoint responded: %j", async (statuses, status, output) => {
  let count = 0;
  const url = await httpServer((request, response) => {
    request.resume();
    request.once("end", () => response.writeHead(statuses[count++] ?? 200).end());
  });
  expect(await ended("trigger", "meeting.transcript_ready", "--to", `${url}/hooks`, "--id", "mtg_1")).toEqual({
    status,
    output: expect.stringMatching(output),
  });
});

test("trigger sends to another host only with --allow", async () => {
  const { status, output } = await ended("trigger", "meeting.transcript_ready", "--to", "https://example.com/hooks");
  expect(output).toContain("example.com is not this machine");
  expect(status).toBe(1);
  expect(output).not.toContain("whsec_1");
});
