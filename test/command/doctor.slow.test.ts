/** `npx notetaker-sdk doctor`: its output and its exit codes. */
import { expect, it } from "vitest";
import type { Report } from "../../src/doctor/report.js";
import { servedEmulator } from "../support/served-emulator.js";
import { httpServer } from "../support/servers.js";
import { type Environment, runCommand } from "./support.js";

const ASSUMPTIONS = {
  rooms: { ids: "ids[]", limit: "page_size" },
  documents: { format: "content_format" },
  meetings: { expand: "expand[]" },
} as const;

const SECRET = "tok_secret_0123456789";

/** The environment of a command whose service always responds with this. */
async function answering(status: number, type: string, body: string) {
  const url = await httpServer((_, response) => response.writeHead(status, { "content-type": type }).end(body));
  return { NOTETAKER_TOKEN: SECRET, NOTETAKER_BASE_URL: `${url}/v1` };
}

const run = (args: string[], env: Environment, options = {}) => runCommand(["doctor", ...args], env, options);

it("the command exits with 0 if no name differs, and prints one row for each name", async () => {
  const { env } = await servedEmulator();
  const { exitCode, stdout, stderr } = await run([], env);
  expect(exitCode).toBe(0);
  expect(stderr).toBe("");
  expect(stdout).toMatch(/^name +verdict +source +what the service showed\n/);
  expect(stdout).toMatch(/^rooms\.limit +confirmed +documented +limit=1 returned 1 room$/m);
  expect(stdout).toMatch(/\n22 names: 20 confirmed, 0 differ, 2 undecided; \d+ requests\n$/);
  expect(stdout).not.toContain("\x1b[");
});

it("on a terminal the command shows its progress on one line, and clears this line at the end", async () => {
  const { env } = await servedEmulator({ seed: {} });
  const { stderr } = await run([], env, { isTTY: true });
  expect(stderr).toMatch(/^\r\x1b\[K1: rooms\.limit\r\x1b\[K2: rooms\.cursor\r/);
  expect(stderr).toMatch(/: \w+\.\w+\r\x1b\[Knotetaker-sdk doctor: /);
  const failed = await run([], { NOTETAKER_TOKEN: "t", NOTETAKER_BASE_URL: "http://127.0.0.1:1/v1" }, { isTTY: true });
  expect(failed.stderr).toMatch(/^notetaker-sdk doctor: /);
});

it("the command exits with 1 if a name differs", async () => {
  const { env } = await servedEmulator({ assumptions: ASSUMPTIONS });
  const { exitCode, stdout } = await run([], env);
  expect(exitCode).toBe(1);
  expect(stdout).toMatch(/^rooms\.limit +differs +documented +the service refuses limit with 422$/m);
});

it("the command exits with 2 if the account is too empty to find anything out", async () => {
  const { env } = await servedEmulator({ seed: {} });
  const { exitCode, stdout, stderr } = await run([], env);
  expect([exitCode, stdout]).toEqual([2, ""]);
  expect(stderr).toMatch(/^notetaker-sdk doctor: nothing could be found out: needs at least 2 rooms .*\n$/);
});

it("--json prints one JSON document and no other text", async () => {
  const { env } = await servedEmulator({ assumptions: ASSUMPTIONS });
  const { exitCode, stdout, stderr } = await run(["--json"], env, { isTTY: true });
  expect(exitCode).toBe(1);
  const report: Report = JSON.parse(stdout);
  expect(report.checks.filter(({ verdict }) => verdict === "differs").map(({ id }) => id)).toContain("rooms.limit");
  expect(stderr).not.toContain("\n");
});

it.each([
  ["a service without these endpoints", 404, "application/json", '{"error":{"code":"not_found","message":"nothing"}}'],
  ["a refused token", 401, "application/json", '{"error":{"code":"unauthorized","message":"authentication required"}}'],
  ["an HTML page", 200, "text/html", "<html>\n<body>Log in\n</body></html>"],
])("%s causes exit code 2 and one line of output", async (_, status, type, body) => {
  const env = await answering(status, type, body);
  const { exitCode, stdout, stderr } = await run([], env);
  expect(exitCode).toBe(2);
  expect(stdout).toBe("");
  expect(stderr).toMatch(/^notetaker-sdk doctor: .+\n$/);
  expect(stderr).not.toContain(SECRET);
});

it("an aborted signal causes exit code 2 and one line of output", async () => {
  const { env } = await servedEmulator();
  const { exitCode, stderr } = await run([], env, { signal: AbortSignal.abort() });
  expect(exitCode).toBe(2);
  expect(stderr).toBe("notetaker-sdk doctor: interrupted\n");
});
