/** Kills a program during its work. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Emulator } from "notetaker-sdk/testing";
import { onTestFinished } from "vitest";

/** Runs a program with tsx, and kills it with SIGKILL after it has sent `count` requests. */
export async function killAtRequest(
  service: Emulator,
  count: number,
  { cwd, args, env }: { cwd: string; args: readonly string[]; env: Record<string, string> },
): Promise<void> {
  const child = spawn(process.execPath, ["--import", import.meta.resolve("tsx"), ...args], {
    cwd,
    env: { ...process.env, ...env },
    stdio: ["ignore", "ignore", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let errors = "";
  child.stderr.on("data", (data) => (errors += String(data)));
  const exited = once(child, "exit");
  while (service.requests.length < count) {
    if (child.exitCode !== null) throw new Error(`it ended by itself with ${child.exitCode}: ${errors}`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  child.kill("SIGKILL");
  await exited;
}
