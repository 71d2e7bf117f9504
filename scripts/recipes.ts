/**
 * `npm run recipes`: writes the programs of `examples/recipes` into docs/recipes.md. A code block whose first line
 * names such a file ("```ts examples/recipes/edge-function/handler.ts") gets the content of the file. With `--check` it
 * only compares, and fails if the page is out of date.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const page = join(root, "docs/recipes.md");

const before = readFileSync(page, "utf8");
const after = before.replace(
  /^(```\w+ (examples\/recipes\/\S+)\n)[\s\S]*?^```$/gm,
  (_, begin: string, path: string) => `${begin}${readFileSync(join(root, path), "utf8")}\`\`\``,
);
if (process.argv.includes("--check")) {
  if (after !== before) console.error("docs/recipes.md is out of date: run npm run recipes");
  process.exitCode = after === before ? 0 : 1;
} else {
  writeFileSync(page, after);
}
