import { createEmulator } from "notetaker-sdk/testing";
import { describe, expect, test } from "vitest";
import { runProgram } from "../support/run-program.js";

describe("the tour", () => {
  test("runs every step against the embedded emulator, without an account or a network", async () => {
    const { exitCode, output } = await runProgram("examples/tour.ts");
    expect(output).toContain("11 steps done, 0 skipped, 0 failed");
    expect(output).toContain("The embedded emulator");
    expect(exitCode).toBe(0);
  });

  test("sends no write to a service that the environment names", async () => {
    const service = createEmulator();
    const { url, close } = await service.listen({ port: 0 });
    const { exitCode, output } = await runProgram("examples/tour.ts", [], {
      NOTETAKER_BASE_URL: url,
      NOTETAKER_TOKEN: service.token,
    });
    await close();
    expect(output).toContain("6 steps done, 5 skipped, 0 failed");
    expect(exitCode).toBe(0);
    expect(new Set(service.requests.map(({ method }) => method))).toEqual(new Set(["GET"]));
  });

  test("writes to a service that the environment names only with --write", async () => {
    const service = createEmulator();
    const { url, close } = await service.listen({ port: 0 });
    const env = { NOTETAKER_BASE_URL: url, NOTETAKER_TOKEN: service.token };
    const { exitCode, output } = await runProgram("examples/tour.ts", ["--write"], env);
    await close();
    expect(output).toContain("10 steps done, 1 skipped, 0 failed");
    expect(exitCode).toBe(0);
    expect(new Set(service.requests.map(({ method }) => method))).toEqual(new Set(["GET", "POST", "PUT"]));
  });

  test("fails when a step fails", async () => {
    const service = createEmulator();
    const { url, close } = await service.listen({ port: 0 });
    const { exitCode, output } = await runProgram("examples/tour.ts", [], {
      NOTETAKER_BASE_URL: url,
      NOTETAKER_TOKEN: "wrong",
    });
    await close();
    expect(output).toContain("UnauthorizedError");
    expect(exitCode).toBe(1);
  });
});
