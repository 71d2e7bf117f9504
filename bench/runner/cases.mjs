/** Finds and loads the cases: every module in `cases/` is one, with the name of its file. */
import { readdirSync } from "node:fs";

const folder = new URL("../cases/", import.meta.url);

export const caseNames = readdirSync(folder)
  .filter((name) => name.endsWith(".mjs"))
  .map((name) => name.slice(0, -".mjs".length))
  .sort();

/** The description of one case. README.md explains its fields. */
export async function loadCase(name) {
  if (!caseNames.includes(name)) throw new Error(`unknown case "${name}"; there are ${caseNames.join(", ")}`);
  const { default: description } = await import(new URL(`${name}.mjs`, folder).href);
  return { name, ...description };
}

/**
 * A case with only the rows that its figures need, or `undefined` if it has no figures. It is measured on further
 * versions of Node, for which only the figures are shown. A program that prints several rows is kept.
 */
export function figuresOnly({ figures = [], programs, ...description }) {
  const needed = new Set(figures.flatMap(({ row, base }) => [row, base]));
  if (needed.size === 0) return undefined;
  return {
    ...description,
    figures,
    programs: (context) => programs(context).filter(({ row }) => row === undefined || needed.has(row)),
  };
}
