/** The guides name every option that a user can set. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { clientOptionsSchema } from "../../src/transport/client-options.js";
import { requestOptionsSchema } from "../../src/transport/request-options.js";
import { root } from "../support/run-program.js";

test("a guide names each option of the client and of a call", () => {
  const folder = join(root, "docs");
  const text = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => /^\w.*\.md$/.test(name) && !name.startsWith("recipes"))
    .map((name) => readFileSync(join(folder, name), "utf8"))
    .join("\n");
  const names = [clientOptionsSchema, requestOptionsSchema].flatMap(({ shape }) => Object.keys(shape));
  expect(names).toContain("maxResponseBytes");
  // In code: `name`, `name: value`, or a line of an example.
  expect(names.filter((name) => !new RegExp(`\`${name}\\b|\\b${name}:`).test(text))).toEqual([]);
});
