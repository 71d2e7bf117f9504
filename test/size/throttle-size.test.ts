/** How much `throttle` adds to the bundle of every user of the client, and that Redis adds nothing. */
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build, type Plugin } from "esbuild";
import { expect, test } from "vitest";

const entry = fileURLToPath(new URL("../../src/index.ts", import.meta.url));

/** The client without its local throttle. */
const withoutThrottle: Plugin = {
  name: "without the throttle",
  setup(bundling) {
    const contents = "export class LocalThrottle {} export const waitForTurn = 0, reportLimits = 0;";
    const filter = /throttle\/(local-throttle|limit|wait-for-turn)\.ts$/;
    bundling.onLoad({ filter }, () => ({ contents, loader: "ts" }));
  },
};

async function bundled(plugins: Plugin[]) {
  const { outputFiles, metafile } = await build({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2022",
    external: ["zod", "zod/*"],
    write: false,
    metafile: true,
    plugins,
  });
  const [file] = outputFiles;
  return { bytes: gzipSync(file?.contents ?? "").byteLength, modules: Object.keys(metafile.inputs) };
}

test("the local throttle adds at most 1.3 KB to the gzipped client, and no code of Redis", async () => {
  const [whole, rest] = await Promise.all([bundled([]), bundled([withoutThrottle])]);
  const added = whole.bytes - rest.bytes;
  expect(added).toBeGreaterThan(500);
  expect(added).toBeLessThanOrEqual(1_300);
  expect(whole.modules.some((path) => path.includes("src/transport/throttle/"))).toBe(true);
  expect(whole.modules.filter((path) => /redis/.test(path))).toEqual([]);
});
