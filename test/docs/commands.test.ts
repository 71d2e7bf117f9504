/** Texts name the command as it is called: `npx notetaker-sdk`, and a command that exists. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCommand } from "../command/support.js";
import { root } from "../support/run-program.js";

const filesIn = (folder: string, ending: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(ending) && !/node_modules|\bdist\b/.test(name))
    .map((name) => `${folder}/${name}`);

test("every text that names a command names one that exists", async () => {
  const sources = ["README.md", "CHANGELOG.md", "openapi.json", ...filesIn("docs", ".md"), ...filesIn("src", ".ts")];
  const texts = [...sources, ...filesIn(".github", ".yml"), ...filesIn("examples", ".ts")].map((name) =>
    readFileSync(join(root, name), "utf8"),
  );
  const named = texts.flatMap((text) =>
    [...text.matchAll(/npx[^\n`]*?notetaker-sdk\s+(?!-p )([\w-]+)/g)].map(([, name]) => name),
  );
  expect(named.length).toBeGreaterThan(10);
  const { stdout } = await runCommand([]);
  const commands = [...stdout.matchAll(/^ {2}([a-z]+) /gm)].map(([, name]) => name);
  expect(named.filter((name) => !commands.includes(name))).toEqual([]);
  expect(texts.filter((text) => /notetaker-(emulator|doctor)/.test(text))).toEqual([]);
});
