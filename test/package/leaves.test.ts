/** How much of the packed package a bundle contains and a process loads: only the parts that are used. */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { rolldown } from "rolldown";
import { expect, inject, test } from "vitest";

const installed = inject("installed");

function write(name: string, source: string): string {
  writeFileSync(join(installed, name), source);
  return join(installed, name);
}

const output = (file: string) => execFileSync(process.execPath, [file], { encoding: "utf8" });

async function withEsbuild(file: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [file],
    bundle: true,
    minify: true,
    format: "iife",
    platform: "browser",
    write: false,
  });
  return outputFiles[0]!.text;
}

async function withRolldown(file: string): Promise<string> {
  const bundle = await rolldown({ input: file, platform: "browser" });
  const { output } = await bundle.generate({ format: "iife", minify: true });
  return output[0].code;
}

const BUNDLERS: readonly [name: string, bundle: (file: string) => Promise<string>][] = [
  ["esbuild", withEsbuild],
  ["rolldown", withRolldown],
];

test.each(BUNDLERS)("an error class adds at most 1.6 KB to a page that %s bundles", async (_name, bundle) => {
  const file = write(
    "leaf.mjs",
    'import { NotFoundError } from "notetaker-sdk"; console.log(new NotFoundError().message);',
  );
  const code = await bundle(file);
  expect(output(write("bundled.cjs", code))).toBe("The service answered 404 not_found\n");
  expect(gzipSync(code, { level: 9 }).length).toBeLessThanOrEqual(1_600);
});

test.each(BUNDLERS)("the constants do not bring zod into a page that %s bundles", async (_name, bundle) => {
  const file = write(
    "constants.mjs",
    'import { SCOPES, EVENT_KINDS } from "notetaker-sdk"; console.log(SCOPES, EVENT_KINDS);',
  );
  expect(gzipSync(await bundle(file), { level: 9 }).length).toBeLessThanOrEqual(400);
});

test("a CommonJS program can be bundled for a page, and runs", async () => {
  const file = write(
    "leaf.cjs",
    'const { NotFoundError } = require("notetaker-sdk"); console.log(new NotFoundError().message);',
  );
  const code = await withEsbuild(file);
  expect(output(write("bundled.cjs", code))).toBe("The service answered 404 not_found\n");
});

/**
 * Without otel, which needs a peer dependency, and without testing: fflate, in the emulator, creates a TextEncoder when
 * it is loaded.
 */
const ENTRIES = ["", "/node", "/transcript", "/webhooks", "/redis", "/browser", "/tools", "/doctor"];

/** Reading one of these globals takes milliseconds in Node, and older runtimes lack some of them. */
const trapped = `
for (const name of ["fetch", "Request", "Response", "Headers", "FormData", "ReadableStream", "TextEncoder", "TextDecoder", "crypto", "WebSocket"]) {
  Object.defineProperty(globalThis, name, { configurable: true, get() { throw new Error(name + " is read at load"); } });
}
const entries = ${JSON.stringify(ENTRIES)};
`;

test("requiring an entry point in Node neither loads zod nor reads a platform global", () => {
  const source = `${trapped}
    for (const name of entries) require("notetaker-sdk" + name);
    console.log(Object.keys(require.cache).filter((path) => /node_modules.zod/.test(path)).length);`;
  const file = write("load.cjs", source);
  expect(output(file)).toBe("0\n");
});

test("importing an entry point in Node reads no platform global, and all entry points share the same classes", () => {
  const source = `${trapped}
    const [main, ...others] = await Promise.all(entries.map((name) => import("notetaker-sdk" + name)));
    const shared = others.flatMap((entry) => Object.keys(entry).filter((name) => name in main).map((name) => entry[name] === main[name]));
    console.log(shared.length > 5 && shared.every(Boolean));`;
  const file = write("load.mjs", source);
  expect(output(file)).toBe("true\n");
});
