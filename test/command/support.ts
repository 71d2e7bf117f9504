/** The command in this process, and as a program of its own. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { build } from "esbuild";
import { onTestFinished } from "vitest";
import { run } from "../../src/command/run.js";
import { root } from "../support/run-program.js";
import { listening } from "../support/servers.js";

/** A service that never responds, and the environment of a command that calls it. */
export async function silentService(token: string) {
  const server = createServer(() => {});
  const url = await listening(server);
  const env = { NOTETAKER_TOKEN: token, NOTETAKER_BASE_URL: `${url}/v1`, NOTETAKER_WEBHOOK_SECRET: token };
  return { server, url, env };
}

export type Environment = Record<string, string | undefined>;

export async function runCommand(
  args: string[],
  env: Environment = {},
  { isTTY = false, signal = new AbortController().signal } = {},
) {
  const output = { stdout: "", stderr: "" };
  const stream = (name: "stdout" | "stderr") => ({
    write: (text: string | Uint8Array) => {
      output[name] += String(text);
    },
    isTTY,
  });
  const exitCode = await run(args, {
    env,
    stdin: Readable.from([]),
    stdout: stream("stdout"),
    stderr: stream("stderr"),
    signal,
  });
  return { exitCode, ...output };
}

let program: Promise<string> | undefined;

/** The command as one file for Node, built from the source once. */
async function built(): Promise<string> {
  const outfile = join(mkdtempSync(join(tmpdir(), "notetaker-command-")), "notetaker-sdk.mjs");
  const entryPoints = [join(root, "src/command/cli.ts")];
  await build({ entryPoints, outfile, bundle: true, platform: "node", format: "esm", external: ["msw"] });
  return outfile;
}

export const executable = (): Promise<string> => {
  program ??= built();
  return program;
};

/** Starts the command as a program. `output` grows while it runs; `ended` resolves to the exit code and the signal. */
export async function startCommand(args: string[], env: Environment = {}) {
  const child: ChildProcess = spawn(process.execPath, [await executable(), ...args], { env });
  onTestFinished(() => void child.kill("SIGKILL"));
  const output = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name]?.on("data", (chunk) => {
      output[name] += String(chunk);
    });
  }
  const ended = once(child, "close").then(([exitCode]) => exitCode as number | null);
  return { child, output, ended };
}
