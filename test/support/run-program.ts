/** Runs one of the repository's programs, as `npm start` does. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../..", import.meta.url));

export interface Finished {
  exitCode: number | null;
  /** The output of both streams, in its order. */
  output: string;
}

/**
 * `file` is relative to `cwd`, or absolute. In the repository, the package's names resolve to its source. The program
 * gets only the service's variables that are passed here.
 */
export async function runProgram(
  file: string,
  args: readonly string[] = [],
  env: Record<string, string> = {},
  cwd = root,
): Promise<Finished> {
  const { NOTETAKER_BASE_URL: _, NOTETAKER_TOKEN: __, ...inherited } = process.env;
  const child = spawn(process.execPath, ["--import", import.meta.resolve("tsx"), file, ...args], {
    cwd,
    env: { ...inherited, NO_COLOR: "1", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => output.push(String(chunk)));
  const [exitCode] = (await once(child, "close")) as [number | null];
  return { exitCode, output: output.join("") };
}
