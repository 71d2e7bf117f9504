/** Starts a program, and ends it with the test, together with the processes that it has started. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { onTestFinished } from "vitest";

/** The variables of this process, without those of npm, Vitest and the service. */
export function plainEnvironment() {
  const ours = /^(npm_.*|INIT_CWD|NODE_ENV|VITEST.*|NOTETAKER_.*)$/i;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !ours.test(name))) as NodeJS.ProcessEnv;
}

export interface StartedProgram {
  /** The server's URL, from the first port of this machine in its output. */
  url: string;
  /** The output so far, of both streams. */
  output(): string;
  /** Waits until the output contains this. */
  printed(pattern: RegExp): Promise<RegExpMatchArray>;
  /** Sends SIGTERM, and resolves to the exit code. */
  stop(): Promise<number | null>;
}

const PORT = /(?:port: |127\.0\.0\.1:)(\d+)/;

/** Starts a command. `ready` is what it prints after it has started, or a URL that responds then. */
export async function startCommand(
  cwd: string,
  [command = "", ...args]: readonly string[],
  env: NodeJS.ProcessEnv = {},
  ready: RegExp | string = PORT,
): Promise<StartedProgram> {
  const child = spawn(command, args, {
    cwd,
    env: { ...plainEnvironment(), NO_COLOR: "1", PORT: "0", ...env },
    stdio: ["ignore", "pipe", "pipe"],
    detached: process.platform !== "win32", // a process group
  });
  const closed = once(child, "close") as Promise<[number | null]>;
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (printed += String(data)));
  onTestFinished(async () => {
    try {
      if (process.platform === "win32") child.kill("SIGKILL");
      else process.kill(-(child.pid as number), "SIGKILL");
    } catch {
      // Every process of the group has ended.
    }
    await closed;
  });

  async function until<T>(found: () => T | undefined | Promise<T | undefined>): Promise<T> {
    for (let waited = 0; waited < 240_000; waited += 50) {
      const result = await found();
      if (result !== undefined) return result;
      if (child.exitCode !== null) break;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(`${[command, ...args].join(" ")} is not ready, exit code ${child.exitCode}: ${printed}`);
  }
  async function responds(url: string) {
    const response = await fetch(url).catch(() => undefined);
    await response?.arrayBuffer(); // its connection is idle then, and does not keep the server from ending
    return response;
  }
  const waitFor = (pattern: RegExp) => until(() => printed.match(pattern) ?? undefined);
  await (typeof ready === "string" ? until(() => responds(ready)) : waitFor(ready));
  return {
    url: `http://127.0.0.1:${PORT.exec(printed)?.[1]}`,
    output: () => printed,
    printed: waitFor,
    async stop() {
      child.kill("SIGTERM");
      const [exitCode] = await closed;
      return exitCode;
    },
  };
}

/** Starts a program of Node: a file, or a file and its arguments. A TypeScript file is run with tsx. Its port is free. */
export function startProgram(
  cwd: string,
  program: string | readonly string[],
  env?: NodeJS.ProcessEnv,
  ready?: RegExp | string,
): Promise<StartedProgram> {
  const [file = "", ...args] = [program].flat();
  const loader = /\.[cm]?ts$/.test(file) ? ["--import", import.meta.resolve("tsx")] : [];
  return startCommand(cwd, [process.execPath, ...loader, file, ...args], env, ready);
}
