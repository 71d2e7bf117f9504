/** The table of docs/errors.md agrees with the error classes. */
import { readFileSync } from "node:fs";
import * as sdk from "notetaker-sdk";
import { expect, it } from "vitest";
import { oneOfEachClass } from "./one-of-each-class.js";

const guide = readFileSync(new URL("../../docs/errors.md", import.meta.url), "utf8");

/** The columns: class, when, outcome, retryable, what to do. */
const rows = [...guide.matchAll(/^\| `(\w+Error)` \| (.*) \|$/gm)].map(([, name, cells]) => ({
  name: name ?? "",
  outcome: cells?.split(" | ")[1] ?? "",
}));

it("the table of docs/errors.md has a row for every error class", () => {
  const classes = oneOfEachClass(sdk).map(({ name }) => name);
  expect([...new Set(rows.map(({ name }) => name))].sort()).toEqual(classes.sort());
});

it.each(oneOfEachClass(sdk).map((error) => [error.name, error] as const))(
  "the table of docs/errors.md shows the outcome of %s",
  (name, error) => {
    const [row] = rows.filter((candidate) => candidate.name === name);
    expect(row?.outcome).toContain(`\`${error.outcome}\``);
  },
);
