/**
 * Prints the cost of importing modules in this process: `import.mjs SPECIFIER …`, or `import.mjs --require SPECIFIER
 * …`.
 */
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const isRequired = process.argv[2] === "--require";
const specifiers = process.argv.slice(isRequired ? 3 : 2);

const began = performance.now();
const before = process.cpuUsage();
for (const specifier of specifiers) {
  if (isRequired) require(specifier);
  else await import(specifier);
}
const { user, system } = process.cpuUsage(before);
console.log(JSON.stringify({ cpu: (user + system) / 1_000, wall: performance.now() - began }));
process.exit();
