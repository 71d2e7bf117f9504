/** Writes measured tables into guides, between `<!-- NAME -->` and `<!-- end -->`, or compares them with the guides. */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { driftOf, type Tolerances } from "./drift.js";

const cell = (text: string) => text.replaceAll("|", "\\|").replaceAll("\n", " ");

const lineOf = (cells: readonly string[]) => `| ${cells.map(cell).join(" | ")} |`;

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [lineOf(head), `|${"---|".repeat(head.length)}`, ...rows.map(lineOf)].join("\n");
}

/** Without `check`, replaces the part `name` of a guide. With it, returns how the guide differs from what was measured. */
export function putPart(guide: string, name: string, text: string, check?: Tolerances): string[] {
  const file = fileURLToPath(new URL(`../${guide}`, import.meta.url));
  const before = readFileSync(file, "utf8");
  const mark = `<!-- ${name} -->\n`;
  const start = before.indexOf(mark);
  const end = before.indexOf("<!-- end -->", start);
  if (start === -1 || end === -1) throw new Error(`${guide} has no part ${name}`);
  if (check) return driftOf(before.slice(start + mark.length, end), text, check).map((drift) => `${guide}: ${drift}`);
  writeFileSync(file, `${before.slice(0, start)}${mark}${text}\n${before.slice(end)}`);
  return [];
}

/** Replaces the rows of a table that have the same first cell. */
export function putRows(guide: string, rows: readonly (readonly string[])[]): void {
  const file = fileURLToPath(new URL(`../${guide}`, import.meta.url));
  const lines = readFileSync(file, "utf8").split("\n");
  const put = lines.map((line) => {
    const row = rows.find(([first = ""]) => line.startsWith(`| ${cell(first)} |`));
    return row === undefined ? line : lineOf(row);
  });
  writeFileSync(file, put.join("\n"));
}
