/** `npx notetaker-sdk emulator`, from the packed tarball in an empty folder. */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { listening } from "../support/servers.js";
import { command, ended, installed, printed, started } from "./emulator-process.js";

const isRunning = (pid: number) => {
  try {
    process.kill(pid, 0);
    // In a container without an init process, a process that has exited remains as a zombie.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch (error) {
    return (error as { code?: string }).code === "ENOENT";
  }
};

test("prints its URL and token, responds, and logs one line per request without the token", async () => {
  const { child, url, token, headers } = await started();
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1$/);
  const logged = printed(child, / 401\n/);
  const rooms = await fetch(`${url}/rooms?limit=1`, { headers });
  expect((await rooms.json()) as object).toMatchObject({ data: [{ title: "Product" }], has_more: true });
  expect((await fetch(`${url}/rooms`)).status).toBe(401);
  const log = await logged;
  expect(log).toContain("GET /v1/rooms?limit=1 200\nGET /v1/rooms 401\n");
  expect(log).not.toContain(token);
});

test("uses the given token and seed file, also with several accounts", async () => {
  writeFileSync(join(installed, "seed.json"), JSON.stringify({ rooms: [{ id: "room_mine", title: "Mine" }] }));
  const webhook = ["--webhook", "http://127.0.0.1:9/hooks", "--webhook-secret", "whsec_mine"];
  const { url, token, headers } = await started("--token", "my-token", "--seed", "seed.json", ...webhook);
  expect(token).toBe("my-token");
  const rooms = await fetch(`${url}/rooms`, { headers });
  expect((await rooms.json()) as object).toMatchObject({ data: [{ id: "room_mine", title: "Mine" }] });
  const webhooks = await fetch(`${url}/webhooks`, { headers });
  expect(await webhooks.json()).toMatchObject([{ url: "http://127.0.0.1:9/hooks", enabled: true }]);

  const accounts = { "token-a": { rooms: [{ title: "A" }] }, "token-b": { rooms: [{ title: "B" }] } };
  writeFileSync(join(installed, "accounts.json"), JSON.stringify({ accounts }));
  const shared = await started("--seed", "accounts.json");
  expect([shared.token, ...shared.otherTokens]).toEqual(["token-a", "token-b"]);
  for (const [name, { rooms }] of Object.entries(accounts)) {
    const response = await fetch(`${shared.url}/rooms`, { headers: { authorization: `Bearer ${name}` } });
    expect(await response.json()).toMatchObject({ data: rooms });
  }
});

test("lists its commands, prints the version and the options of a command, and exits with 1 if it cannot start", async () => {
  const print = (...args: string[]) => execFileSync(command, args, { encoding: "utf8" });
  const { version } = JSON.parse(readFileSync(join(installed, "node_modules/notetaker-sdk/package.json"), "utf8"));
  expect(print("--version")).toBe(`${version}\n`);
  expect(print()).toContain("trigger ");
  expect(print("emulator", "--help")).toContain("--allow-host");
  const { port } = new URL(await listening(createServer()));
  expect(await ended(["emulator", "--port", port])).toEqual({
    status: 1,
    output: expect.stringMatching(/^notetaker-sdk emulator: [^\n]*EADDRINUSE[^\n]*\n$/),
  });
});

test("runs faster with --speed, has no rate limits with --limits none, and has control routes with --control", async () => {
  const { url, headers } = await started("--speed", "600", "--limits", "none", "--control");
  // The call takes 67 s of the emulator's time, which is a tenth of a second here.
  const completed = async () =>
    ((await (await fetch(`${url}/meetings?status=completed&limit=100`, { headers })).json()) as { data: [] }).data;
  const body = JSON.stringify({ meeting_url: "https://zoom.us/j/123456" });
  const json = { ...headers, "content-type": "application/json" };
  const before = (await completed()).length;
  for (let sent = 0; sent < 11; sent++) {
    expect((await fetch(`${url}/meetings/bot`, { method: "POST", headers: json, body })).status).toBe(202);
  }
  await expect.poll(async () => (await completed()).length, { timeout: 60_000 }).toBeGreaterThan(before);
  const requests = await fetch(new URL("/_emulator/requests", url), { headers });
  expect(requests.status).toBe(200);
  const clock = { method: "POST", headers: json, body: '{"advance":3600000}' };
  expect(await (await fetch(new URL("/_emulator/clock", url), clock)).json()).toEqual({ now: expect.any(Number) });
});

test("names the option --cors if the preflight of a page is refused", async () => {
  const { child, url } = await started();
  const headers = { origin: "http://localhost:5173", "access-control-request-method": "GET" };
  const line = printed(child, /--cors http:\/\/localhost:5173/);
  await fetch(`${url}/rooms`, { method: "OPTIONS", headers });
  await line;
});

test.each([
  ["exits", false],
  ["keeps running with --detached", true],
])("%s when the process that started it has exited", async (_, detached) => {
  const args = ["emulator", "--port", "0", ...(detached ? ["--detached"] : [])];
  const parent = spawn(
    process.execPath,
    [
      "-e",
      `require("child_process").spawn(${JSON.stringify(command)}, ${JSON.stringify(args)}, { stdio: "inherit" }).on("spawn", function () { console.log("pid: " + this.pid + ";"); })`,
    ],
    { cwd: installed },
  );
  const output = await printed(parent, /token: +\S+\n/);
  const pid = Number(/pid: (\d+);/.exec(output)?.[1]);
  onTestFinished(() => void (isRunning(pid) && process.kill(pid, "SIGKILL")));
  expect(isRunning(pid)).toBe(true);
  parent.kill("SIGKILL");
  await once(parent, "exit");
  if (detached) {
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(isRunning(pid)).toBe(true);
  } else {
    await expect.poll(() => isRunning(pid), { timeout: 60_000 }).toBe(false);
  }
});
