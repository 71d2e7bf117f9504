/**
 * Joins the files that esbuild has built for Node. esbuild makes a file for each set of entry points that share code, and
 * Node takes longer to load so many files than to run their code.
 */
import { isAbsolute, resolve } from "node:path";
import { type OutputOptions, type PluginContext, rollup } from "rollup";

/**
 * The shared files, in this order: each has the code that its entry points load, without what an earlier file has. So an
 * entry point that promises to be small does not load the client.
 */
const SHARED_FILES = {
  base: ["transcript/index", "otel/index", "browser/index"],
  core: ["webhooks/index"],
  client: ["index"],
};

type ModuleInfo = PluginContext["getModuleInfo"];

function reachedFrom(entries: readonly string[], moduleInfo: ModuleInfo): Set<string> {
  const reached = new Set(entries);
  for (const id of reached) for (const imported of moduleInfo(id)?.importedIds ?? []) reached.add(imported);
  return reached;
}

interface Joined extends OutputOptions {
  readonly from: string;
  /** The entry points in it, without their ending. */
  readonly entryPoints: readonly string[];
  /** A file beside the entry points that is built by itself. */
  readonly apart: string;
}

export async function joinFiles({ from, entryPoints, apart, ...output }: Joined): Promise<void> {
  const fileOf = (name: string) => resolve(from, `${name}.js`);
  const entries = new Set(entryPoints.map(fileOf));
  const bundle = await rollup({
    input: Object.fromEntries(entryPoints.map((name) => [name, fileOf(name)])),
    external: (id) => id === `./${apart}` || !(id.startsWith(".") || isAbsolute(id)),
    treeshake: false,
  });
  let shared: [file: string, ids: ReadonlySet<string>][] | undefined;
  await bundle.write({
    ...output,
    manualChunks(id, { getModuleInfo }) {
      shared ??= Object.entries(SHARED_FILES).map(([file, names]) => [
        file,
        reachedFrom(names.map(fileOf), getModuleInfo),
      ]);
      return entries.has(id) ? undefined : shared.find(([, ids]) => ids.has(id))?.[0];
    },
    paths: { [resolve(from, apart)]: `./${apart}` },
    minifyInternalExports: false,
    interop: "auto",
  });
  await bundle.close();
}
