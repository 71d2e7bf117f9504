/** The edge workers: Cloudflare's workerd (in miniflare) and Vercel's edge runtime. */
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { installed, versionOf } from "./install.js";
import { type Results, type Runtime, resultsIn } from "./runtime.js";

interface MiniflareClass {
  new (options: object): { dispatchFetch(url: string): Promise<Response>; dispose(): Promise<void> };
}

const workerd: Runtime = {
  name: "workerd (Cloudflare Workers)",
  note: "in miniflare",
  async run(project, input) {
    const folder = installed("miniflare", ["miniflare"]);
    const { Miniflare } = createRequire(join(folder, "package.json"))("miniflare") as { Miniflare: MiniflareClass };
    const source = `
      import { Notetaker } from "notetaker-sdk";
      import { program } from "./program.js";
      // Edge workers build clients at module level.
      new Notetaker({ baseUrl: "https://api.example.com/v1", token: "token" });
      export default { fetch: async () => Response.json(await program(${JSON.stringify(input)})) };
    `;
    const script = readFileSync(await project.bundle(source, "worker.js", "esm"), "utf8");
    const worker = new Miniflare({ modules: true, script, compatibilityDate: "2026-01-01" });
    try {
      const response = await worker.dispatchFetch("http://worker.invalid/");
      return { version: versionOf(folder, "workerd"), results: (await response.json()) as Results };
    } finally {
      await worker.dispose();
    }
  },
};

const edgeRuntime: Runtime = {
  name: "edge-runtime (Vercel)",
  async run(project, input) {
    const folder = installed("edge-runtime", ["@edge-runtime/vm"]);
    const source = `import { program } from "./program.js";\nglobalThis.result = program(${JSON.stringify(input)});`;
    const bundle = await project.bundle(source, "edge.js", "iife");
    const host = `
      const { EdgeVM } = require(${JSON.stringify(join(folder, "node_modules/@edge-runtime/vm"))});
      const vm = new EdgeVM();
      vm.evaluate(require("node:fs").readFileSync(${JSON.stringify(bundle)}, "utf8"));
      vm.evaluate("result").then((results) => console.log(JSON.stringify(results)));
    `;
    writeFileSync(join(project.folder, "edge.cjs"), host);
    const results = resultsIn(await project.run(process.execPath, ["edge.cjs"]));
    return { version: versionOf(folder, "@edge-runtime/vm"), results };
  },
};

export const workers: readonly Runtime[] = [workerd, edgeRuntime];
