/** The accounting of `npm run mutation`: the list of equivalent mutants, the areas, and the status of a mutant. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { AREAS } from "../../scripts/mutation/areas.js";
import { EQUIVALENT } from "../../scripts/mutation/equivalent.js";
import { HOLDERS } from "../../scripts/mutation/holders.js";
import { judge } from "../../scripts/mutation/judge.js";
import type { Mutant } from "../../scripts/mutation/mutants.js";
import type { Line } from "../../scripts/mutation/record.js";
import { root } from "../support/run-program.js";

const flat = (text: string) => text.replace(/\s+/g, " ").trim();
const mutantOf = (id: string): Mutant => ({
  id,
  file: "src/errors/retry-after.ts",
  mutator: "ConditionalExpression",
  location: { start: { line: 1, column: 1 }, end: { line: 1, column: 5 } },
  original: "a < b",
  replacement: "true",
  key: id,
});
const statusAfter = (...lines: Parameters<typeof judge>[1]) => judge([mutantOf("7")], lines)[0]?.status;
const met: Line = { what: "met", test: "t", ms: 1, passed: true, reloads: false, mutants: ["7"] };

describe("the list of equivalent mutants", () => {
  it("names code that exists, gives a reason for each mutant, and has no duplicate", () => {
    for (const { file, from, to, why } of EQUIVALENT) {
      expect(flat(readFileSync(`${root}/${file}`, "utf8")), `${file}: ${from}`).toContain(flat(from));
      expect(to).not.toBe(from);
      expect(why.length).toBeGreaterThan(15);
    }
    const names = EQUIVALENT.map(({ file, from, to }) => JSON.stringify([file, from, to]));
    expect(new Set(names).size).toBe(names.length);
  });
});

describe("the areas of mutation testing", () => {
  it("cover all sources except the emulator and the lists of exports", () => {
    const covered = Object.values(AREAS).flatMap(({ sources }) => sources);
    const there = readdirSync(`${root}/src`);
    const without = ["index.ts", "notetaker-like.ts", "upload-progress.ts", "testing"];
    expect(there.filter((name) => !covered.includes(name)).sort()).toEqual(without.sort());
    for (const source of covered) expect(existsSync(`${root}/src/${source}`), source).toBe(true);
  });
});

describe("the holder tests of a source", () => {
  it("exist and belong to the same area as the source", () => {
    for (const [source, tests] of Object.entries(HOLDERS)) {
      expect(existsSync(`${root}/${source}`), source).toBe(true);
      const area = Object.values(AREAS).find(({ sources }) =>
        sources.some((one) => source === `src/${one}` || source.startsWith(`src/${one}/`)),
      );
      for (const test of tests) {
        expect(existsSync(`${root}/${test}`), test).toBe(true);
        expect(
          area?.tests.some((folder) => test.startsWith(`test/${folder}/`)),
          test,
        ).toBe(true);
      }
    }
  });
});

describe("a mutant", () => {
  it("is killed by a test that fails with it, and timed out if the test does not end", () => {
    expect(statusAfter(met, { what: "found", test: "t", mutant: "7", message: "expected 1" })).toBe("Killed");
    expect(statusAfter(met, { what: "found", test: "t", mutant: "7", message: "did not end" })).toBe("Timeout");
  });

  it("survives if every test passes, or if a failing test also fails without it", () => {
    expect(statusAfter(met, { what: "missed", test: "t", mutant: "7", ms: 1 })).toBe("Survived");
    expect(statusAfter(met, { what: "doubtful", test: "t", mutant: "7", message: "" })).toBe("Survived");
  });

  it("counts as covered only by a test that passed without it", () => {
    expect(statusAfter({ ...met, passed: false })).toBe("NoCoverage");
    expect(statusAfter({ ...met, passed: false }, { what: "loaded", mutants: ["7"] })).toBe("Ignored");
  });

  it("is ignored if only the loading of a module runs it, even if a test loads the module again, unless it is killed", () => {
    const reloaded: Line = { ...met, reloads: true };
    const loaded: Line = { what: "loaded", mutants: ["7"] };
    const missed: Line = { what: "missed", test: "t", mutant: "7", ms: 1 };
    expect(statusAfter(loaded, reloaded, missed)).toBe("Ignored");
    expect(statusAfter(loaded, reloaded, met, missed)).toBe("Survived");
    expect(statusAfter(reloaded, missed)).toBe("Survived");
    expect(statusAfter(loaded, reloaded, { what: "found", test: "t", mutant: "7", message: "" })).toBe("Killed");
  });

  it("has no coverage if no test runs it, and is ignored if only the loading of a module runs it", () => {
    expect(statusAfter()).toBe("NoCoverage");
    expect(statusAfter(met)).toBe("Survived");
    expect(statusAfter({ what: "loaded", mutants: ["7"] })).toBe("Ignored");
    const missed: Line = { what: "missed", test: "t", mutant: "7", ms: 1 };
    expect(statusAfter({ what: "loaded", mutants: ["7"] }, met, missed)).toBe("Survived");
  });
});
