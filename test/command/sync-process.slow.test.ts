/** `npx notetaker-sdk sync` as a program of its own: its signals, its pipes, and what it prints. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { aMeeting } from "notetaker-sdk/testing";
import { expect, it } from "vitest";
import { hasSqlite } from "../support/has-sqlite.js";
import { servedEmulator } from "../support/served-emulator.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { startCommand } from "./support.js";

const meetings = Array.from({ length: 3 }, (_, index) => aMeeting({ id: `mtg_${index}` }));

async function account() {
  const folder = temporaryFolder();
  return { folder, ...(await servedEmulator({ seed: { meetings }, stepTimes: "manual", limits: "none" })) };
}

it.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
  "goes on with --follow until %s, which is exit code 0",
  async (signal) => {
    const { folder, env } = await account();
    const { child, output, ended } = await startCommand(["sync", "--into", folder, "--follow"], env);
    const isStored = () => readdirSync(folder).some((name) => name.includes("mtg_2"));
    await expect.poll(isStored, { timeout: 60_000 }).toBe(true);
    child.kill(signal);
    expect(await ended).toBe(0);
    expect(output.stdout).toBe("");
    // The next run does not wait for a lock.
    const next = await startCommand(["sync", "--into", folder], env);
    expect(await next.ended).toBe(0);
  },
);

it("goes on when the reader of its output leaves", async () => {
  const { folder, env } = await account();
  const { child, ended } = await startCommand(["sync", "--into", folder], env);
  child.stdout?.destroy();
  child.stderr?.destroy();
  expect(await ended).toBe(0);
  expect(existsSync(join(folder, "index.json"))).toBe(true);
});

it.runIf(hasSqlite)("prints no warning of node:sqlite", async () => {
  const { folder, env } = await account();
  const { output, ended } = await startCommand(["sync", "--into", join(folder, "meetings.db"), "--quiet"], env);
  expect(await ended).toBe(0);
  expect(output.stderr).toBe("");
});
