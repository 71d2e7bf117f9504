/**
 * The builds of the package, `npm run build`:
 *
 * - `dist/esm`, for bundlers: one file for each source file, so that a bundler can leave out unused code. They import ky
 *   and zod.
 * - `dist/node` and `dist/cjs`, for Node and for CommonJS: few files, with the used parts of ky and zod inside, because
 *   loading all of zod takes longer than loading all other code.
 * - `dist/types`: the declarations for all of them.
 */
import { rmSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import { build, type Metafile, type Plugin } from "esbuild";
import { defineConfig, type Options } from "tsup";
import { writeDeclarations } from "./scripts/build/declarations.js";
import { joinFiles } from "./scripts/build/join-files.js";
import { writeNotices } from "./scripts/build/notices.js";

const FOLDERS = ["node", "transcript", "webhooks", "redis", "sql", "browser", "otel", "tools", "testing", "doctor"];
const ENTRY_POINTS = ["index", ...FOLDERS.map((folder) => `${folder}/index`)];
const entryPoints = Object.fromEntries(ENTRY_POINTS.map((path) => [path, `src/${path}.ts`]));
const command = { "notetaker-sdk": "src/command/cli.ts" };

const shared: Options = {
  format: "esm",
  platform: "neutral",
  target: "es2022",
  external: [/^node:/],
  // Deno and edge workers know Node's modules only by their names with `node:`.
  removeNodeProtocol: false,
  silent: true,
};

/** Folders that are one file for bundlers, too: a page uses them as a whole, or not at all. */
const WHOLE = /^src\/(node|redis|sql|otel|tools|testing|doctor)\//;

const fromRoot = (path: string) => relative(import.meta.dirname, path).replaceAll(sep, "/");

/** The source files that become outputs for bundlers: those with code that an entry point loads. */
async function sourcesForBundlers(): Promise<string[]> {
  const { metafile } = await build({
    entryPoints: Object.values(entryPoints),
    bundle: true,
    format: "esm",
    packages: "external",
    splitting: true,
    outdir: "dist",
    write: false,
    metafile: true,
  });
  const withCode = Object.values(metafile.outputs).flatMap(({ inputs }) => Object.keys(inputs));
  const isOutput = (path: string) => !WHOLE.test(path) || path.endsWith("/index.ts");
  return [...new Set([...Object.values(entryPoints), ...withCode])].filter(isOutput);
}

/** Source files import each other's outputs, except within a folder that is one file. */
const importOtherOutputs: Plugin = {
  name: "import other outputs",
  setup({ onResolve }) {
    onResolve({ filter: /^\.\.?\// }, ({ path, importer, resolveDir }) => {
      const from = fromRoot(importer);
      if (!from.startsWith("src/")) return undefined;
      const [folder] = WHOLE.exec(from) ?? [];
      if (folder === undefined) return { path, external: true };
      const imported = fromRoot(resolve(resolveDir, path));
      if (imported.startsWith(folder)) return undefined;
      return { path: `../${imported.slice("src/".length)}`, external: true };
    });
  },
};

/** Takes `load-ky.node.ts` in place of `load-ky.ts`: it loads ky at the first call. */
const filesForNode: Plugin = {
  name: "files for Node",
  setup({ onResolve }) {
    onResolve({ filter: /\/load-ky\.js$/ }, ({ path, resolveDir }) => ({
      path: join(resolveDir, path.replace(/\.js$/, ".node.ts")),
    }));
  },
};

const builds: Metafile[] = [];

/** The notices name the packages of all builds that ended so far. */
const namesBundledPackages: Plugin = {
  name: "notices",
  setup({ onEnd }) {
    onEnd(({ metafile }) => {
      if (metafile) builds.push(metafile);
      writeNotices(builds);
    });
  },
};

/** A file of its own with the packages of the Model Context Protocol: no other command loads them. */
const PROTOCOL = "mcp-protocol";
const protocolIsAnotherFile: Plugin = {
  name: "protocol is another file",
  setup({ onResolve }) {
    onResolve({ filter: /\/mcp-protocol\.js$/ }, () => ({ path: `./${PROTOCOL}.js`, external: true }));
  },
};

/** The output of esbuild for Node, before its files are joined. */
const PARTS = "dist/parts";

async function joinParts(): Promise<void> {
  const parts = { from: PARTS, apart: `${PROTOCOL}.js` };
  await joinFiles({
    ...parts,
    entryPoints: [...ENTRY_POINTS, ...Object.keys(command)],
    dir: "dist/node",
    format: "es",
    chunkFileNames: "[name]-[hash].js",
  });
  await joinFiles({
    ...parts,
    entryPoints: ENTRY_POINTS,
    dir: "dist/cjs",
    format: "cjs",
    entryFileNames: "[name].cjs",
    chunkFileNames: "[name]-[hash].cjs",
    // Jest cannot run `import()` in CommonJS, so it becomes `require`.
    dynamicImportInCjs: false,
  });
  rmSync(PARTS, { recursive: true });
}

export default defineConfig(async () => {
  rmSync("dist", { recursive: true, force: true });
  return [
    {
      ...shared,
      entry: await sourcesForBundlers(),
      outDir: "dist/esm",
      splitting: false,
      esbuildPlugins: [importOtherOutputs],
      onSuccess: async () => writeDeclarations(ENTRY_POINTS),
    },
    {
      ...shared,
      entry: { ...entryPoints, ...command },
      outDir: PARTS,
      splitting: true,
      noExternal: ["ky", /^zod/],
      esbuildPlugins: [filesForNode, protocolIsAnotherFile, namesBundledPackages],
      onSuccess: joinParts,
    },
    {
      ...shared,
      minify: true,
      entry: { [PROTOCOL]: `src/command/${PROTOCOL}.ts` },
      outDir: "dist/node",
      platform: "node",
      splitting: false,
      noExternal: [/^@modelcontextprotocol/, /^zod/],
      esbuildPlugins: [namesBundledPackages],
    },
  ];
});
