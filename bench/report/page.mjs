/** Writes the measured tables into the guides. Each table is between `<!-- measured: NAME -->` and `<!-- end -->`. */
import { readFileSync, writeFileSync } from "node:fs";
import { caseNames, loadCase } from "../runner/cases.mjs";
import { caseTable, figuresTable } from "./tables.mjs";

export const PAGES = ["performance", "scaling"].map((name) => new URL(`../../docs/${name}.md`, import.meta.url));

/** The version of Node whose tables are shown in full: the oldest measured one. */
export const shownNode = (results) => Object.keys(results).sort((a, b) => Number(a) - Number(b))[0];

const FIGURES = "figures";
const MACHINE = "machine";

/**
 * The names of the measured tables in a page.
 * @public
 */
export const measuredParts = (page) => [...page.matchAll(/<!-- measured: ([\w-]+) -->/g)].map(([, name]) => name);

/** The lines about the machine: one for each combination of machine, Node and day. */
function machineLines(results) {
  const lines = Object.values(results).flatMap((cases) =>
    Object.values(cases).map(({ measuredAt, node, machine, mode }) => {
      const quick = mode === "quick" ? ", a quick run" : "";
      return `${machine}; Node ${node}; ${measuredAt.slice(0, 10)}${quick}`;
    }),
  );
  return [...new Set(lines)].map((line) => `- ${line}`).join("\n");
}

/** The page with tables from the results. A table without results does not change. */
export async function renderPage(page, results) {
  // The figures have the order in which the page shows their cases.
  const order = measuredParts(page);
  const names = [...caseNames].sort((a, b) => order.indexOf(a) - order.indexOf(b));
  const descriptions = await Promise.all(names.map(loadCase));
  const node = shownNode(results);
  const part = (name) => {
    if (name === FIGURES) return figuresTable(descriptions, results);
    if (name === MACHINE) return machineLines(results);
    const description = descriptions.find((one) => one.name === name);
    if (description === undefined) throw new Error(`a guide shows "${name}", which is no case`);
    const entry = results[node]?.[name];
    return entry === undefined ? undefined : caseTable(description, entry);
  };
  return page.replace(/(<!-- measured: ([\w-]+) -->\n)([\s\S]*?)(<!-- end -->)/g, (all, begin, name, _, end) => {
    const text = part(name);
    return text === undefined ? all : `${begin}\n${text}\n\n${end}`;
  });
}

export async function writePages(results) {
  for (const page of PAGES) writeFileSync(page, await renderPage(readFileSync(page, "utf8"), results));
}
