/** The examples, recipes and their tests compile with the types of the packed package. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { examples } from "./support/run-folder.js";
import { typeErrors } from "./support/type-check.js";

test("every example and recipe without its own project compiles", async () => {
  expect(await typeErrors(join(examples, "tsconfig.json"))).toBe("");
});
