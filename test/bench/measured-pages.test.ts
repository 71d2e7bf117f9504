/** Every time and memory figure in the guides comes from the results of `npm run bench`. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

type Rounds = Record<string, Record<string, number>>[];
type Results = Record<string, Record<string, { rounds: Rounds }>>;

const module = async <Exports>(path: string): Promise<Exports> =>
  import(new URL(`../../bench/${path}`, import.meta.url).href);
const { PAGES, measuredParts, renderPage, shownNode } = await module<{
  PAGES: URL[];
  measuredParts(page: string): string[];
  renderPage(page: string, results: Results): Promise<string>;
  shownNode(results: Results): string;
}>("report/page.mjs");
const { caseNames, loadCase } = await module<{
  caseNames: string[];
  loadCase(name: string): Promise<{ title: string; figures?: { row: string; base?: string; metric: string }[] }>;
}>("runner/cases.mjs");
const { plottedNumbers } = await module<{ plottedNumbers(cases: Results[string]): string[] }>("report/plot.mjs");

const read = (file: URL) => readFileSync(file, "utf8");
const results: Results = JSON.parse(read(new URL("../../bench/results.json", import.meta.url)));
const pages = PAGES.map((file) => ({ name: file.pathname.split("/").at(-1) ?? "", text: read(file) }));

test.each(pages)("the tables of $name are those of bench/results.json", async ({ text }) => {
  expect(await renderPage(text, results)).toBe(text);
});

test("rendering a page again corrects a figure that was changed by hand", async () => {
  const [{ text } = { text: "" }] = pages;
  const changed = text.replace(/(\| notetaker-sdk \| )[\d,]+/, "$11");
  expect(changed).not.toBe(text);
  expect(await renderPage(changed, results)).toBe(text);
});

test("the guides show every benchmark case exactly once", () => {
  const shown = pages
    .flatMap(({ text }) => measuredParts(text))
    .filter((name) => !["figures", "machine"].includes(name));
  expect(shown.sort()).toEqual([...caseNames].sort());
});

test("every case that the guides name in a bench command exists", () => {
  const commands = pages.flatMap(({ text }) => [...text.matchAll(/npm run bench --((?: [\w-]+)+)/g)]);
  const named = commands.flatMap(([, words = ""]) => words.split(" ").filter((word) => /^[a-z]/.test(word)));
  expect(named.length).toBeGreaterThan(0);
  for (const name of named) expect(caseNames).toContain(name);
});

test("each version of Node measured the rows that the figures need", async () => {
  for (const cases of Object.values(results)) {
    for (const [name, { rounds }] of Object.entries(cases)) {
      const { figures = [] } = await loadCase(name);
      for (const { row, base = row, metric } of figures) {
        for (const round of rounds) {
          expect(round[row]?.[metric], `${name}: ${row}`).toBeTypeOf("number");
          expect(round[base]?.[metric], `${name}: ${base}`).toBeTypeOf("number");
        }
      }
    }
  }
});

test("the plot shows the numbers of bench/results.json", () => {
  const plot = read(new URL("../../docs/performance.svg", import.meta.url));
  const numbers = plottedNumbers(results[shownNode(results)] ?? {});
  expect(numbers.length).toBeGreaterThan(20);
  for (const number of numbers) expect(plot).toContain(`>${number}</text>`);
});
