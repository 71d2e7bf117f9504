/**
 * Loads service-schemas.ts with every file of `src/schemas`. Replaces the primitives of `src` by those in
 * describable-primitives.ts, so that JSON Schema can express the schemas.
 */
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import type { ServiceSchemas } from "./service-schemas.js";

const here = fileURLToPath(new URL(".", import.meta.url));
const describable = fileURLToPath(new URL("describable-primitives.ts", import.meta.url));
const source = fileURLToPath(new URL("../../src/schemas/", import.meta.url));

/** A program that passes the modules to `serviceSchemas`. */
function program(): string {
  const files = readdirSync(source).filter(
    (name) => !/^(primitives|response-array|id-schemas)\.ts$|\.node\.ts$/.test(name),
  );
  return [
    `import { serviceSchemas } from "./service-schemas.js";`,
    ...files.map((name, index) => `import * as module${index} from ${JSON.stringify(source + name)};`),
    `export default serviceSchemas([${files.map((_, index) => `module${index}`).join(", ")}]);`,
  ].join("\n");
}

export async function loadSchemas(): Promise<ServiceSchemas> {
  const { outputFiles } = await build({
    stdin: { contents: program(), resolveDir: here, loader: "ts" },
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
    plugins: [
      {
        name: "describable primitives",
        setup: ({ onResolve }) =>
          onResolve({ filter: /\/(primitives|response-array|id-schemas)\.js$/ }, ({ importer }) =>
            importer === describable ? undefined : { path: describable },
          ),
      },
    ],
  });
  const code = Buffer.from(outputFiles[0]!.contents).toString("base64");
  const loaded = (await import(`data:text/javascript;base64,${code}`)) as { default: ServiceSchemas };
  return loaded.default;
}
