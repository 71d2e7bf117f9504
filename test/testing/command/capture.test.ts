/** `notetaker-emulator capture`: the file that it writes. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEmulator, type Seed } from "notetaker-sdk/testing";
import { expect, onTestFinished, test, vi } from "vitest";
import { capture } from "../../../src/testing/command/capture.js";

test("capture writes a file for the user alone, and follows no link beside it", async () => {
  const folder = mkdtempSync(join(tmpdir(), "capture-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const service = createEmulator({ seed: { rooms: [{ title: "Sales" }] } });
  const { url, close } = await service.listen();
  onTestFinished(close);
  vi.stubEnv("NOTETAKER_TOKEN", service.token);
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.spyOn(console, "log").mockImplementation(() => {});
  onTestFinished(() => void vi.restoreAllMocks());

  const [out, victim] = [join(folder, "seed.json"), join(folder, "victim")];
  writeFileSync(victim, "mine");
  symlinkSync(victim, `${out}.${process.pid}.tmp`);
  await capture(["--out", out, "--base-url", url]);
  expect(readFileSync(victim, "utf8")).toBe("mine");
  expect(statSync(out).mode & 0o777).toBe(0o600);
  expect((JSON.parse(readFileSync(out, "utf8")) as Seed).rooms).toHaveLength(1);
  await expect(capture(["--out", out, "--base-url", url])).rejects.toThrow("--force replaces it");
  expect(readdirSync(folder)).toHaveLength(3);
});
