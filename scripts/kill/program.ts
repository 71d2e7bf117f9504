/** Runs a program in a separate process, which can be killed with SIGKILL at any point. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { bundlePrograms } from "../bundle-programs.js";

/** A program that takes this long hangs. None needs so long, even on a busy machine. */
const HANGS_AFTER_MS = 120_000;

/** The result of one part: a promise, the differences from it, and figures. */
export interface Finding {
  promise: string;
  /** The differences; empty if the promise holds. */
  differences: readonly string[];
  figures: string;
}

export interface RunningProgram {
  kill(): void;
  /** Resolves to `true` if the program was killed, and to `false` if it completed. Rejects if it failed or hung. */
  wasKilled(): Promise<boolean>;
  /** The URL that the program sends when its server listens. */
  url(): Promise<string>;
}

export interface Program extends AsyncDisposable {
  start(args: readonly string[], env?: Record<string, string>): RunningProgram;
}

export async function bundleProgram(path: string): Promise<Program> {
  const folder = await mkdtemp(join(tmpdir(), "kill-program-"));
  await bundlePrograms([path], folder);
  const file = join(folder, `${basename(path, ".ts")}.mjs`);
  return {
    start: (args, env = {}) => start(file, args, env),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

function start(file: string, args: readonly string[], env: Record<string, string>): RunningProgram {
  const child = spawn(process.execPath, [file, ...args], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  let problems = "";
  child.stderr?.on("data", (text) => {
    problems += text;
  });
  const ended = once(child, "close");
  const firstMessage = once(child, "message");
  let isHung = false;
  /** Waits for one of the events, and kills a program that hangs. */
  async function first<T>(...events: Promise<T>[]): Promise<T> {
    const timer = setTimeout(() => {
      isHung = true;
      child.kill("SIGKILL");
    }, HANGS_AFTER_MS);
    return Promise.race(events).finally(() => clearTimeout(timer));
  }
  const failure = (end: unknown) =>
    new Error(`${basename(file)} ${isHung ? "hung" : `ended with ${end}`}: ${problems}`);
  return {
    kill: () => void child.kill("SIGKILL"),
    async wasKilled() {
      const [exitCode, signal] = await first(ended);
      if (isHung || (exitCode !== 0 && signal !== "SIGKILL")) throw failure(exitCode);
      return signal === "SIGKILL";
    },
    async url() {
      const [message] = await first(firstMessage, ended);
      if (typeof message?.url !== "string") throw failure(message);
      return message.url;
    },
  };
}
