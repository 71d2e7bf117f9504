/** No size of a bundle in a guide is written by hand. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../support/run-program.js";

const read = (path: string) => readFileSync(join(root, path), "utf8");

test("each size in a table is a limit that npm run size enforces, or one that a weekly job measures", () => {
  const limits = (JSON.parse(read(".size-limit.json")) as { limit: string }[]).map(
    ({ limit }) => `${(Number.parseInt(limit, 10) / 1000).toFixed(1)} KB`,
  );
  const guides = readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    // `scripts/bundlers.ts` measures the sizes of this page.
    .filter((name) => /^\w.*\.md$/.test(name) && name !== "runtimes.md")
    .map((name) => `docs/${name}`);
  const sizes = ["README.md", ...guides].flatMap((name) =>
    [...read(name).matchAll(/\| (\d[\d.]* KB) \|/g)].map(([, size = ""]) => ({ name, size })),
  );
  expect(sizes.length).toBeGreaterThan(10);
  expect(sizes.filter(({ size }) => !limits.includes(size))).toEqual([]);
});
