/** What the files for bundlers import. Some bundlers load every module of this graph, whether it is used or not. */
import { join } from "node:path";
import { build } from "esbuild";
import { expect, inject, test } from "vitest";

/** The packages that the modules of an entry point import, directly or indirectly, each with its importers. */
async function packagesOf(entry: string): Promise<Record<string, string[]>> {
  const { metafile } = await build({
    entryPoints: [join(inject("installed"), "node_modules/notetaker-sdk/dist/esm", entry, "index.js")],
    bundle: true,
    metafile: true,
    write: false,
    format: "esm",
    packages: "external",
    treeShaking: false,
  });
  const packages: Record<string, string[]> = {};
  for (const [file, { imports }] of Object.entries(metafile.inputs)) {
    for (const { path, external } of imports) {
      if (external) packages[path] = [...(packages[path] ?? []), file.replace(/^.*dist\/esm\//, "")];
    }
  }
  return packages;
}

test("notetaker-sdk/browser reaches no package: no zod and no ky", async () => {
  expect(await packagesOf("browser")).toEqual({});
});

test("notetaker-sdk/otel reaches the API of OpenTelemetry alone", async () => {
  expect(Object.keys(await packagesOf("otel"))).toEqual(["@opentelemetry/api"]);
});

test("the main entry reaches zod and ky", async () => {
  expect(Object.keys(await packagesOf("."))).toEqual(expect.arrayContaining(["zod/mini", "ky"]));
});
