/** The installed command `notetaker-sdk` as a process of its own. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { inject, onTestFinished } from "vitest";

export const installed = inject("installed");
export const command = join(installed, "node_modules/.bin/notetaker-sdk");

/** Collects the output of a process until it matches `pattern`. */
export async function printed(child: ChildProcess, pattern: RegExp): Promise<string> {
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => (output += String(chunk)));
  while (!pattern.test(output)) {
    if (child.exitCode !== null) throw new Error(`ended with ${child.exitCode} before ${pattern}: ${output}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return output;
}

/** Starts the emulator on a free port. */
export async function started(...args: string[]) {
  const child = spawn(command, ["emulator", "--port", "0", ...args], { cwd: installed });
  onTestFinished(() => void child.kill("SIGKILL"));
  const output = await printed(child, /token: +\S+\n/);
  const url = /address: +(\S+)/.exec(output)?.[1] ?? "";
  const [token = "", ...otherTokens] = [...output.matchAll(/token: +(\S+)/g)].map(([, value = ""]) => value);
  return { child, url, token, otherTokens, headers: { authorization: `Bearer ${token}` } };
}

/** Runs the command to its end, while servers of this process respond. */
export async function ended(args: readonly string[], env: Record<string, string> = {}) {
  const child = spawn(command, args, { cwd: installed, env: { ...process.env, ...env } });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += String(chunk)));
  const [status] = await once(child, "close");
  return { status, output };
}
