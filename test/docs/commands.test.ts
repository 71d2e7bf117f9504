/** A command without its package could be anybody's: `npx notetaker-emulator` asks the registry for that name. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../support/run-program.js";

const filesIn = (folder: string, ending: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(ending))
    .map((name) => `${folder}/${name}`);

test("every text that names a command names its package, too", () => {
  const files = ["README.md", "openapi.json", ...filesIn("docs", ".md"), ...filesIn("src", ".ts")];
  const texts = files.flatMap(
    (name) => readFileSync(join(root, name), "utf8").match(/npx[^\n`]*notetaker-(emulator|doctor)/g) ?? [],
  );
  expect(texts.length).toBeGreaterThan(10);
  expect(texts.filter((text) => !/^npx (--yes )?-p notetaker-sdk notetaker-/.test(text))).toEqual([]);
});
