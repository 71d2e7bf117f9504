/**
 * Loads service-schemas.ts. Replaces the primitives of `src` by those in describable-primitives.ts, so that JSON Schema
 * can express the schemas.
 */
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = fileURLToPath(new URL(".", import.meta.url));
const describable = fileURLToPath(new URL("describable-primitives.ts", import.meta.url));

export async function loadJsonSchemas(): Promise<Record<string, Record<string, unknown>>> {
  const { outputFiles } = await build({
    entryPoints: [`${here}service-schemas.ts`],
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
    plugins: [
      {
        name: "describable primitives",
        setup: ({ onResolve }) =>
          onResolve({ filter: /\/(primitives|response-array|ids)\.js$/ }, ({ importer }) =>
            importer === describable ? undefined : { path: describable },
          ),
      },
    ],
  });
  const code = Buffer.from(outputFiles[0]!.contents).toString("base64");
  const { jsonSchemas } = (await import(
    `data:text/javascript;base64,${code}`
  )) as typeof import("./service-schemas.js");
  return jsonSchemas();
}
