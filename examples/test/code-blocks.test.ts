/** The code blocks of the README and the guides: each program compiles with the packed types. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { codeBlocks } from "../../test/support/code-blocks.js";
import { examples, runFolder } from "./support/run-folder.js";
import { typeErrors } from "./support/type-check.js";

const blocks = codeBlocks();
/**
 * A sketch needs a package, or a newer version of Node, that is not installed here. A block that shows a recipe, the
 * server of an upload or the web application is compiled and run in their tests.
 */
const programs = blocks.filter(
  ({ language, flag }) =>
    ["ts", "tsx", "js", "mjs", "typescript"].includes(language) &&
    !flag.split(" ").includes("sketch") &&
    !/^examples\/(recipes|upload-server|web-app)\//.test(flag),
);

/** Names that a block may use without declaring them, because its page has introduced them. */
const PRELUDE = `declare const notetaker: import("notetaker-sdk").Notetaker;\n`;

test("every program in the README and the guides compiles with the packed types", async () => {
  const folder = runFolder();
  for (const [index, { code, flag }] of programs.entries()) {
    const declares = /\b(const|let) notetaker\b/.test(code);
    const file = join(folder, `block-${index}.${flag.includes("jsx") ? "tsx" : "ts"}`);
    writeFileSync(file, `${code}\n${declares ? "" : PRELUDE}export {};\n`);
  }
  const compilerOptions = { noUnusedLocals: false, noUnusedParameters: false };
  const config = { extends: join(examples, "tsconfig.json"), compilerOptions, include: ["block-*"], exclude: [] };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
  const errors = await typeErrors(folder);
  expect(
    errors.replaceAll(/\S*block-(\d+)\.tsx?\((\d+),/g, (_, index, line) => `${programs[index]?.at} + ${line} (`),
  ).toBe("");
});

test("every JavaScript program in the README and the guides has valid syntax", async () => {
  const scripts = blocks.filter(({ language }) => ["javascript", "js", "mjs"].includes(language));
  expect(scripts.length).toBeGreaterThan(0);
  const { transform } = await import("esbuild");
  for (const { code, at } of scripts) await expect(transform(code, { format: "esm" }), at).resolves.toBeDefined();
});
