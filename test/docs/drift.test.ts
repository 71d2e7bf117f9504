/** How a weekly job finds that a table of the guides is no longer true. */
import { expect, test } from "vitest";
import { driftOf, ratioDrift } from "../../scripts/drift.js";

const table = (...rows: string[]) => ["| tool | version | size | works |", "|---|---|---|---|", ...rows].join("\n");
const TOLERANCES = { version: "any", size: 0.05 } as const;

test("a size has drifted if it differs by more than its tolerance, and any other cell if it differs at all", () => {
  const documented = table("| A | 1.0 | 40.0 KB | yes |", "| B | 1.0 | 1,000 (900) | no |");
  expect(driftOf(documented, table("| A | 2.0 | 42.0 KB | yes |", "| B | 1.1 | 950 (1) | no |"), TOLERANCES)).toEqual(
    [],
  );
  expect(
    driftOf(documented, table("| A | 2.0 | 42.1 KB | yes |", "| B | 1.1 | 949 (900) | yes |"), TOLERANCES),
  ).toEqual([
    "A: size: 40.0 KB, measured 42.1 KB",
    "B: size: 1,000 (900), measured 949 (900)",
    "B: works: no, measured yes",
  ]);
});

test("a small size has not drifted if it is only rounded otherwise", () => {
  const documented = table("| A | 1.0 | 1.5 KB | yes |");
  expect(driftOf(documented, table("| A | 1.0 | 1.4 KB | yes |"), TOLERANCES)).toEqual([]);
  expect(driftOf(documented, table("| A | 1.0 | 1.3 KB | yes |"), TOLERANCES)).toHaveLength(1);
});

test("a table with another tool is no longer true, and a tool that is not installed proves nothing", () => {
  const documented = table("| A | 1.0 | 40.0 KB | yes |", "| B | 1.0 | 20.0 KB | yes |");
  expect(driftOf(documented, table("| A | 1.0 | 40.0 KB | yes |"), TOLERANCES)).toHaveLength(1);
  const without = table("| A | 1.0 | 40.0 KB | yes |", "| B | | | not run: it is not installed |");
  expect(driftOf(documented, without, TOLERANCES)).toEqual([]);
});

test("a ratio of a bench has drifted outside of its range by more than 30 %, of this package only", () => {
  const row = (name: string, ratio: string) => `| ${name} | ${ratio} | validates |`;
  const head = ["|  | CPU |  |", "|---|---|---|"];
  const documented = [...head, row("notetaker-sdk", "0.37 (0.26–0.49)"), row("ky", "1.52 (1.41–1.93)")].join("\n");
  const measured = (ratio: string) => [...head, row("notetaker-sdk", ratio), row("ky", "9.00 (8.00–9.50)")].join("\n");
  for (const ratio of ["0.48 (0.40–0.60)", "0.28 (0.20–0.30)"])
    expect(ratioDrift(documented, measured(ratio))).toEqual([]);
  for (const ratio of ["0.53 (0.45–0.60)", "0.20 (0.10–0.30)"])
    expect(ratioDrift(documented, measured(ratio))).toEqual([`notetaker-sdk: 0.37 (0.26–0.49), measured ${ratio}`]);
});
