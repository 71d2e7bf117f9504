/** docs/recipes.md shows the programs of examples/recipes, unchanged. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { codeBlocks } from "../support/code-blocks.js";
import { root } from "../support/run-program.js";

const shown = codeBlocks().filter(({ flag }) => flag.startsWith("examples/recipes/"));

describe("docs/recipes.md", () => {
  it("shows each file unchanged (`npm run recipes` writes the page)", () => {
    const outdated = shown.filter(({ flag, code }) => code !== readFileSync(join(root, flag), "utf8"));
    expect(outdated.map(({ at, flag }) => `${at}: ${flag}`)).toEqual([]);
  });

  it("shows a file of every folder of examples/recipes, and no file twice", () => {
    const folders = readdirSync(join(root, "examples/recipes"));
    const files = shown.map(({ flag }) => flag);
    expect(new Set(files.map((file) => file.split("/")[2]))).toEqual(new Set(folders));
    expect(files).toEqual([...new Set(files)]);
  });
});
