/** docs/migrating.md: the programs before and after the migration do the same against the emulator. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createEmulator, sendEvent } from "notetaker-sdk/testing";
import { describe, expect, onTestFinished, test } from "vitest";
import { codeBlocks } from "../../test/support/code-blocks.js";
import { freePort } from "../../test/support/free-port.js";
import { runProgram } from "../../test/support/run-program.js";
import { toneWav } from "../tour/wav.js";
import { examples, runFolder } from "./support/run-folder.js";
import { startServer } from "./support/server-process.js";

const blocks = codeBlocks().filter(({ at }) => at.startsWith("docs/migrating.md"));

/** Writes the block with this flag to a file. */
function program(flag: string) {
  const folder = runFolder();
  const file = join(folder, "program.ts");
  writeFileSync(file, blocks.find((block) => block.flag === flag)!.code);
  return { folder, file };
}

describe("docs/migrating.md", () => {
  test("shows two programs, before and after, that print the same", async () => {
    const outputs = await Promise.all(
      ["before", "after"].map(async (flag) => {
        const { folder, file } = program(flag);
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

  test.each(["before-webhook", "after-webhook"])(
    "shows a receiver that handles a signed delivery: %s",
    async (flag) => {
      const { file } = program(flag);
      const origin = `http://127.0.0.1:${await freePort()}`;
      const env = { NOTETAKER_WEBHOOK_SECRET: "whsec_migrating", PORT: new URL(origin).port };
      const server = await startServer(["--import", import.meta.resolve("tsx"), file], {
        cwd: examples,
        env,
        url: origin,
      });
      const send = (secret: string) =>
        sendEvent(`${origin}/hooks`, { kind: "meeting.transcript_ready", meetingId: "mtg_7", secret });
      expect((await send("another")).attempts.map(({ status }) => status)).toEqual([401]);
      expect((await send("whsec_migrating")).attempts.map(({ status }) => status)).toEqual([200]);
      await expect.poll(() => server.output(), { timeout: 60_000 }).toContain("handled mtg_7");
    },
  );
});
