/** Runs the function that docs/bots.md shows for a `sendBot` whose outcome is unknown. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Notetaker } from "notetaker-sdk";
import { createEmulator } from "notetaker-sdk/testing";
import { beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { codeBlocks } from "../support/code-blocks.js";
import { root } from "../support/run-program.js";

type SendOnce = (meetingUrl: string, source: string) => Promise<string>;

const LINK = "https://meet.google.com/abc-defg-hij";
let sendOnce: SendOnce;

beforeAll(async () => {
  const block = codeBlocks().find(({ at, code }) => at.startsWith("docs/bots.md") && code.includes("sendOnce"));
  const folder = mkdtempSync(join(root, "test/.blocks-"));
  writeFileSync(join(folder, "send-once.ts"), `${block!.code}\nexport { sendOnce };\n`);
  ({ sendOnce } = await import(/* @vite-ignore */ join(folder, "send-once.ts")));
  rmSync(folder, { recursive: true });
});

function account(acts: boolean) {
  vi.useFakeTimers();
  onTestFinished(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });
  const service = createEmulator({ now: Date.now });
  service.faults.next("POST /meetings/bot", { kind: "drop", acts });
  vi.stubGlobal("notetaker", new Notetaker({ token: service.token, baseUrl: service.baseUrl, fetch: service.fetch }));
  return service;
}

/** What became of the work after 40 seconds, in the time of client and service. */
async function after40Seconds<T>(work: Promise<T>) {
  const settled = work.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  await vi.advanceTimersByTimeAsync(40_000);
  return settled;
}

test("the function of the guide finds the bot whose answer was lost, and sends no second one", async () => {
  const service = account(true);
  const ended = await after40Seconds(sendOnce(LINK, "google_meet"));
  const bots = service.requests.filter(({ route }) => route === "POST /meetings/bot");
  expect(bots).toHaveLength(1);
  expect(ended).toEqual({ value: expect.stringMatching(/^mtg_/) });
});

test("the function of the guide passes the error on if the bot was never made", async () => {
  account(false);
  const ended = await after40Seconds(sendOnce(LINK, "google_meet"));
  expect(ended).toEqual({ error: expect.objectContaining({ name: "ConnectionError", outcome: "unknown" }) });
});
