/**
 * Runs the program in pages of real browsers. The page sends its results to its server, so no browser driver is needed.
 */
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { unpackChromium } from "../../test/browser/setup.js";
import type { Project } from "./project.js";
import { NotHere, type Results, type Runtime } from "./runtime.js";
import type { ProgramInput } from "./service.js";

interface Launch {
  command: string;
  args(url: string, profile: string): string[];
  env?: Record<string, string>;
}

const TIME_LIMIT_MS = 60_000;

/** Opens a page that runs the program, and returns the results that the page reports. */
async function runInPage(project: Project, input: ProgramInput, { command, args, env }: Launch): Promise<Results> {
  const source = `
    import { program } from "./program.js";
    const report = (results) => fetch("/results", { method: "POST", body: JSON.stringify(results) });
    program(${JSON.stringify(input)}).then(report, (error) => report({ list: "BROKEN: " + error }));
  `;
  const script = readFileSync(await project.bundle(source, "page.js", "iife"));
  const profile = mkdtempSync(join(tmpdir(), "notetaker-profile-"));
  let report: (results: Results) => void = () => {};
  const results = new Promise<Results>((resolve) => {
    report = resolve;
  });
  const server = createServer(async (request, response) => {
    if (request.method === "POST") {
      const body = await new Response(request as never).text();
      report(JSON.parse(body) as Results);
    }
    if (request.url === "/page.js") response.writeHead(200, { "content-type": "text/javascript" }).end(script);
    else response.writeHead(200, { "content-type": "text/html" }).end('<script src="/page.js"></script>');
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const browser = spawn(command, args(url, profile), {
    stdio: "ignore",
    env: { ...process.env, ...env, HOME: profile },
  });
  let timeLimit: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timeLimit = setTimeout(() => reject(new Error("the page reported nothing")), TIME_LIMIT_MS);
  });
  try {
    return await Promise.race([results, tooLate]);
  } finally {
    clearTimeout(timeLimit);
    browser.kill();
    await new Promise((resolve) => (browser.exitCode === null ? browser.once("close", resolve) : resolve(undefined)));
    server.closeAllConnections();
    server.close();
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

const versionIn = (output: string) => /[\d.]+\w*/.exec(output)?.[0] ?? output;

const chromium: Runtime = {
  name: "Chromium",
  async run(project, input) {
    const { executablePath, args, env } = await unpackChromium(project.folder);
    const launch = {
      command: executablePath,
      args: (url: string, profile: string) => [...args, `--user-data-dir=${profile}`, url],
      env,
    };
    const version = versionIn(execFileSync(executablePath, [...args, "--version"], { encoding: "utf8", env }));
    return { version, results: await runInPage(project, input, launch) };
  },
};

/** Preferences that keep Firefox from sending requests to Mozilla. */
const PREFERENCES = {
  "app.normandy.enabled": false,
  "app.update.enabled": false,
  "browser.aboutwelcome.enabled": false,
  "browser.safebrowsing.downloads.remote.enabled": false,
  "browser.safebrowsing.malware.enabled": false,
  "browser.safebrowsing.phishing.enabled": false,
  "browser.shell.checkDefaultBrowser": false,
  "datareporting.policy.dataSubmissionEnabled": false,
  "extensions.update.enabled": false,
  "network.captive-portal-service.enabled": false,
  "network.connectivity-service.enabled": false,
  "services.settings.server": "http://127.0.0.1:9",
  "toolkit.telemetry.enabled": false,
};

const firefox: Runtime = {
  name: "Firefox",
  note: "Debian's `firefox-esr`",
  async run(project, input) {
    let version: string;
    try {
      version = versionIn(execFileSync("firefox-esr", ["--version"], { encoding: "utf8", stdio: "pipe" }));
    } catch {
      throw new NotHere("there is no firefox-esr on this machine: apt-get install firefox-esr");
    }
    const launch = {
      command: "firefox-esr",
      args(url: string, profile: string) {
        const lines = Object.entries(PREFERENCES).map(
          ([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});`,
        );
        writeFileSync(join(profile, "user.js"), lines.join("\n"));
        return ["--headless", "--no-remote", "--profile", profile, url];
      },
    };
    return { version, results: await runInPage(project, input, launch) };
  },
};

export const browsers: readonly Runtime[] = [chromium, firefox];
