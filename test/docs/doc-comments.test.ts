/** The form of doc comments that editors and the reference of the site both show correctly. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../support/run-program.js";

/** TypeScript takes the first braces after `@throws` as a type, and the reference leaves them out. */
test("each @throws with a link names the class before the link: @throws {X} {@link X}", () => {
  const folder = join(root, "src");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
  const found = files.flatMap((name) =>
    [...readFileSync(join(folder, name), "utf8").matchAll(/@throws (\{@link.*|\{(\w+)\} \{@link (?!\2\}).*)/g)].map(
      ([text]) => `${name}: ${text}`,
    ),
  );
  expect(files.length).toBeGreaterThan(0);
  expect(found).toEqual([]);
});
