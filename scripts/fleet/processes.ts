/** The processes of the example, which can be killed and started again. */
import { type ChildProcess, spawn } from "node:child_process";
import { on, once } from "node:events";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { bundlePrograms } from "../bundle-programs.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const PROGRAMS = ["scripts/fleet/service.ts", "examples/many-accounts/web.ts", "examples/many-accounts/worker.ts"];

/** Compiles the programs, as one does for production, into a folder that goes with this process. */
export async function compilePrograms(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "fleet-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  await bundlePrograms(PROGRAMS, folder);
  cpSync(join(root, "examples/many-accounts/schema.sql"), join(folder, "schema.sql"));
  return folder;
}

export class FleetProcess {
  readonly name: string;
  readonly #file: string;
  readonly #env: NodeJS.ProcessEnv;
  #child: ChildProcess | undefined;
  memory = 0;
  /** The CPU time that it has used since it was last started, in milliseconds. */
  cpuMs = 0;

  constructor(name: string, file: string, env: NodeJS.ProcessEnv) {
    this.name = name;
    this.#file = file;
    this.#env = env;
    process.once("exit", () => this.#child?.kill("SIGKILL"));
  }

  /** Resolves when it has printed `ready`. */
  async start(ready: string): Promise<this> {
    const child = spawn(process.execPath, [this.#file], { env: this.#env, stdio: ["ignore", "pipe", "pipe", "ipc"] });
    this.#child = child;
    child.stderr?.on("data", (data) => {
      if (process.env.FLEET_LOG) process.stderr.write(`${this.name}: ${data}`);
    });
    await new Promise<void>((resolve, reject) => {
      child.once("exit", (code) => reject(new Error(`${this.name} ended with ${code}`)));
      child.stdout?.on("data", (data) => String(data).includes(ready) && resolve());
    });
    return this;
  }

  async ask<T>(command: string): Promise<T> {
    const child = this.#child as ChildProcess;
    child.send(command);
    for await (const [answer] of on(child, "message", { close: ["exit"] })) {
      if (answer.command === command) return answer.result as T;
    }
    throw new Error(`${this.name} has ended`);
  }

  async end(signal: "SIGTERM" | "SIGKILL"): Promise<number> {
    const startedAt = Date.now();
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return 0;
    const exited = once(child, "exit");
    child.kill(signal);
    await exited;
    return Date.now() - startedAt;
  }

  /** Reads its memory and its CPU time, where the system has /proc. */
  measure(): void {
    try {
      const fields = readFileSync(`/proc/${this.#child?.pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
      // In hundredths of a second: user and system.
      this.cpuMs = 10 * (Number(fields[11]) + Number(fields[12]));
      const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${this.#child?.pid}/status`, "utf8")) ?? [];
      this.memory = Math.max(this.memory, Number(kilobytes ?? 0) * 1024);
    } catch {
      // It has just been killed.
    }
  }
}
