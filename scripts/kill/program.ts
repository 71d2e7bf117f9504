/** Runs a program in a separate process, which can be killed with SIGKILL at any point. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { bundlePrograms } from "../bundle-programs.js";

/** A program that takes this long hangs. None needs so long, even on a busy machine. */
const HANGS_AFTER_MS = 120_000;

export interface Program extends AsyncDisposable {
  start(args: readonly string[], env?: Record<string, string>): RunningProgram;
}

export async function bundleProgram(path: string): Promise<Program> {
  const folder = await mkdtemp(join(tmpdir(), "kill-program-"));
  await bundlePrograms([path], folder);
  const file = join(folder, `${basename(path, ".ts")}.mjs`);
  return {
    start: (args, env = {}) => new RunningProgram(path, file, args, env),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

export class RunningProgram {
  readonly #path: string;
  readonly #child: ChildProcess;
  readonly #messages: Record<string, unknown>[] = [];
  readonly #ended: Promise<void>;
  #output = "";

  constructor(path: string, file: string, args: readonly string[], env: Record<string, string>) {
    this.#path = path;
    const stdio = ["ignore", "pipe", "pipe", "ipc"] as const;
    const { NOTETAKER_BASE_URL: _, NOTETAKER_TOKEN: __, ...inherited } = process.env;
    this.#child = spawn(process.execPath, [file, ...args], { env: { ...inherited, ...env }, stdio: [...stdio] });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.on("data", (chunk) => {
        this.#output += chunk;
      });
    }
    this.#child.on("message", (message) => this.#messages.push(message as Record<string, unknown>));
    this.#ended = new Promise((resolve) => this.#child.once("close", () => resolve()));
  }

  kill(): void {
    this.#child.kill("SIGKILL");
  }

  get isAlive(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /**
   * Waits for the end of the program. Resolves to `true` if it was killed, and to `false` if it completed. Rejects if
   * it failed or hung.
   */
  async wasKilled(): Promise<boolean> {
    await within(this.#ended, `the end of ${this.#path}`, () => this.kill());
    if (this.#child.signalCode === "SIGKILL") return true;
    if (this.#child.exitCode === 0) return false;
    throw new Error(`${this.#path} ended with ${this.#child.exitCode}: ${this.#output}`);
  }

  /**
   * The value of the field in the first message that has it; `undefined` if the program ended without such a message.
   */
  async message(field: string): Promise<unknown> {
    const found = async () => {
      for (;;) {
        const message = this.#messages.find((one) => field in one);
        if (message !== undefined) return message[field];
        if (!this.isAlive) return undefined;
        await sleep(2);
      }
    };
    return within(found(), `the message "${field}" of ${this.#path}`, () => this.kill());
  }
}

/** Waits for the result. After the time limit, throws an error that names it. */
async function within<T>(result: Promise<T>, what: string, giveUp: () => void): Promise<T> {
  const timer = new AbortController();
  const late = sleep(HANGS_AFTER_MS, undefined, { signal: timer.signal }).then(() => {
    giveUp();
    throw new Error(`${what} did not come within ${HANGS_AFTER_MS / 1000} s`);
  });
  late.catch(() => {});
  try {
    return await Promise.race([result, late]);
  } finally {
    timer.abort();
  }
}
