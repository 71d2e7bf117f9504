/** `examples/upload.ts` uploads a file and prints its transcript. */
import { copyFileSync, existsSync, mkdirSync, symlinkSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEmulator } from "notetaker-sdk/testing";
import { describe, expect, inject, test } from "vitest";
import { toneWav } from "../../examples/tour/wav.js";
import { root, runProgram } from "../support/run-program.js";

async function withWav<T>(use: (file: string, bytes: Uint8Array) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "upload-"));
  try {
    const bytes = toneWav(3);
    const file = join(folder, "weekly sync.wav");
    await writeFile(file, bytes);
    return await use(file, bytes);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Copies the example and its shared modules into a project in which the packed tarball is installed. */
function inEmptyProject(): string {
  const installed = inject("installed");
  copyFileSync(join(root, "examples/upload.ts"), join(installed, "upload.mts"));
  mkdirSync(join(installed, "support"), { recursive: true });
  copyFileSync(join(root, "examples/support/client.ts"), join(installed, "support/client.ts"));
  const bar = join(installed, "node_modules/cli-progress");
  if (!existsSync(bar)) symlinkSync(join(root, "node_modules/cli-progress"), bar, "junction");
  return installed;
}

describe("the upload example", () => {
  test.each([
    ["from the source", () => ["examples/upload.ts", root] as const],
    ["from the packed tarball", () => ["upload.mts", inEmptyProject()] as const],
  ])("%s uploads a WAV of three seconds, waits, and prints the transcript", async (_, place) => {
    const [program, cwd] = place();
    await withWav(async (file, bytes) => {
      const service = createEmulator({ now: Date.now, life: { transcribeMs: 500 } });
      const { url, close } = await service.listen({ port: 0 });
      const env = { NOTETAKER_BASE_URL: url, NOTETAKER_TOKEN: service.token };
      const { exitCode, output } = await runProgram(program, [file, "--title", "Weekly"], env, cwd);
      await close();
      expect(exitCode, output).toBe(0);
      expect(output).toMatch(/meeting mtg_\w+: waiting/);
      expect(output).toMatch(/^\[00:00:\d\d\] .+: .+/m);
      const upload = service.requests.find(({ method }) => method === "PUT")!;
      expect(upload.query.get("title")).toBe("Weekly");
      expect(upload.headers.get("content-type")).toBe("audio/wav");
      expect(upload.bodyBytes).toBe(bytes.byteLength);
    });
  });

  test("uploads to the embedded emulator, without an account or a network", async () => {
    await withWav(async (file) => {
      const { exitCode, output } = await runProgram("examples/upload.ts", [file]);
      expect(exitCode, output).toBe(0);
      expect(output).toMatch(/^\[00:00:\d\d\] .+: .+/m);
    });
  });

  test("fails with the name of a file that does not exist", async () => {
    const { exitCode, output } = await runProgram("examples/upload.ts", ["nowhere.mp4"]);
    expect(exitCode).toBe(1);
    expect(output).toContain("nowhere.mp4");
  });
});
