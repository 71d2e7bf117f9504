/** examples/web-app as a user has it: copied out of the installed package into a folder of its own. */
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { launchBrowser } from "../../test/browser/launch-browser.js";
import { plainEnvironment, startCommand } from "./support/start-program.js";

const folder = mkdtempSync(join(tmpdir(), "notetaker-web-app-"));
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

const npm = (...args: string[]) =>
  execFileSync("npm", args, { cwd: folder, env: plainEnvironment(), encoding: "utf8", stdio: "pipe" });

beforeAll(() => {
  const packed = join(inject("installed"), "node_modules/notetaker-sdk/examples/web-app");
  cpSync(packed, folder, { recursive: true });
  // `npm install`, with the packed package in place of the published one.
  npm("install", "--no-audit", "--no-fund", "--prefer-offline", inject("tarball"));
});

test("the copied application compiles, is built, and its own tests pass", () => {
  expect(npm("run", "build")).toContain("built in");
  expect(npm("test")).toMatch(/Tests\S* .*\d+ passed/);
});

test("npm run dev of the copied application shows the meetings and, without a reload, the next event", async (context) => {
  const browser = await launchBrowser(context);
  const { output } = await startCommand(folder, ["npm", "run", "dev"], {}, /Open http\S+/);
  const page = await browser.newPage();
  await page.goto(/Open (\S+)/.exec(output())?.[1] ?? "");
  await page.locator(".meetings li").first().waitFor();
  await page.locator(".live[data-state=open]").waitFor();
  await page.getByRole("button", { name: "Record a meeting" }).click();
  await page.getByLabel("Link of the call").fill("https://zoom.us/j/123456789");
  await page.getByLabel("Link of the call").press("Enter");
  await page.getByRole("list", { name: "News" }).getByText("Transcript ready").waitFor();
});
