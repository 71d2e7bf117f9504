/** `notetaker-emulator`: serves the emulator on this machine. */
import { readFileSync } from "node:fs";
import { readArguments, readNumber, UsageError } from "../../command-line.js";
import { isRecord } from "../../json/is-record.js";
import { isPort } from "../adapters/http-server.js";
import { createEmulator } from "../emulator.js";
import type { RecordedRequest } from "../http/requests.js";
import type { EmulatorOptions } from "../options.js";
import { ENFORCED_LIMITS, type HeldLimits } from "../options.js";
import type { Seed } from "../seed/seed.js";

const OPTIONS = {
  port: { type: "string", default: "4010" },
  host: { type: "string", default: "127.0.0.1" },
  "allow-host": { type: "string", multiple: true, default: [] as string[] },
  token: { type: "string" },
  seed: { type: "string" },
  speed: { type: "string", default: "1" },
  limits: { type: "string", default: "specified" },
  cors: { type: "string" },
  control: { type: "boolean", default: false },
  lenient: { type: "boolean", default: false },
  detached: { type: "boolean", default: false },
} as const;

/** Reads `--seed`, a number or a file: the content of one account, or of several accounts. */
function readSeed(value: string | undefined): Pick<EmulatorOptions, "seed" | "accounts"> {
  if (value === undefined) return {};
  if (/^\d+$/.test(value)) return { seed: Number(value) };
  const content = readSeedFile(value);
  if (isRecord(content) && "accounts" in content) return { accounts: content.accounts as Record<string, Seed> };
  return { seed: content as Seed };
}

function readSeedFile(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    throw new UsageError(`--seed: ${path} could not be read: ${(error as Error).message}`);
  }
}

function readLimits(text: string): HeldLimits {
  const limits = ENFORCED_LIMITS.find((choice) => choice === text);
  if (limits !== undefined) return limits;
  throw new UsageError(`--limits: expected one of ${ENFORCED_LIMITS.join(", ")}, received ${text}`);
}

function logLine({ method, url, status }: RecordedRequest): string {
  const { pathname, search } = new URL(url);
  // The key of a recording stays out of the log, because anybody with the key can download the recording.
  const path = pathname.startsWith("/recordings/") ? "/recordings/…" : pathname + search;
  return `${method} ${path} ${status ?? "broken off"}`;
}

export async function serve(args: string[]): Promise<void> {
  const { values } = readArguments(args, OPTIONS);
  const port = readNumber("port", values.port, isPort, "a number from 0 to 65535");
  const speed = readNumber("speed", values.speed, (value) => value > 0, "a number above 0");
  const seed = readSeed(values.seed);
  const service = createEmulator({
    ...seed,
    token: values.token,
    limits: readLimits(values.limits),
    now: Date.now,
    speed,
    strict: !values.lenient,
    onRequest: (request) => console.log(logLine(request)),
  });
  const { url, close } = await service.listen({
    port,
    host: values.host,
    hosts: values["allow-host"],
    cors: values.cors,
    control: values.control,
    log: (line) => console.error(line),
  });
  const tokens = seed.accounts === undefined ? [service.token] : Object.keys(seed.accounts);
  console.log([`address: ${url}`, ...tokens.map((token) => `token:   ${token}`)].join("\n"));

  const end = () => {
    close().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, end);
  if (!values.detached) whenParentEnds(end);
}

const PARENT_POLL_MS = 250;

/** Runs `end` when the process that started this one has ended, so that `npx … & kill $!` ends the command, too. */
function whenParentEnds(end: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (isParent(parent)) return;
    clearInterval(timer);
    end();
  }, PARENT_POLL_MS);
  timer.unref();
}

/** Whether the parent is still running. On Windows, `process.ppid` does not change when the parent ends. */
function isParent(pid: number): boolean {
  if (process.platform !== "win32") return process.ppid === pid;
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
