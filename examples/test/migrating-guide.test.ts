/** docs/migrating.md: the programs before and after the migration do the same against the emulator. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createEmulator } from "notetaker-sdk/testing";
import { expect, onTestFinished, test } from "vitest";
import { codeBlocks } from "../../test/support/code-blocks.js";
import { runProgram } from "../../test/support/run-program.js";
import { toneWav } from "../tour/wav.js";
import { examples, runFolder } from "./support/run-folder.js";

const blocks = codeBlocks().filter(({ at }) => at.startsWith("docs/migrating.md"));

test("docs/migrating.md shows two programs, before and after, that print the same", async () => {
  const outputs = await Promise.all(
    ["before", "after"].map(async (flag) => {
      const folder = runFolder();
      const file = join(folder, "program.ts");
      writeFileSync(file, blocks.find((block) => block.flag === flag)!.code);
      const recording = join(folder, "weekly.wav");
      writeFileSync(recording, toneWav(1));
      const service = createEmulator({ now: Date.now, speed: 1_000 });
      const { url, close } = await service.listen({ port: 0 });
      onTestFinished(close);
      service.faults.next("GET /rooms", { status: 429, retryAfterSeconds: 0 });
      const env = { NOTETAKER_BASE_URL: url, NOTETAKER_TOKEN: service.token };
      const { exitCode, output } = await runProgram(file, [recording], env, examples);
      expect(exitCode, output).toBe(0);
      expect(service.requests.filter(({ method }) => method === "PUT")).toHaveLength(1);
      return output;
    }),
  );
  expect(outputs[0]!.split("\n").length).toBeGreaterThan(10);
  expect(outputs[1]).toBe(outputs[0]);
});
