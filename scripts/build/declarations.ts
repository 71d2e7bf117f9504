/**
 * Writes the types of the package into `dist/types`: one declaration file for each source file that users can reach.
 * They are CommonJS declarations (`.d.cts`), because an ES module may import those, and not the other way round. So
 * both kinds of modules have the same types. The declarations of an entry point for ES modules only name the others.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

const COMPILER = "node_modules/typescript7/bin/tsc";
const OUT = "dist/types";

const RELATIVE = /((?:from|import)\s*\(?")(\.{1,2}\/[^"]+)\.js"/g;

/**
 * TypeScript before 5.7 has no generic `Uint8Array`. This is the same type in a form that every version understands.
 */
const OWN_BYTES = 'ReturnType<Uint8Array["slice"]>';

/**
 * An interface that only extends another type. The compiler's messages would name that type, `Infer<{ … }>`, and not the
 * interface. With a second one, which adds nothing, they name the interface.
 */
const WITHOUT_MEMBERS = /( extends Infer<[^{\n]*) \{\n\}/g;

/**
 * Writes the declarations that `entryPoints` (paths below `src`, without an extension) import, directly or indirectly.
 */
export function writeDeclarations(entryPoints: readonly string[]): void {
  const emitted = join(OUT, "emitted");
  rmSync(OUT, { recursive: true, force: true });
  execFileSync(process.execPath, [COMPILER, "-p", "tsconfig.build.json", "--outDir", emitted], { stdio: "inherit" });
  const written = new Set<string>();
  const write = (path: string) => {
    if (written.has(path)) return;
    written.add(path);
    const text = readFileSync(join(emitted, `${path}.d.ts`), "utf8")
      .replaceAll("Uint8Array<ArrayBuffer>", OWN_BYTES)
      .replaceAll(WITHOUT_MEMBERS, "$1, Record<never, never> {\n}");
    mkdirSync(dirname(join(OUT, path)), { recursive: true });
    writeFileSync(join(OUT, `${path}.d.cts`), text.replaceAll(RELATIVE, '$1$2.cjs"'));
    for (const [, , next = ""] of text.matchAll(RELATIVE)) write(join(dirname(path), next));
  };
  for (const path of entryPoints) {
    write(path);
    writeFileSync(join(OUT, `${path}.d.ts`), `export * from "./${basename(path)}.cjs";\n`);
  }
  rmSync(emitted, { recursive: true });
}
