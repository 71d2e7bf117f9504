/** A server in a separate process, which is killed at the end of the test in any case. */
import { spawn } from "node:child_process";
import { onTestFinished } from "vitest";

/** The variables of this process, without those of Vitest and those of the service. */
export function plainEnvironment(): NodeJS.ProcessEnv {
  const left = Object.entries(process.env).filter(([name]) => !/^(NODE_ENV|VITEST.*|NOTETAKER_.*)$/.test(name));
  return Object.fromEntries(left) as NodeJS.ProcessEnv;
}

export interface StartedServer {
  /** The output so far, of both streams. */
  output(): string;
  /** Sends SIGTERM, and resolves to the exit code. */
  stop(): Promise<number | null>;
}

/** Starts `node …args` in `cwd`, and resolves when `url` responds. */
export async function startServer(
  args: readonly string[],
  { cwd, env, url }: { cwd: string; env: Record<string, string>; url: string },
): Promise<StartedServer> {
  const child = spawn(process.execPath, args, {
    cwd,
    env: { ...plainEnvironment(), ...env },
    stdio: ["ignore", "pipe", "pipe"],
    // A process group: child processes end with the process.
    detached: process.platform !== "win32",
  });
  const printed: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => printed.push(String(chunk)));
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  onTestFinished(async () => {
    if (child.exitCode === null && child.pid !== undefined) {
      if (process.platform === "win32") child.kill("SIGKILL");
      else process.kill(-child.pid, "SIGKILL");
    }
    await ended;
  });
  const output = () => printed.join("");
  const stop = async () => {
    child.kill("SIGTERM");
    await ended;
    return child.exitCode;
  };
  for (;;) {
    if (child.exitCode !== null) throw new Error(`${args.join(" ")} ended with ${child.exitCode}: ${output()}`);
    const response = await fetch(url).catch(() => undefined);
    await response?.arrayBuffer(); // its connection is idle then, and does not keep the server from ending
    if (response !== undefined) return { output, stop };
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
