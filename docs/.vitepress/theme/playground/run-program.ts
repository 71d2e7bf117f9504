/**
 * Runs one program in a worker of its own: against an emulator, with a console of its own, and with a `fetch` that
 * reaches nothing but the emulator.
 */

import type * as client from "../../../../src/index.js";
import type * as testing from "../../../../src/testing/index.js";
import type * as webhooks from "../../../../src/webhooks/index.js";
import { describeValue } from "./describe-value.js";
import { speedUpTime } from "./fast-time.js";

export type Report =
  | { kind: "line"; level: "log" | "warn" | "error" | "note"; text: string; at?: number | undefined }
  | { kind: "request"; method: string; path: string; status: number | undefined }
  | { kind: "ready" }
  | { kind: "end"; how: "done" | "failed" | "stopped" | "out of time" };

export interface Modules {
  readonly "notetaker-sdk": typeof client;
  readonly "notetaker-sdk/testing": typeof testing;
  readonly "notetaker-sdk/webhooks": typeof webhooks;
  readonly [name: string]: object;
}

interface Program {
  /** The program without types. It calls `require` for its imports. */
  readonly toJavaScript: () => string;
  readonly modules: Modules;
  readonly report: (report: Report) => void;
}

const MAX_LINES = 500;
const MAX_TEXT = 5_000;
/** How long work that nobody waits for may go on after the last line of the program. */
const SETTLE_MS = 100;

