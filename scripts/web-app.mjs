/**
 * `npm run web-app`: starts `examples/web-app`, also from a fresh clone. Plain JavaScript, because it must run before
 * `npm ci`.
 */
import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { build, install, root } from "./prepare.mjs";

install();
build();

// The application imports the package as a user has it: from node_modules, without the sources.
const copy = join(root, "examples/node_modules/notetaker-sdk");
rmSync(copy, { recursive: true, force: true });
for (const name of ["package.json", "dist"]) cpSync(join(root, name), join(copy, name), { recursive: true });

const { register } = await import("tsx/esm/api");
register();
await import("../examples/web-app/dev.ts");
