/** The English of comments, messages, guides and test titles: phrases that were removed once must not come back. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../support/run-program.js";

/** Phrases that readers had to read twice, and what to write instead. */
const BANNED: readonly [pattern: RegExp, instead: string][] = [
  [/\bthat there (is|are) not\b/i, "unknown, missing"],
  [/\bthat (is|are) none\b/i, "invalid, not a …"],
  [/\bthat cannot be one\b/i, "invalid"],
  [/\b(goes|gone|going|go) on (from|over|with|to|later|here|there)\b/i, "resume, continue"],
  [/\bof (one's|its|their|his) own accord\b/i, "by itself"],
  [/\bof one's own\b/i, "your own"],
  [/\ball the same\b/i, "anyway, still"],
  [/\bat the most\b/i, "at most"],
  [/\bis asked (for|of)\b/i, "is requested"],
  [/\bare asked (for|of)\b/i, "are requested"],
  [/\bwas asked (for|of)\b/i, "was requested"],
  [/\bis not known here\b/i, "unknown option"],
  [/\bcomes? to nothing\b/i, "fails"],
  [/\b(go|goes|going) (its|their) way\b/i, "run"],
  [/\bin peace\b/i, "uninterrupted"],
  [/\bhanded out\b/i, "returned"],
  [/\bonion\b/i, "wrapper, middleware"],
  [/\bin vain\b/i, "without effect"],
  [/\bnever was\b/i, "unknown"],
  [/\bby want of\b|\bfor want of\b/i, "without"],
];

/** The limit for lines of prose and comments. Tables, URLs and code may be wider. */
const WIDTH = 120;

function files(folder: string, pattern: RegExp): string[] {
  return readdirSync(folder)
    .filter((name) => !["node_modules", "reference", ".output"].includes(name))
    .flatMap((name) => {
      const path = join(folder, name);
      if (statSync(path).isDirectory()) return files(path, pattern);
      return pattern.test(path) ? [path] : [];
    });
}

interface Prose {
  place: string;
  text: string;
}

/** Each line of a file that is prose, with its path and line number. */
const lines = (path: string, read: (line: string) => string | undefined): Prose[] =>
  readFileSync(path, "utf8")
    .split("\n")
    .flatMap((line, index) => {
      const text = read(line);
      return text === undefined ? [] : { place: `${relative(root, path)}:${index + 1}`, text };
    });

const isComment = (line: string) => /^\s*(\/\/|\/?\*)/.test(line);
/** A comment, or a line with a quoted string. */
const spoken = (line: string) => (isComment(line) || /["'`]/.test(line) ? line : undefined);
const title = (line: string) => /^\s*(?:it|test|describe)\b.*?(["'`].*)/.exec(line)?.[1];

const sources = files(join(root, "src"), /\.ts$/);
const guides = [
  ...files(join(root, "docs"), /\.md$/),
  ...["README.md", "CONTRIBUTING.md", "SECURITY.md"].map((name) => join(root, name)),
];
const tests = files(join(root, "test"), /\.test(-d)?\.ts$/).filter((path) => !path.endsWith("english.test.ts"));

describe("the English of the repository", () => {
  it.each([
    ["comments and messages of src", () => sources.flatMap((path) => lines(path, spoken))],
    ["guides", () => guides.flatMap((path) => lines(path, (line) => line))],
    ["titles of tests", () => tests.flatMap((path) => lines(path, title))],
  ])("contains none of the banned phrases in %s", (_, prose) => {
    const found = prose().flatMap(({ place, text }) =>
      BANNED.filter(([pattern]) => pattern.test(text)).map(
        ([pattern, instead]) => `${place}: "${pattern.exec(text)?.[0]}": write ${instead}`,
      ),
    );
    expect(found).toEqual([]);
  });

  it("has no comment line wider than 120 columns", () => {
    const examples = files(join(root, "examples"), /\.ts$/);
    const wide = [...sources, ...tests, ...examples, ...files(join(root, "scripts"), /\.(ts|mjs)$/)]
      .flatMap((path) => lines(path, (line) => (isComment(line) ? line : undefined)))
      .filter(({ text }) => text.length > WIDTH && !/https?:\/\/\S{60}/.test(text))
      .map(({ place }) => place);
    expect(wide).toEqual([]);
  });

  it("has no guide line wider than 120 columns, except tables and code", () => {
    const wide = guides.flatMap((path) => {
      let inCode = false;
      return lines(path, (line) => {
        if (line.startsWith("```")) inCode = !inCode;
        return inCode || line.startsWith("|") ? undefined : line;
      });
    });
    expect(wide.filter(({ text }) => text.length > WIDTH).map(({ place }) => place)).toEqual([]);
  });
});
