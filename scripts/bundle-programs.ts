import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));
/** Bundled CommonJS modules call `require` for Node's modules, which an ES module lacks. */
const banner = `import{createRequire}from"node:module";const require=createRequire(import.meta.url);`;

/**
 * Bundles programs of the repository with the library's source, so that they start quickly: `path/name.ts` becomes
 * `name.mjs` in the folder.
 */
export async function bundlePrograms(paths: readonly string[], folder: string): Promise<void> {
  await build({
    ...{ bundle: true, platform: "node", format: "esm", target: "node20", logLevel: "error" },
    entryPoints: paths.map((path) => join(root, path)),
    outdir: folder,
    entryNames: "[name]",
    outExtension: { ".js": ".mjs" },
    banner: { js: banner },
    tsconfig: join(root, "tsconfig.json"),
  });
}
