/**
 * Finds the browser of the browser tests, once a run. On Linux (x64) it comes with `npm ci`: `@sparticuz/chromium`
 * contains a Chromium with its libraries and fonts, so nothing has to be installed. On other systems, an installed
 * browser is used.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type LaunchOptions } from "playwright-core";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /**
     * How the browser is launched; `undefined` if no browser is installed and this machine cannot run the packed
     * Chromium.
     */
    browser: Pick<LaunchOptions, "executablePath" | "channel" | "args" | "env"> | undefined;
  }
}

const ARGUMENTS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** The browser is unpacked once a run. Vitest loads this file anew for each project. */
const UNPACKED = Symbol.for("notetaker-sdk/unpacked-chromium");
const run = globalThis as { [UNPACKED]?: { folder: string; browser: ReturnType<typeof unpackChromium> } };

function unpackedOnce() {
  const folder = mkdtempSync(join(tmpdir(), "notetaker-chromium-"));
  return { folder, browser: unpackChromium(folder) };
}

export default async function setup(project: TestProject) {
  if (process.platform === "linux" && process.arch === "x64") {
    run[UNPACKED] ??= unpackedOnce();
    const { folder, browser } = run[UNPACKED];
    project.provide("browser", await browser);
    return () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
  const browser = await installedBrowser();
  if (!browser) console.log("Browser tests are skipped: this machine has no Chrome, Edge or Chromium.");
  project.provide("browser", browser);
  return undefined;
}

/**
 * The package reads environment variables when it is first imported, and changes others. So they are set only during
 * the import. A separate folder keeps two runs apart, and serves as a writable HOME.
 */
export async function unpackChromium(folder: string) {
  const before = { ...process.env };
  // With VERCEL set, the package unpacks the libraries that a bare machine lacks, such as libnss3.
  Object.assign(process.env, { VERCEL: "1", TMPDIR: folder, HOME: folder });
  try {
    const { default: packed } = await import("@sparticuz/chromium");
    packed.setGraphicsMode = false;
    const executablePath = await packed.executablePath();
    // The packed list of fonts names /tmp. In another folder no font is found without this line, and text has no
    // height.
    const fonts = join(folder, "fonts/fonts.conf");
    writeFileSync(fonts, readFileSync(fonts, "utf8").replaceAll("/tmp/", `${folder}/`));
    const { VERCEL: _, ...env } = process.env;
    return { executablePath, args: ARGUMENTS, env: env as Record<string, string> };
  } finally {
    for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
    Object.assign(process.env, before);
  }
}

export async function installedBrowser() {
  const paths = ["/usr/bin/chromium", "/Applications/Chromium.app/Contents/MacOS/Chromium"];
  const candidates = [
    { channel: "chrome" },
    { channel: "msedge" },
    ...[...paths, join(homedir(), "Applications/Chromium.app/Contents/MacOS/Chromium")]
      .filter((path) => existsSync(path))
      .map((executablePath) => ({ executablePath })),
  ];
  for (const candidate of candidates) {
    const options = { ...candidate, args: ARGUMENTS };
    const browser = await chromium.launch(options).catch(() => undefined);
    await browser?.close();
    if (browser) return options;
  }
  return undefined;
}
