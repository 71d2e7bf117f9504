/**
 * Runs the TypeScript blocks of the README and the guides as they stand, against the emulator. `notetaker` is a client
 * of it, as the README says. A block that cannot run here says `no-run` after its language: it needs Redis, a page of a
 * browser, or a package of a framework. Other words name the tests that run the block (in examples/test).
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { Server } from "node:net";
import { join } from "node:path";
import { Notetaker } from "notetaker-sdk";
import { createEmulator, type Emulator } from "notetaker-sdk/testing";
import { createReceiver } from "notetaker-sdk/webhooks";
import { onTestFinished, vi } from "vitest";
import { type CodeBlock, codeBlocks } from "../../support/code-blocks.js";
import { root } from "../../support/run-program.js";

export const guideBlocks = codeBlocks().filter(({ language }) => language === "ts");
export const guidePrograms = guideBlocks.filter(({ flag }) => flag === "" || flag === "run");

/** The secret of the examples, and the variable that contains it. */
const SECRET = "whsec_guide";
/** How long a program that runs until it is stopped may run. */
const UNTIL_STOPPED_MS = 1_000;
/** How many times faster than real time `syncMeetings` runs: it keeps a pace of 40 requests a minute. */
const SPEED = 10;
const STEP_MS = 10;
/** A signal of this time or more ends a whole run, which is ended early here. A shorter one limits a call. */
const A_RUN_MS = 60_000;

/**
 * The hosts of the examples: the emulator, the reader's own relay and receiver, and an emulator started by a command.
 */
async function network(service: Emulator) {
  const realFetch = globalThis.fetch;
  const receiver = createReceiver({ secrets: [SECRET, "whsec_…"], handlers: { "meeting.transcript_ready": () => {} } });
  const { url: address, close } = await service.listen({ control: true });
  onTestFinished(close);
  let connections = 0;
  // An event, and then the end of the stream.
  const events = () => {
    connections += 1;
    if (connections > 1) return new Response(null, { status: 204 });
    const event = { kind: "meeting.transcript_ready", meetingId: "mtg_1", payload: {} };
    const headers = { "content-type": "text/event-stream" };
    return new Response(`id: 1\ndata: ${JSON.stringify(event)}\n\n`, { headers });
  };
  return async (input: string | URL, init?: RequestInit): Promise<Response> => {
    const url = new URL(input);
    if (url.host === "app.example.com") return events();
    if (url.host === "localhost:3000") return receiver.handle(new Request(url, init));
    if (url.host === "127.0.0.1:4010") return realFetch(new URL(url.pathname, address), init);
    if (url.hostname === "127.0.0.1") return realFetch(url, init);
    const response = await service.fetch(String(url), init);
    // Calls end at once, so that an example that waits for a transcript takes no minutes.
    if (response.ok && /\/meetings\/(bot|upload)$/.test(url.pathname)) {
      const { meeting_id, id = meeting_id } = await response.clone().json();
      await service.meetings.finish(id);
    }
    return response;
  };
}

/** Servers listen at a free port and are closed at the end; a program that runs until it is stopped is stopped. */
function stopAtTheEnd() {
  const listen = Server.prototype.listen;
  const servers: Server[] = [];
  vi.spyOn(Server.prototype, "listen").mockImplementation(function (this: Server, ...args: unknown[]) {
    if (typeof args[0] === "number") {
      servers.push(this);
      args[0] = 0;
    }
    return listen.apply(this, args as [number]);
  });
  const after = AbortSignal.timeout;
  vi.spyOn(AbortSignal, "timeout").mockImplementation((ms) =>
    after.call(AbortSignal, ms < A_RUN_MS ? ms : UNTIL_STOPPED_MS),
  );
  const before = process.listeners("SIGTERM");
  const timer = setTimeout(() => {
    for (const stop of process.listeners("SIGTERM")) if (!before.includes(stop)) stop("SIGTERM");
  }, UNTIL_STOPPED_MS);
  onTestFinished(() => {
    clearTimeout(timer);
    for (const server of servers) server.close();
    for (const stop of process.listeners("SIGTERM")) if (!before.includes(stop)) process.off("SIGTERM", stop);
  });
}

/** Lets timers run faster than they should, beside what happens in real time. */
function quicken() {
  const repeat = setInterval(() => void vi.advanceTimersByTimeAsync(SPEED * STEP_MS), STEP_MS);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  onTestFinished(() => {
    clearInterval(repeat);
    vi.useRealTimers();
  });
}

export async function runGuideProgram({ at, code }: Pick<CodeBlock, "at" | "code">): Promise<void> {
  const folder = mkdtempSync(join(root, "test/.blocks-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const here = mkdtempSync(join(folder, "cwd-"));
  for (const name of ["recording.mp4", "recording.m4a"]) writeFileSync(join(here, name), "a recording");
  const before = process.cwd();
  process.chdir(here);
  const service = createEmulator({ token: "my-token", limits: "none" });
  vi.stubGlobal("fetch", await network(service));
  vi.stubEnv("NOTETAKER_BASE_URL", service.baseUrl);
  vi.stubEnv("NOTETAKER_TOKEN", service.token);
  vi.stubEnv("NOTETAKER_WEBHOOK_SECRET", SECRET);
  vi.stubGlobal("notetaker", new Notetaker());
  for (const method of ["log", "warn", "error", "info", "debug"] as const) {
    vi.spyOn(console, method).mockReturnValue(undefined);
  }
  onTestFinished(() => {
    process.chdir(before);
    vi.unstubAllEnvs();
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });
  stopAtTheEnd();
  if (code.includes("syncMeetings(")) quicken();
  const file = join(folder, `${at.replace(/\W+/g, "-")}.ts`);
  writeFileSync(file, `${code}\nexport {};\n`);
  await import(/* @vite-ignore */ file);
}
