/** Writes measured tables into guides, between `<!-- NAME -->` and `<!-- end -->`, or compares them with the guides. */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const cell = (text: string) => text.replaceAll("|", "\\|").replaceAll("\n", " ");

const lineOf = (cells: readonly string[]) => `| ${cells.map(cell).join(" | ")} |`;

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [lineOf(head), `|${"---|".repeat(head.length)}`, ...rows.map(lineOf)].join("\n");
}

/** Returns how a part of a guide differs from what was measured. */
export type Comparison = (documented: string, measured: string) => string[];

/** Without `compare`, replaces the part `name` of a guide. With it, returns how the guide differs. */
export function putPart(guide: string, name: string, text: string, compare?: Comparison): string[] {
  const file = fileURLToPath(new URL(`../${guide}`, import.meta.url));
  const before = readFileSync(file, "utf8");
  const mark = `<!-- ${name} -->\n`;
  const start = before.indexOf(mark);
  const end = before.indexOf("<!-- end -->", start);
  if (start === -1 || end === -1) throw new Error(`${guide} has no part ${name}`);
  if (compare) return compare(before.slice(start + mark.length, end), text).map((drift) => `${guide}: ${drift}`);
  writeFileSync(file, `${before.slice(0, start)}${mark}${text}\n${before.slice(end)}`);
  return [];
}
