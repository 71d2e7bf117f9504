/** Starts a server program, and ends it with the test. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { onTestFinished } from "vitest";

export interface StartedProgram {
  /** The server's URL or port, from its output: it prints `port: 1234` or a URL. */
  url: string;
  /** The output so far. */
  output(): string;
  /** Waits until the output contains this. */
  printed(pattern: RegExp): Promise<RegExpMatchArray>;
  /** Sends SIGTERM, and resolves to the exit code. */
  stop(): Promise<number | null>;
}

const LISTENS = /(?:port: |127\.0\.0\.1:)(\d+)/;

/** `program` is a file, or a file and its arguments. A TypeScript file is run with tsx. Its port is free (`PORT` is 0). It prints `ready` after it has started. */
export async function startProgram(
  cwd: string,
  program: string | readonly string[],
  env: Record<string, string>,
  ready = LISTENS,
): Promise<StartedProgram> {
  const [file = "", ...args] = [program].flat();
  const loader = /\.[cm]?ts$/.test(file) ? ["--import", import.meta.resolve("tsx")] : [];
  const child = spawn(process.execPath, [...loader, file, ...args], {
    cwd,
    env: { ...process.env, NO_COLOR: "1", PORT: "0", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const exited = once(child, "exit");
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (printed += String(data)));
  onTestFinished(() => void child.kill("SIGKILL"));

  const waitFor = async (pattern: RegExp): Promise<RegExpMatchArray> => {
    for (let waited = 0; waited < 240_000; waited += 20) {
      const match = printed.match(pattern);
      if (match) return match;
      if (child.exitCode !== null) break;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    throw new Error(`${file} has not printed ${pattern}: ${printed}`);
  };
  const [, port] = await waitFor(ready);
  return {
    url: `http://127.0.0.1:${port}`,
    output: () => printed,
    printed: waitFor,
    async stop() {
      child.kill("SIGTERM");
      const [exitCode] = (await exited) as [number | null];
      return exitCode;
    },
  };
}
