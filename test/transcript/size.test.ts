import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { expect, it } from "vitest";

it("the whole of notetaker-sdk/transcript is at most 3 KB gzipped, and imports nothing", async () => {
  const { outputFiles, metafile } = await build({
    entryPoints: [fileURLToPath(new URL("../../src/transcript/index.ts", import.meta.url))],
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2022",
    write: false,
    metafile: true,
  });
  expect(gzipSync(outputFiles[0]!.contents).length).toBeLessThanOrEqual(3000);
  for (const input of Object.keys(metafile.inputs)) expect(input).toContain("src/transcript/");
});
