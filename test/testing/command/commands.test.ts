/** A command without its package could be anybody's: `npx notetaker-emulator` asks the registry for that name. */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const filesIn = (folder: string, ending: string) =>
  readdirSync(root + folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(ending))
    .map((name) => `${folder}/${name}`);

test("every text that names a command names its package, too", () => {
  const files = ["README.md", "openapi.json", ...filesIn("docs", ".md"), ...filesIn("src", ".ts")];
  const texts = files.flatMap(
    (name) => readFileSync(root + name, "utf8").match(/npx[^\n`]*notetaker-(emulator|doctor)/g) ?? [],
  );
  expect(texts.length).toBeGreaterThan(10);
  expect(texts.filter((text) => !/^npx (--yes )?-p notetaker-sdk notetaker-/.test(text))).toEqual([]);
});
