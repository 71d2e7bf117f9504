import type { RequestListener } from "node:http";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type LaunchOptions,
} from "playwright-core";
import { afterAll, expect, inject, type TestContext } from "vitest";
import { httpServer } from "../support/servers.js";

/** How long a page may take for each step. A busy machine needs more than the usual half minute. */
const PATIENCE_MS = 120_000;

/** How often a browser is started again that crashes while it starts. */
const MAX_RESTARTS = 2;

/** The system's signals for a crash, in the log that is part of Playwright's error. */
const CRASHED = /process did exit: exitCode=null, signal=SIG(SEGV|BUS|ILL|TRAP|ABRT)/;

/**
 * Starts the browser, again if it crashes while it starts: on a busy machine the packed Chromium does so once in
 * hundreds of starts, before it has seen a page. Any other error, and a crash after the start, fails the test.
 */
async function startBrowser(options: LaunchOptions, restarts = MAX_RESTARTS): Promise<Browser> {
  try {
    return await chromium.launch({ ...options, timeout: PATIENCE_MS });
  } catch (error) {
    const [crash] = CRASHED.exec(String(error)) ?? [];
    if (crash === undefined || restarts === 0) throw error;
    console.warn(`The browser crashed while it started, and is started again: ${crash}`);
    return startBrowser(options, restarts - 1);
  }
}

export type TestBrowser = Pick<Browser, "newContext" | "newPage" | "close">;

let started: Promise<Browser> | undefined;
afterAll(async () => (await started)?.close());

/**
 * The browser that the setup found, launched once a test file. Each test has its own windows, which are closed with it;
 * `close` closes them before. Skips the test if there is no browser.
 */
export async function launchBrowser({ skip, onTestFinished }: TestContext): Promise<TestBrowser> {
  const options = inject("browser");
  if (!options) return skip();
  started ??= startBrowser(options);
  const browser = await started;
  const windows: BrowserContext[] = [];
  async function newContext(options?: BrowserContextOptions) {
    const window = await browser.newContext(options);
    window.setDefaultTimeout(PATIENCE_MS);
    windows.push(window);
    return window;
  }
  const close = async () => void (await Promise.all(windows.map((window) => window.close())));
  onTestFinished(close);
  return { newContext, newPage: async (options) => (await newContext(options)).newPage(), close };
}

const fileOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** A program of this folder as one script for a page. A Node module in it would fail the build. */
async function bundled(program: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileOf(program)],
    bundle: true,
    format: "esm",
    platform: "browser",
    tsconfig: fileOf("../../tsconfig.json"),
    write: false,
    logLevel: "silent",
  });
  return outputFiles[0]?.text ?? "";
}

const PAGE = '<!doctype html><script type="module" src="/page.js"></script>';

/** The origin of a server with a page that runs the program. `respond` responds to every other request. */
export async function servePage(program: string, respond: RequestListener): Promise<string> {
  const script = await bundled(program);
  return httpServer((request, response) => {
    if (request.url === "/page.js") return response.setHeader("content-type", "text/javascript").end(script);
    if (!/^\/(\?|$)/.test(request.url ?? "")) return respond(request, response);
    return response.setHeader("content-type", "text/html").end(PAGE);
  });
}

/** Opens such a page, and returns what its program stores in the global `done`. No error may stay unhandled there. */
export async function resultOf(context: TestContext, url: string): Promise<unknown> {
  const page = await (await launchBrowser(context)).newPage();
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(String(error)));
  await page.goto(url);
  await page.waitForFunction(() => "done" in globalThis);
  const result = await page.evaluate(() => (globalThis as { done?: Promise<unknown> }).done);
  expect(complaints).toEqual([]);
  return result;
}
