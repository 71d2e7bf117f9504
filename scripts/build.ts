/**
 * Builds the package into `dist`: `npm run build`.
 *
 * - For bundlers: a file for each source file, so that what a program does not use is left out. Zod is imported.
 * - For Node: few files, with the parts of zod in them that are used: loading all of zod takes longer than the rest.
 * - The types: a declaration for each source file, for ESM and for CommonJS.
 */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type InputOptions, type OutputOptions, type Plugin, rolldown } from "rolldown";
import { writeDeclarations } from "./build/declarations.js";
import { writeNotices } from "./third-party-notices.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const dist = join(root, "dist");

/** What users import. */
const ENTRIES = ["node", "transcript", "webhooks", "redis", "browser", "otel", "tools", "testing", "doctor"];
const entryFiles = Object.fromEntries(ENTRIES.map((name) => [`${name}/index`, `src/${name}/index.ts`]));
const entries = { index: "src/index.ts", ...entryFiles };
/** They run in Node, and have no types. */
const commands = { "notetaker-emulator": "src/testing/cli.ts", "notetaker-doctor": "src/doctor/cli.ts" };

const EXTERNAL = ["msw", "@opentelemetry/api", /^node:/];

/** Packages of which something is inside. */
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
  // Not that of Node: fflate has a build for it that touches worker threads at load.
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
    // npm packs no folder of the name node_modules.
    entryFileNames: ({ name }) => `${name.replace(/^.*node_modules\//, "vendored/")}.${extension}`,
    chunkFileNames: `[name]-[hash].${extension}`,
    exports: "named",
    // Editors read those of the declarations.
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
