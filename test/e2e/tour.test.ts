import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { runProgram } from "../support/run-program.js";
import { servedEmulator } from "../support/served-emulator.js";
import { temporaryFolder } from "../support/temporary-folder.js";

/** Runs the tour against an emulator on a port, which the environment names. */
async function tourOn(args: string[] = [], token?: string) {
  const { service, env } = await servedEmulator();
  if (token !== undefined) env.NOTETAKER_TOKEN = token;
  return { service, ...(await runProgram("examples/tour.ts", args, env)) };
}

describe("the tour", () => {
  test("runs every step against the embedded emulator, without an account or a network", async () => {
    const folder = temporaryFolder();
    const { exitCode, output } = await runProgram("examples/tour.ts", [], { TMPDIR: folder, TEMP: folder });
    expect(output).toContain("12 steps done, 0 skipped, 0 failed");
    expect(output).toContain("The embedded emulator");
    expect(exitCode).toBe(0);
    expect(output).toContain("missing: 2");
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
    expect(files.filter((path) => /(meetings\.sqlite|index\.json)$/.test(path))).toHaveLength(1);
  });

  test("sends no write to a service that the environment names", async () => {
    const { service, exitCode, output } = await tourOn();
    expect(output).toContain("7 steps done, 5 skipped, 0 failed");
    expect(exitCode).toBe(0);
    expect(new Set(service.requests.map(({ method }) => method))).toEqual(new Set(["GET"]));
  });

  test("writes to a service that the environment names only with --write", async () => {
    const { service, exitCode, output } = await tourOn(["--write"]);
    expect(output).toContain("11 steps done, 1 skipped, 0 failed");
    expect(exitCode).toBe(0);
    expect(new Set(service.requests.map(({ method }) => method))).toEqual(new Set(["GET", "POST", "PUT"]));
  });

  test("fails when a step fails", async () => {
    const { exitCode, output } = await tourOn([], "wrong");
    expect(output).toContain("UnauthorizedError");
    expect(exitCode).toBe(1);
  });
});
