/**
 * Writes the types of the package: one declaration file for each source file that users can reach, for ESM and for
 * CommonJS.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const compiler = fileURLToPath(new URL("../../node_modules/typescript7/bin/tsc", import.meta.url));

const RELATIVE = /((?:from|import)\s*\(?")(\.{1,2}\/[^"]+)\.js"/g;

/**
 * TypeScript before 5.7 has no generic `Uint8Array`. This is the same type in a form that every version understands.
 */
const OWN_BYTES = 'ReturnType<Uint8Array["slice"]>';

/**
 * Compiles `project`, a tsconfig.json, and writes the declarations that `entries` import, directly or indirectly, into
 * `out`.
 */
export function writeDeclarations(project: string, entries: readonly string[], out: string): void {
  const emitted = join(out, "declarations");
  execFileSync(process.execPath, [compiler, "-p", project, "--outDir", emitted], { stdio: "inherit" });
  const written = new Set<string>();
  const write = (path: string) => {
    if (written.has(path)) return;
    written.add(path);
    const text = readFileSync(join(emitted, `${path}.d.ts`), "utf8").replaceAll("Uint8Array<ArrayBuffer>", OWN_BYTES);
    mkdirSync(dirname(join(out, path)), { recursive: true });
    writeFileSync(join(out, `${path}.d.ts`), text);
    writeFileSync(join(out, `${path}.d.cts`), text.replaceAll(RELATIVE, '$1$2.cjs"'));
    for (const [, , next = ""] of text.matchAll(RELATIVE)) write(join(dirname(path), next));
  };
  for (const entry of entries) write(entry);
  rmSync(emitted, { recursive: true });
}
