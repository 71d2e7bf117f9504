/** The recipes for servers and scripts compile in a strict project with the types of the packed package. */
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, inject, onTestFinished, test } from "vitest";
import { root } from "../support/run-program.js";

const recipes = join(root, "examples/recipes");

/** The other packages that the recipes import. */
const PACKAGES = [
  "@langchain/core",
  "@slack/web-api",
  "@types/express",
  "@types/node",
  "@types/pg",
  "ai",
  "bullmq",
  "commander",
  "express",
  "hyparquet-writer",
  "pg",
  "vitest",
];

const compilerOptions = {
  target: "ES2022",
  module: "NodeNext",
  lib: ["ES2023", "DOM", "DOM.Iterable", "DOM.AsyncIterable"],
  types: ["node"],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: true,
  noEmit: true,
};

test("every recipe without its own project compiles with the packed types", () => {
  const folder = mkdtempSync(join(tmpdir(), "recipes-types-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const own = ["tsconfig.json", "tsconfig.jsonc", "package.json"];
  const compiled = readdirSync(recipes).filter((name) => {
    const files = readdirSync(join(recipes, name));
    return (
      files.some((file) => file.endsWith(".ts")) && !files.some((file) => own.includes(file) || file.endsWith(".tsx"))
    );
  });
  expect(compiled).toContain("express-bullmq");
  for (const name of compiled) cpSync(join(recipes, name), join(folder, name), { recursive: true });
  const link = (target: string, name: string) => {
    mkdirSync(dirname(join(folder, "node_modules", name)), { recursive: true });
    symlinkSync(target, join(folder, "node_modules", name), "junction");
  };
  link(join(inject("installed"), "node_modules/notetaker-sdk"), "notetaker-sdk");
  for (const name of PACKAGES) link(join(root, "node_modules", name), name);
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["**/*.ts"] }));

  const compiler = join(root, "node_modules/typescript7/bin/tsc");
  const { stdout, status } = spawnSync(process.execPath, [compiler, "-p", folder], { encoding: "utf8" });
  expect(stdout).toBe("");
  expect(status).toBe(0);
});
