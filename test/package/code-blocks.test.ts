/**
 * Every code block of the README and the guides is compiled with the types of the packed package, run, or a command
 * that another test runs.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createEmulator } from "notetaker-sdk/testing";
import ts from "typescript";
import { expect, inject, test } from "vitest";
import { codeBlocks } from "../support/code-blocks.js";
import { root, runProgram } from "../support/run-program.js";

const blocks = codeBlocks();
/**
 * A sketch needs a package, or a newer version of Node, that is not installed here. A block that shows a recipe is
 * compiled and run in the tests of the recipes.
 */
const programs = blocks.filter(
  ({ language, flag }) =>
    ["ts", "tsx", "js", "mjs", "typescript"].includes(language) &&
    !flag.split(" ").includes("sketch") &&
    !flag.startsWith("examples/recipes/"),
);

/** Names that a block may use without declaring them, because its page has introduced them. */
const PRELUDE = `declare const notetaker: import("notetaker-sdk").Notetaker;\n`;

/** The compiler options of this repository, with the package's names resolved to the files that users install. */
function compilerOptions(): ts.CompilerOptions {
  const config = ts.readConfigFile(join(root, "tsconfig.json"), ts.sys.readFile).config;
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const types = join(inject("installed"), "node_modules/notetaker-sdk/dist/types");
  const paths = { "notetaker-sdk": [join(types, "index.d.ts")], "notetaker-sdk/*": [join(types, "*/index.d.ts")] };
  return { ...options, paths, noUnusedLocals: false, noUnusedParameters: false };
}

test("every program in the README and the guides compiles", () => {
  const folder = mkdtempSync(join(root, "test/.blocks-"));
  try {
    const files = programs.map(({ code, flag }, index) => {
      const file = join(folder, `block-${index}.${flag.includes("jsx") ? "tsx" : "ts"}`);
      const declares = /\b(const|let) notetaker\b/.test(code);
      writeFileSync(file, `${code}\n${declares ? "" : PRELUDE}export {};\n`);
      return file;
    });
    const program = ts.createProgram(files, compilerOptions());
    const found = files.flatMap((file, index) =>
      ts.getPreEmitDiagnostics(program, program.getSourceFile(file)).map((diagnostic) => {
        const text = ts.flattenDiagnosticMessageText(diagnostic.messageText, "\n");
        return `${programs[index]!.at}: ${text}`;
      }),
    );
    expect(found).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

const runnable = programs.filter(({ flag }) => flag.split(" ").includes("run"));

test("every JavaScript program in the README and the guides has valid syntax", () => {
  const scripts = blocks.filter(({ language }) => ["javascript", "js", "mjs"].includes(language));
  const found = scripts.flatMap(({ at, code }) => {
    const compilerOptions = { allowJs: true, module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 };
    const { diagnostics = [] } = ts.transpileModule(code, {
      compilerOptions,
      fileName: "block.mjs",
      reportDiagnostics: true,
    });
    return diagnostics.map(({ messageText }) => `${at}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`);
  });
  expect(scripts.length).toBeGreaterThan(0);
  expect(found).toEqual([]);
});

test.each(runnable)("the program at $at runs without an error", async ({ code }) => {
  const service = createEmulator();
  const { url, close } = await service.listen({ port: 0 });
  const folder = mkdtempSync(join(root, "test/.blocks-"));
  try {
    const file = join(folder, "program.ts");
    writeFileSync(file, code);
    const { exitCode, output } = await runProgram(file, [], {
      NOTETAKER_BASE_URL: url,
      NOTETAKER_TOKEN: service.token,
    });
    expect(exitCode, output).toBe(0);
    // A program that creates its own emulator does not use this one.
    expect(service.requests.length > 0).toBe(!code.includes("createEmulator"));
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await close();
  }
});
