/** The sizes of bundles, from the limits that `npm run size` enforces: no guide has a size of its own. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { table } from "../write-table.js";
import { root } from "./public-surface.js";

interface Limit {
  readonly name: string;
  /** In bytes: `7000 B`. */
  readonly limit: string;
}

/** A table of the limits whose names `isWanted` accepts; without it, of all. */
export function sizeTable(isWanted: (name: string) => boolean = () => true): string {
  const limits = JSON.parse(readFileSync(join(root, ".size-limit.json"), "utf8")) as Limit[];
  const rows = limits
    .filter(({ name }) => isWanted(name))
    .map(({ name, limit }) => [name, `${(Number.parseInt(limit, 10) / 1000).toFixed(1)} KB`]);
  return table(["minified and gzipped", "at most"], rows);
}
