/**
 * `npm run openapi`: writes and lints openapi.json. With `--check` it does not write, and fails if the file is out of
 * date.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { openApiDocument } from "./openapi/document.js";

const file = fileURLToPath(new URL("../openapi.json", import.meta.url));
const text = `${JSON.stringify(await openApiDocument(), null, 2)}\n`;

const config = await createConfig({ extends: ["recommended-strict"] });
const problems = await lintFromString({ source: text, absoluteRef: file, config });
for (const { ruleId, message, location } of problems) {
  console.error(`${ruleId}: ${message} (${location.map(({ pointer }) => pointer ?? "").join(", ")})`);
}

const upToDate = () => readFileSync(file, "utf8") === text;
if (!process.argv.includes("--check")) writeFileSync(file, text);
else if (!upToDate()) console.error("openapi.json is out of date: run npm run openapi");
process.exitCode = problems.length === 0 && upToDate() ? 0 : 1;
