/** `notetaker-sdk capture`: the file that it writes, and its message about a failure, without any content. */
import { readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  ConnectionError,
  RateLimitedError,
  ResponseValidationError,
  TimeoutError,
  UnauthorizedError,
} from "notetaker-sdk";
import type { Seed } from "notetaker-sdk/testing";
import { expect, it, test } from "vitest";
import { captureFailure } from "../../src/command/capture.js";
import { servedEmulator } from "../support/served-emulator.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { runCommand } from "./support.js";

test("capture writes a file for the user alone, and follows no link beside it", async () => {
  const folder = temporaryFolder();
  const { service, url } = await servedEmulator({ seed: { rooms: [{ title: "Sales" }] } });
  const [out, victim] = [join(folder, "seed.json"), join(folder, "victim")];
  writeFileSync(victim, "mine");
  symlinkSync(victim, `${out}.${process.pid}.tmp`);
  const capture = () => runCommand(["capture", "--out", out, "--base-url", url], { NOTETAKER_TOKEN: service.token });
  expect(await capture()).toMatchObject({
    exitCode: 0,
    stdout: `captured 1 rooms, 0 meetings in ${out}\n`,
    stderr: "",
  });
  expect(readFileSync(victim, "utf8")).toBe("mine");
  expect(statSync(out).mode & 0o777).toBe(0o600);
  expect((JSON.parse(readFileSync(out, "utf8")) as Seed).rooms).toHaveLength(1);
  expect(await capture()).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("--force replaces it") });
  expect(readdirSync(folder)).toHaveLength(3);
});

const PRIVATE = "Salary talk mtg_9f8e7d";
const request = {
  method: "GET",
  url: "https://api.example.com/team/v1/meetings/mtg_9f8e7d/permissions?cursor=Salary%20talk",
};
const refused = new TypeError("fetch failed", { cause: Object.assign(new Error(PRIVATE), { code: "ECONNREFUSED" }) });

const issues = [{ path: "", message: "the body is not JSON" }];

it.each<[error: Error, facts: string, reason?: string]>([
  [new ConnectionError(PRIVATE, { request, cause: refused }), "ConnectionError", "ECONNREFUSED"],
  [new ConnectionError(PRIVATE, { request, cause: new Error(PRIVATE) }), "ConnectionError", "the connection was lost"],
  [new TimeoutError(PRIVATE, { request, timeoutMs: 30_000 }), "TimeoutError", "no response within 30000 ms"],
  [new UnauthorizedError(PRIVATE, { request }), "UnauthorizedError, status 401, unauthorized"],
  [
    new RateLimitedError(PRIVATE, { request, retryAfterMs: 3_600_000 }),
    "RateLimitedError, status 429, rate_limited",
    "the service asks for a wait of 3600 s",
  ],
  [
    new ResponseValidationError(PRIVATE, { request, issues }),
    "ResponseValidationError, status 200",
    "the body is not JSON",
  ],
])("a failed capture describes %s by its request and reason, without its message", (error, facts, reason) => {
  const expected = `${facts}, GET /meetings/…/permissions${reason ? `: ${reason}` : ""}; no file was written`;
  expect(captureFailure(error).message).toBe(expected);
});

test("a failed capture describes another error by its name alone", () => {
  expect(captureFailure(new TypeError(PRIVATE)).message).toBe("TypeError; no file was written");
});
