/** Prints the areas that Stryker changes every night, as the matrix of `.github/workflows/nightly.yml`. */
import { readdirSync } from "node:fs";

/** The servers without which the tests of an area are skipped. */
const SERVERS = { redis: "redis-server", sql: "postgresql" };

const folders = readdirSync(new URL("../src", import.meta.url), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== "testing")
  .map(({ name }) => ({ name, files: `src/${name}/**/*.ts`, server: SERVERS[name] ?? "" }));

console.log(JSON.stringify([...folders, { name: "other-files", files: "src/*.ts", server: "" }]));
