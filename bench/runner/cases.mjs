/** The cases: every module in `cases/`, by the name of its file. */
import { readdirSync } from "node:fs";

const folder = new URL("../cases/", import.meta.url);

export const caseNames = readdirSync(folder)
  .filter((name) => name.endsWith(".mjs"))
  .map((name) => name.slice(0, -".mjs".length))
  .sort();

/** The description of one case; README.md says what is in it. */
export async function loadCase(name) {
  if (!caseNames.includes(name)) throw new Error(`unknown case "${name}"; there are ${caseNames.join(", ")}`);
  const { default: description } = await import(new URL(`${name}.mjs`, folder).href);
  return { name, ...description };
}
