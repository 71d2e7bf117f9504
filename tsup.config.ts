import { defineConfig } from "tsup";

export default defineConfig({
  entry: {
    index: "src/index.ts",
    node: "src/node/index.ts",
    transcript: "src/transcript/index.ts",
    webhooks: "src/webhooks/index.ts",
    testing: "src/testing/index.ts",
  },
  format: ["esm", "cjs"],
  dts: true,
  target: "es2022",
  platform: "neutral",
  splitting: true,
  treeshake: true,
  clean: true,
  // ESM-only packages cannot be required by CommonJS users on Node 20, so they go inside.
  noExternal: ["ky", "eventsource-parser"],
  external: ["zod", "msw", /^node:/],
});
