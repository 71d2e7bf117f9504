/** Prints the size of each client and of one error class: bundled and minified for browsers, gzipped, in bytes. */
import { builtinModules } from "node:module";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const folder = fileURLToPath(new URL(".", import.meta.url));
const NODE_MODULES = new Set(builtinModules);

const PROGRAMS = {
  "notetaker-sdk": ['{ Notetaker } from "notetaker-sdk"', '{ NotFoundError } from "notetaker-sdk"'],
  ky: ['ky from "ky"', '{ HTTPError } from "ky"'],
  openai: ['OpenAI from "openai"', '{ NotFoundError } from "openai"'],
  "@anthropic-ai/sdk": ['Anthropic from "@anthropic-ai/sdk"', '{ NotFoundError } from "@anthropic-ai/sdk"'],
  stripe: ['Stripe from "stripe"'],
  octokit: ['{ Octokit } from "octokit"', '{ RequestError } from "octokit"'],
  "@polar-sh/sdk": ['{ Polar } from "@polar-sh/sdk"', '{ SDKError } from "@polar-sh/sdk/models/errors/sdkerror.js"'],
  resend: ['{ Resend } from "resend"'],
  assemblyai: ['{ AssemblyAI } from "assemblyai"'],
};

/** Some clients import modules of Node even for browsers. These are not counted. */
const withoutNode = {
  name: "without modules of Node",
  setup({ onResolve }) {
    onResolve({ filter: /^(node:.*|[a-z_]+)$/ }, async ({ path, kind, importer }) => {
      const isNode = path.startsWith("node:") || NODE_MODULES.has(path);
      return isNode && kind !== "entry-point" && importer !== "" ? { path, external: true } : undefined;
    });
  },
};

async function bytesOf(imported) {
  const name = /^\{? ?(\w+)/.exec(imported)[1];
  const { outputFiles } = await build({
    stdin: { contents: `import ${imported}; console.log(${name});`, resolveDir: folder },
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    legalComments: "none",
    write: false,
    logLevel: "silent",
    plugins: [withoutNode],
  });
  return gzipSync(outputFiles[0].contents, { level: 9 }).length;
}

const rows = {};
for (const [name, [whole, error]] of Object.entries(PROGRAMS)) {
  rows[name] = { whole: await bytesOf(whole), ...(error && { error: await bytesOf(error) }) };
}
console.log(JSON.stringify(rows));
