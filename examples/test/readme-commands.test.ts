/** The commands of README's section "Tests", as its reader runs them: in a fresh clone, with nothing but Node and npm. */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { launchBrowser } from "../../test/browser/launch-browser.js";
import { root } from "../../test/support/run-program.js";
import { plainEnvironment } from "./support/server-process.js";

/** The commands of the section, in their order, without their comments. */
function commandsOf(readme: string): string[] {
  const [, block = ""] = readme.match(/^## Tests$[\s\S]*?^```sh\n([\s\S]*?)^```$/m) ?? [];
  return block.split("\n").flatMap((line) => line.replace(/\s*#.*/, "") || []);
}

/** A command under way, in a shell; with its child processes, it ends at the latest with the test. */
function start(command: string, cwd: string) {
  const inherited = Object.entries(plainEnvironment()).filter(([name]) => !/^(npm_|INIT_CWD$)/i.test(name));
  const child = spawn(command, {
    cwd,
    shell: true,
    detached: process.platform !== "win32",
    env: Object.fromEntries(inherited) as NodeJS.ProcessEnv,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += String(chunk)));
  const closed = once(child, "close") as Promise<[number | null]>;
  const signal = (name: NodeJS.Signals) => {
    if (process.platform === "win32") child.kill(name);
    else process.kill(-(child.pid as number), name);
  };
  onTestFinished(() => {
    if (child.exitCode === null && child.signalCode === null) signal("SIGKILL");
  });
  return { closed, end: () => signal("SIGTERM"), output: () => output };
}

test("README's commands start the web application and the tour in a fresh clone, and CI runs the tests with README's command", {
  timeout: 1_200_000,
}, async (context) => {
  const browser = await launchBrowser(context);
  const folder = mkdtempSync(join(tmpdir(), "notetaker-clone-"));
  // Two installations are many files to delete on a busy machine.
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }), 1_200_000);
  const clone = join(folder, "clone");
  execFileSync("git", ["clone", "--quiet", root, clone]);
  const [webApp = "", ...others] = commandsOf(readFileSync(join(clone, "README.md"), "utf8"));
  expect(webApp).not.toBe("");

  const application = start(webApp, clone);
  const ended = application.closed.then(([code]) => {
    throw new Error(`"${webApp}" ended with ${code}: ${application.output()}`);
  });
  ended.catch(() => {});
  const opened = expect.poll(() => application.output(), { timeout: 900_000, interval: 200 }).toMatch(/^Open http/m);
  await Promise.race([opened, ended]);
  const page = await browser.newPage();
  await page.goto(application.output().match(/^Open (\S+)/m)?.[1] as string);
  await page.locator(".meetings a").first().click();
  await page.locator(".meeting h2").first().waitFor();
  await page.locator(".live[data-state=open]").waitFor();
  await page.close();
  application.end();
  await application.closed;

  const ci = readFileSync(join(clone, ".ci/run"), "utf8").split("\n");
  for (const command of others) {
    // .ci/run itself runs these two in its checkout.
    if (command.split(" && ").every((part) => ci.includes(part))) continue;
    const { closed, output } = start(command, clone);
    const [code] = await closed;
    expect(code, output()).toBe(0);
  }
});