/** A single line, for example the JSON of a long list, is cut. */
const cut = (text: string) =>
  text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)} … and ${text.length - MAX_TEXT} more characters` : text;

/** How many lines an async function has before its first statement. */
const LINES_BEFORE = 2;

/** What the compiler found: `Unexpected token (2:11)`. */
interface Mistake extends SyntaxError {
  readonly loc: { readonly line: number; readonly column: number };
}

/** The error as a console shows it; of a mistake, without the compiler's own fields. */
function describeFailure(error: unknown): string {
  if (!(error instanceof SyntaxError && "loc" in error)) return describeValue(error);
  const { message, loc } = error as Mistake;
  return `SyntaxError: ${message.replace(/ \(\d+:\d+\)$/, "")} (column ${loc.column})`;
}

/** The line of the program that an error comes from, for example from `<anonymous>:5:7` of its stack. */
function lineOf(error: unknown): number | undefined {
  if (typeof error !== "object" || error === null) return undefined;
  if ("loc" in error) return (error as Mistake).loc.line;
  const [, line] = /(?:<anonymous>|Function):(\d+):\d+/.exec(String((error as Error).stack)) ?? [];
  return line === undefined ? undefined : Number(line) - LINES_BEFORE;
}

/** Prints through `report`. Returns a function that counts the lines. */
function replaceConsole(report: Program["report"]): () => number {
  let lines = 0;
  const print =
    (level: "log" | "warn" | "error") =>
    (...values: unknown[]) => {
      lines += 1;
      if (lines <= MAX_LINES) report({ kind: "line", level, text: cut(values.map(describeValue).join(" ")) });
      if (lines === MAX_LINES) report({ kind: "line", level: "note", text: "Further lines are not shown." });
    };
  const [log, warn, error] = [print("log"), print("warn"), print("error")];
  Object.assign(globalThis, { console: { log, info: log, debug: log, table: log, dir: log, trace: log, warn, error } });
  return () => lines;
}

/** The modules for the program: its emulators report their requests, and its receiver gets the account's events. */
function provide(modules: Modules, report: Program["report"]) {
  const { createEmulator } = modules["notetaker-sdk/testing"];
  const { createReceiver } = modules["notetaker-sdk/webhooks"];
  const observed: typeof createEmulator = (options) =>
    createEmulator({
      ...options,
      onRequest(request) {
        const { method, path, url, status } = request;
        report({ kind: "request", method, path: `${path}${new URL(url).search}`, status });
        options?.onRequest?.(request);
      },
    });
  const service = observed({ token: "my-token", limits: "none", now: () => Date.now() });
  const secret = service.webhooks.list()[0]?.secret ?? "";
  const receiving = { isOn: false };
  const env = { NOTETAKER_BASE_URL: service.baseUrl, NOTETAKER_TOKEN: service.token, NOTETAKER_WEBHOOK_SECRET: secret };
  Object.assign(globalThis, { process: { env }, fetch: service.fetch });
  Object.assign(globalThis, { notetaker: new modules["notetaker-sdk"].Notetaker() });

  const connected: typeof createReceiver = (options) => {
    const receiver = createReceiver(options);
    if ([options.secrets].flat().includes(secret)) {
      // The receiver of a guide needs no context.
      const handle = receiver.handle as unknown as (request: Request) => Promise<Response>;
      service.webhooks.deliverTo(handle);
      receiving.isOn = true;
    }
    return receiver;
  };
  const provided: Record<string, object> = {
    ...modules,
    "notetaker-sdk/testing": { ...modules["notetaker-sdk/testing"], createEmulator: observed },
    "notetaker-sdk/webhooks": { ...modules["notetaker-sdk/webhooks"], createReceiver: connected },
  };
  return { provided, service, receiving };
}

/** Sends two events to the receiver that the program has made, and says how it responded. */
async function deliverEvents({ webhooks }: ReturnType<typeof provide>["service"], report: Program["report"]) {
  for (const kind of ["meeting.transcript_ready", "meeting.initial_summary_ready"] as const) {
    await webhooks.send(kind, "mtg_1");
    const status = webhooks.deliveries.at(-1)?.attempts.at(-1)?.status ?? "nothing";
    report({ kind: "line", level: "note", text: `The emulator delivered ${kind}; the receiver responded ${status}.` });
  }
}

/** The variables that the program declares outside of blocks. */
function variablesOf(code: string): string[] {
  const declarations = code.matchAll(/^(?:const|let) (?:\{([^}=]*)\}|(\w+))[^=]*=/gm);
  const names = [...declarations].flatMap(([, several, one]) =>
    one === undefined ? (several ?? "").split(",").map((text) => text.split(":").at(-1)?.trim() ?? "") : [one],
  );
  return names.filter((name) => /^\w+$/.test(name));
}

/** Whether a value is worth showing: data, and no client, emulator or function. */
function isData(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return typeof value !== "function";
  if ("toJSON" in value) return true;
  const isPlain = [Object.prototype, Array.prototype].includes(Object.getPrototypeOf(value));
  return isPlain && Object.values(value).every((item) => typeof item !== "function");
}

const AsyncFunction = (async () => {}).constructor as new (
  ...args: string[]
) => (...values: unknown[]) => Promise<void>;

export async function runProgram({ toJavaScript, modules, report }: Program): Promise<void> {
  const { pause, programTimers, pending } = speedUpTime();
  const printed = replaceConsole(report);
  const { provided, service, receiving } = provide(modules, report);
  let failed = false;
  const fail = (error: unknown) => {
    failed = true;
    report({ kind: "line", level: "error", text: cut(describeFailure(error)), at: lineOf(error) });
  };
  addEventListener("unhandledrejection", (event) => {
    event.preventDefault();
    fail(event.reason);
  });
  addEventListener("error", (event) => {
    event.preventDefault();
    fail(event.error);
  });

  const require = (name: string) => {
    const module = provided[name];
    if (module !== undefined) return module;
    throw new Error(`${name} cannot be imported here, only ${Object.keys(provided).join(", ")}`);
  };
  /** A program that has printed nothing is followed by the values of its variables. */
  const show = (values: Record<string, unknown>) => {
    for (const [name, value] of Object.entries(values)) {
      const text = () => `${name} = ${typeof value === "string" ? JSON.stringify(value) : describeValue(value)}`;
      if (isData(value)) report({ kind: "line", level: "note", text: text() });
    }
  };
  try {
    const code = toJavaScript();
    // In a block, so that the program may declare any name.
    const variables = variablesOf(code).map((name) => `${name}: typeof ${name} === "undefined" ? undefined : ${name}`);
    const body = `"use strict"; {${code}\n;if (printed$() === 0) show$({ ${variables.join(", ")} }); }`;
    const values = { require, exports: {}, printed$: printed, show$: show, ...programTimers };
    await new AsyncFunction(...Object.keys(values), body)(...Object.values(values));
    if (receiving.isOn) await deliverEvents(service, report);
  } catch (error) {
    fail(error);
  }
  while (pending() > 0) await pause(SETTLE_MS);
  await pause(SETTLE_MS);
  report({ kind: "end", how: failed ? "failed" : "done" });
}
