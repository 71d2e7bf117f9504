/** Writes generated tables into guides, between `<!-- NAME -->` and `<!-- end -->`. */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const cell = (text: string) => text.replaceAll("|", "\\|").replaceAll("\n", " ");

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(" | ")} |`;
  return [line(head), `|${"---|".repeat(head.length)}`, ...rows.map(line)].join("\n");
}

/** Replaces the part `name` of a guide. */
export function writePart(guide: string, name: string, text: string): void {
  const file = fileURLToPath(new URL(`../${guide}`, import.meta.url));
  const before = readFileSync(file, "utf8");
  const start = before.indexOf(`<!-- ${name} -->`);
  const end = before.indexOf("<!-- end -->", start);
  if (start === -1 || end === -1) throw new Error(`${guide} has no part ${name}`);
  writeFileSync(file, `${before.slice(0, start)}<!-- ${name} -->\n${text}\n${before.slice(end)}`);
}
