/** A program in a process of its own, which is killed with SIGKILL at any point. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("../..", import.meta.url));
/** No program here takes this long, however busy the machine is. */
const HANGS_AFTER_MS = 120_000;
/** What is bundled from CommonJS requires Node's own modules. */
const banner = `import{createRequire}from"node:module";const require=createRequire(import.meta.url);`;

export interface Program extends AsyncDisposable {
  start(args: readonly string[], env?: Record<string, string>): RunningProgram;
}

/** Bundles the program of this path in the repository, with the library's source, so that it starts at once. */
export async function bundleProgram(path: string): Promise<Program> {
  const folder = await mkdtemp(join(tmpdir(), "kill-program-"));
  const outfile = join(folder, "program.mjs");
  const options = { bundle: true, platform: "node", format: "esm", target: "node20", logLevel: "error" } as const;
  await build({ ...options, entryPoints: [join(root, path)], outfile, banner: { js: banner } });
  return {
    start: (args, env = {}) => new RunningProgram(path, outfile, args, env),
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

  /** Whether it was killed; `false` if it came to its end. A program that fails or hangs is an error of this script. */
  async wasKilled(): Promise<boolean> {
    await within(this.#ended, `the end of ${this.#path}`, () => this.kill());
    if (this.#child.signalCode === "SIGKILL") return true;
    if (this.#child.exitCode === 0) return false;
    throw new Error(`${this.#path} ended with ${this.#child.exitCode}: ${this.#output}`);
  }

  /** The field of the first message that has it; `undefined` if the program ended before. */
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

/** The result, or an error that says what was waited for. */
async function within<T>(result: Promise<T>, what: string, giveUp: () => void): Promise<T> {
  const timer = new AbortController();
  const late = sleep(HANGS_AFTER_MS, undefined, { signal: timer.signal }).then(() => {
    giveUp();
    throw new Error(`waited ${HANGS_AFTER_MS / 1000} s in vain for ${what}`);
  });
  late.catch(() => {});
  try {
    return await Promise.race([result, late]);
  } finally {
    timer.abort();
  }
}
