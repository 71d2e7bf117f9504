/**
 * Builds the package into `dist`: `npm run build`.
 *
 * - For bundlers: one file for each source file, so that a bundler can leave out unused code. Zod is imported.
 * - For Node: few files, which contain the used parts of zod, because loading all of zod takes longer than all other
 *   code.
 * - The types: one declaration file for each source file, for ESM and for CommonJS.
 */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type InputOptions, type OutputOptions, type Plugin, rolldown } from "rolldown";
import { writeDeclarations } from "./build/declarations.js";
import { writeNotices } from "./third-party-notices.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const dist = join(root, "dist");

/** The entry points that users import. */
const ENTRIES = ["node", "transcript", "webhooks", "redis", "browser", "otel", "tools", "testing", "doctor"];
const entryFiles = Object.fromEntries(ENTRIES.map((name) => [`${name}/index`, `src/${name}/index.ts`]));
const entries = { index: "src/index.ts", ...entryFiles };
/** The commands, which run in Node and have no types. */
const commands = { "notetaker-emulator": "src/testing/cli.ts", "notetaker-doctor": "src/doctor/cli.ts" };

const EXTERNAL = ["msw", "@opentelemetry/api", /^node:/];

/** The folders of packages whose code is in the build. */
const bundled = new Set<string>();
const recordsBundled: Plugin = {
  name: "records what is bundled",
  generateBundle(_, output) {
    for (const file of Object.values(output)) {
      if (file.type !== "chunk") continue;
      for (const [path, { renderedLength }] of Object.entries(file.modules)) {
        const folder = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0];
        if (folder !== undefined && renderedLength > 0) bundled.add(folder);
      }
    }
  },
};

const shared: InputOptions = {
  cwd: root,
  // Not `node`: fflate's build for Node uses worker threads when it is loaded.
  platform: "neutral",
  resolve: { mainFields: ["module", "main"], conditionNames: ["import", "default"] },
  transform: { target: "es2022" },
  plugins: [recordsBundled],
};

async function write(input: InputOptions, outputs: readonly OutputOptions[]): Promise<void> {
  const build = await rolldown({ ...shared, ...input });
  for (const output of outputs) await build.write(output);
  await build.close();
}

const inFormats = (options: OutputOptions): OutputOptions[] =>
  [
    ["esm", "js"],
    ["cjs", "cjs"],
  ].map(([format, extension]) => ({
    ...options,
    format: format as "esm" | "cjs",
    // npm never packs a folder with the name node_modules.
    entryFileNames: ({ name }) => `${name.replace(/^.*node_modules\//, "vendored/")}.${extension}`,
    chunkFileNames: `[name]-[hash].${extension}`,
    exports: "named",
    // Doc comments are only needed in the declarations, where editors read them.
    comments: { jsdoc: false },
  }));

const forBundlers = () =>
  write(
    { input: entries, external: [...EXTERNAL, /^zod/] },
    inFormats({ dir: dist, preserveModules: true, preserveModulesRoot: "src" }),
  );

const forNode = () =>
  write({ input: { ...entries, ...commands }, external: EXTERNAL }, inFormats({ dir: join(dist, "for-node") }));

rmSync(dist, { recursive: true, force: true });
await forBundlers();
await forNode();
writeDeclarations(join(root, "tsconfig.build.json"), Object.keys(entries), dist);
writeNotices([...bundled].sort());
