/** A program that listens, in a process of its own, which is killed when the test has ended, whatever came of it. */
import { spawn } from "node:child_process";
import { onTestFinished } from "vitest";

/** The variables of this process, without those that Vitest sets and those of the service. */
export function plainEnvironment(): NodeJS.ProcessEnv {
  const left = Object.entries(process.env).filter(([name]) => !/^(NODE_ENV|VITEST.*|NOTETAKER_.*)$/.test(name));
  return Object.fromEntries(left) as NodeJS.ProcessEnv;
}

export interface StartedServer {
  /** What it has printed so far, both streams. */
  output(): string;
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
    // A group of its own: its children end with it.
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
  for (;;) {
    if (child.exitCode !== null) throw new Error(`${args.join(" ")} ended with ${child.exitCode}: ${output()}`);
    const response = await fetch(url).catch(() => undefined);
    await response?.body?.cancel();
    if (response !== undefined) return { output };
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
