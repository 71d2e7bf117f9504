/**
 * `npm run size`: prints the size of each entry point in a user's bundle, and fails if one exceeds its limit. A test
 * checks the same limits.
 */

import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

interface Budget {
  name: string;
  /** The source of a user's program. */
  program: string;
  /** Imports that are not counted, because the user has these packages anyway. */
  external: string[];
  /** The largest gzipped size in bytes. It is raised only deliberately. */
  limit: number;
  /** The size that we want to reach, if it is smaller. */
  goal?: number;
}

const everything = (entry: string) => `export * from "notetaker-sdk/${entry}";`;

export const budgets: readonly Budget[] = [
  {
    name: "import { Notetaker }, with zod inside",
    program: `import { Notetaker } from "notetaker-sdk"; console.log(Notetaker);`,
    external: [],
    limit: 41_000,
    goal: 30_000,
  },
  {
    name: "import { NotFoundError }",
    program: `import { NotFoundError } from "notetaker-sdk"; console.log(NotFoundError);`,
    external: [],
    limit: 1_500,
  },
  {
    name: "notetaker-sdk/webhooks, besides zod",
    program: everything("webhooks"),
    external: ["zod/*"],
    limit: 13_000,
    goal: 10_000,
  },
  { name: "notetaker-sdk/tools, besides zod", program: everything("tools"), external: ["zod/*"], limit: 7_600 },
  { name: "notetaker-sdk/browser", program: everything("browser"), external: [], limit: 2_000 },
  { name: "notetaker-sdk/transcript", program: everything("transcript"), external: [], limit: 4_150, goal: 3_500 },
];

const root = fileURLToPath(new URL("..", import.meta.url));

/** The gzipped size of a browser bundle in bytes, and every module of Node that it imports. */
export async function measure({ program, external }: Budget): Promise<{ bytes: number; nodeModules: string[] }> {
  const nodeModules: string[] = [];
  const result = await build({
    stdin: { contents: program, resolveDir: root },
    absWorkingDir: root,
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    legalComments: "none",
    write: false,
    external,
    plugins: [
      {
        name: "modules-of-node",
        setup({ onResolve }) {
          onResolve({ filter: /^node:/ }, ({ path }) => {
            nodeModules.push(path);
            return { path, external: true };
          });
        },
      },
    ],
  });
  return { bytes: gzipSync(result.outputFiles[0]!.contents, { level: 9 }).length, nodeModules };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const budget of budgets) {
    const { bytes } = await measure(budget);
    const verdict = bytes <= budget.limit ? "within" : "OVER";
    const goal = budget.goal === undefined ? "" : `; the goal is ${budget.goal}`;
    console.log(`${budget.name}: ${bytes} bytes gzipped, ${verdict} the limit of ${budget.limit}${goal}`);
    if (bytes > budget.limit) process.exitCode = 1;
  }
}
