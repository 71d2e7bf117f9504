import { existsSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, inject, test, vi } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.js";
import { startBrowser } from "./launch-browser.js";

/** A program that writes a line for each start, does `first` in the first starts, and then becomes the browser. */
async function browserThat(first: string, starts: number, skip: () => void) {
  const options = inject("browser");
  if (!options?.executablePath) skip();
  const folder = temporaryFolder();
  const log = join(folder, "starts");
  const executablePath = join(folder, "browser");
  const script = [
    "#!/bin/sh",
    `echo start >> "${log}"`,
    `[ "$(wc -l < "${log}")" -gt ${starts} ] || ${first}`,
    `exec "${options?.executablePath}" "$@"`,
  ];
  await writeFile(executablePath, script.join("\n"), { mode: 0o755 });
  const startsSoFar = () => (existsSync(log) ? readFileSync(log, "utf8").trim().split("\n").length : 0);
  return { options: { ...options, executablePath }, startsSoFar };
}

test("a browser that crashes while it starts is started again, and the output says so", async ({ skip }) => {
  const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
  const { options, startsSoFar } = await browserThat("kill -SEGV $$", 2, skip);
  const browser = await startBrowser(options);
  expect(browser.isConnected()).toBe(true);
  await browser.close();
  expect(startsSoFar()).toBe(3);
  expect(warn.mock.calls).toEqual(Array(2).fill([expect.stringContaining("signal=SIGSEGV")]));
  warn.mockRestore();
});

test("a browser that crashes at each start, or ends with an error, fails the test", async ({ skip }) => {
  const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
  const crashing = await browserThat("kill -SEGV $$", 99, skip);
  await expect(startBrowser(crashing.options)).rejects.toThrow("SIGSEGV");
  expect(crashing.startsSoFar()).toBe(3);
  const failing = await browserThat("exit 7", 99, skip);
  await expect(startBrowser(failing.options)).rejects.toThrow("exitCode=7");
  expect(failing.startsSoFar()).toBe(1);
  warn.mockRestore();
});
