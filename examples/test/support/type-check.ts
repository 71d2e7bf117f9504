/** Compiles a program as its reader does, with the fast compiler. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { programOf } from "./run-folder.js";

/** The compiler's output for a `tsconfig.json` or its folder; empty if it compiles. */
export async function typeErrors(project: string, ...options: string[]): Promise<string> {
  const args = [programOf("typescript7/bin/tsc"), "-p", project, "--pretty", "false", ...options];
  const ended = await promisify(execFile)(process.execPath, args, { maxBuffer: 1e7 }).catch(
    (error: { stdout: string }) => error,
  );
  return ended.stdout;
}
