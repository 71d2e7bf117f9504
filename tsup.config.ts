import { defineConfig } from "tsup";

/** What users import. */
const entries = {
  index: "src/index.ts",
  node: "src/node/index.ts",
  transcript: "src/transcript/index.ts",
  webhooks: "src/webhooks/index.ts",
  redis: "src/redis/index.ts",
  browser: "src/browser/index.ts",
  otel: "src/otel/index.ts",
  tools: "src/tools/index.ts",
  testing: "src/testing/index.ts",
  doctor: "src/doctor/index.ts",
};

export default defineConfig({
  entry: {
    ...entries,
    // Commands: they have no types.
    "notetaker-emulator": "src/testing/cli.ts",
    "notetaker-doctor": "src/doctor/cli.ts",
  },
  format: ["esm", "cjs"],
  dts: { entry: entries },
  target: "es2022",
  platform: "neutral",
  splitting: true,
  treeshake: true,
  clean: true,
  // Read, and removed, by scripts/third-party-notices.ts.
  metafile: true,
  // Small enough to go inside: users install nothing for it.
  noExternal: ["fflate"],
  external: ["zod", "msw", "@opentelemetry/api", /^node:/],
});
