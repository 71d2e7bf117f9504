/**
 * Compiles a recipe with its own tsconfig.json, as its reader does. Its globals and strictness differ from this
 * repository.
 */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { root } from "../../support/run-program.js";

/** The compiler's output for the program in `folder`; empty if it compiles. */
export async function typeErrors(folder: string): Promise<string> {
  const compiler = join(root, "node_modules/typescript/bin/tsc");
  const args = [compiler, "--noEmit", "-p", join(folder, "tsconfig.json")];
  const ended = await promisify(execFile)(process.execPath, args).catch((error: { stdout: string }) => error);
  return ended.stdout;
}
