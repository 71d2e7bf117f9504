/** What bundles and processes in Node load of the packed package: only what is used, and nothing early. */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { expect, inject, test } from "vitest";

const installed = inject("installed");

function write(name: string, source: string): string {
  writeFileSync(join(installed, name), source);
  return join(installed, name);
}

const output = (file: string) => execFileSync(process.execPath, [file], { encoding: "utf8" }).trim();

/** Bundles a program for a page, and returns what the bundle prints. */
async function outputOfBundle(name: string, source: string): Promise<string> {
  const outfile = join(installed, `bundled-${name}`);
  const entryPoints = [write(name, source)];
  await build({ entryPoints, outfile, bundle: true, minify: true, format: "iife", platform: "browser" });
  return output(outfile);
}

const CALL = `
  const fetch = async () => Response.json({ data: [], has_more: false, next_cursor: null });
  const notetaker = new Notetaker({ baseUrl: "https://api.example.com/v1", token: "token", fetch });
  notetaker.rooms.list().then(({ data }) => console.log("rooms:", data.length));
`;

test.each([
  ["page.mjs", `import { Notetaker } from "notetaker-sdk";`],
  ["page.cjs", `const { Notetaker } = require("notetaker-sdk");`],
])("a call works in a bundle for a page: %s", async (name, load) => {
  expect(await outputOfBundle(name, load + CALL)).toBe("rooms: 0");
});

/** The packages that the modules for bundlers import. Some bundlers load each of them, whether it is used or not. */
async function packagesOf(entry: string): Promise<string[]> {
  const { metafile } = await build({
    entryPoints: [join(installed, "node_modules/notetaker-sdk/dist/esm", entry, "index.js")],
    ...{ bundle: true, metafile: true, write: false, format: "esm", packages: "external", treeShaking: false },
  });
  const imports = Object.values(metafile.inputs).flatMap((input) => input.imports);
  return [...new Set(imports.flatMap(({ path, external }) => (external ? path : [])))].sort();
}

test.each([
  ["browser", []],
  ["otel", ["@opentelemetry/api"]],
  [".", expect.arrayContaining(["zod/mini", "ky"])],
])("the modules of the entry point %s import these packages: %j", async (entry, packages) => {
  expect(await packagesOf(entry)).toEqual(packages);
});

/** Without otel, which needs a peer dependency. */
const ENTRIES = [
  "",
  "/node",
  "/transcript",
  "/webhooks",
  "/redis",
  "/sql",
  "/browser",
  "/tools",
  "/doctor",
  "/testing",
];

/**
 * Reading one of these globals takes milliseconds in Node, and older runtimes lack some of them. ky reads `Request`.
 */
const TRAPPED = `
for (const name of ["fetch", "Request", "Response", "Headers", "FormData", "ReadableStream", "TextEncoder", "TextDecoder", "crypto", "WebSocket"]) {
  Object.defineProperty(globalThis, name, { configurable: true, get() { throw new Error(name + " is read at load"); } });
}
const entries = ${JSON.stringify(ENTRIES)};
`;

test("requiring the entry points in Node loads no other package, and reads no platform global", () => {
  const source = `${TRAPPED}
    for (const name of entries) require("notetaker-sdk" + name);
    console.log(Object.keys(require.cache).filter((path) => /node_modules.(ky|zod)/.test(path)).length);`;
  expect(output(write("load.cjs", source))).toBe("0");
});

test("importing the entry points in Node reads no platform global, and they share the same classes", () => {
  const source = `${TRAPPED}
    const [main, ...others] = await Promise.all(entries.map((name) => import("notetaker-sdk" + name)));
    const shared = others.flatMap((entry) => Object.keys(entry).filter((name) => name in main).map((name) => entry[name] === main[name]));
    console.log(shared.length > 5 && shared.every(Boolean));`;
  expect(output(write("load.mjs", source))).toBe("true");
});

test("instanceof is true across the copies for ES modules and for CommonJS", () => {
  const source = `
    import { createRequire } from "node:module";
    import { ApiError, NotFoundError, NotetakerError, ServerError } from "notetaker-sdk";
    const cjs = createRequire(import.meta.url)("notetaker-sdk");
    const client = new cjs.Notetaker({
      baseUrl: "https://service.invalid/v1",
      token: "token",
      fetch: async () => Response.json({ error: { code: "not_found", message: "resource not found" } }, { status: 404 }),
    });
    const error = await client.webhooks.list().catch((error) => error);
    console.log([NotFoundError, ApiError, NotetakerError, ServerError, Error].map((kind) => error instanceof kind).join());
  `;
  expect(output(write("copies.mjs", source))).toBe("true,true,true,false,true");
});
