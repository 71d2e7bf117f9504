/**
 * Runs the programs of the README and the guides, unchanged, against the emulator. A program is left out if its text
 * shows that it needs something else (Redis, a page, the reader's own server), or that it does not end by itself.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Notetaker } from "notetaker-sdk";
import { aDocument, aMeeting, anEvent, aRoom, aTranscript, createEmulator } from "notetaker-sdk/testing";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { codeBlocks } from "../support/code-blocks.js";
import { root } from "../support/run-program.js";

const NEEDS_MORE =
  /redis|setupWorker|xhrFetch|subscribe\(|waitFor|watch\(|sendEvent|127\.0\.0\.1:4010|declare |"…"|"node:fs|\/node"|"pino"/;

const programs = codeBlocks().filter(
  ({ language, flag, code }) => language === "ts" && flag === "" && !NEEDS_MORE.test(code),
);

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(root, "test/.blocks-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const seed = () => ({
  rooms: [aRoom({ id: "room_1" })],
  meetings: [
    aMeeting({
      id: "mtg_1",
      transcript: aTranscript({ lines: [["Ada", "A budget of 5 is fine."]] }),
      documents: [aDocument({ id: "doc_1", title: "Summary" })],
    }),
  ],
  events: [anEvent({ id: "evt_1", start_time: "2030-01-01T09:00:00Z" })],
});

test("more than 40 programs of the guides are run", () => {
  expect(programs.length).toBeGreaterThan(40);
});

test.each(programs)("the program at $at runs without an error", async ({ at, code }) => {
  const service = createEmulator({ seed: seed(), limits: "none" });
  const realFetch = globalThis.fetch;
  // The programs run in this process: a request that a program does not await still reaches the emulator at its end.
  vi.stubGlobal("fetch", (url: string, init?: RequestInit) =>
    new URL(url).hostname === "127.0.0.1" ? realFetch(url, init) : service.fetch(url, init),
  );
  vi.stubEnv("NOTETAKER_BASE_URL", service.baseUrl);
  vi.stubEnv("NOTETAKER_TOKEN", service.token);
  vi.stubEnv("NOTETAKER_WEBHOOK_SECRET", "whsec_guide");
  vi.stubGlobal("notetaker", new Notetaker());
  for (const method of ["log", "warn", "error", "info", "debug"] as const) {
    vi.spyOn(console, method).mockReturnValue(undefined);
  }
  onTestFinished(() => {
    vi.unstubAllEnvs();
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });
  const file = join(folder, `${at.replace(/\W+/g, "-")}.ts`);
  writeFileSync(file, `${code}\nexport {};\n`);
  await import(/* @vite-ignore */ file);
});
