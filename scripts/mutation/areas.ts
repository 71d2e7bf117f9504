/** The parts of `src` that are mutated, the score that each must reach, and the tests that may find its mutants. */
export interface Area {
  /** Folders and files of `src`. */
  sources: string[];
  /** The share of found mutants, in percent. */
  atLeast: number;
  /** Folders of `test`, the nearest first. A mutant that they miss counts as missed. */
  tests: string[];
}

export const AREAS: Record<string, Area> = {
  transport: {
    sources: ["transport"],
    atLeast: 90,
    tests: ["transport", "client", "errors", "resources", "media/download", "otel"],
  },
  errors: { sources: ["errors"], atLeast: 90, tests: ["errors", "redact", "transport", "client"] },
  webhooks: { sources: ["webhooks"], atLeast: 90, tests: ["webhooks"] },
  media: { sources: ["media"], atLeast: 90, tests: ["media", "node/files", "resources"] },
  waiting: { sources: ["waiting"], atLeast: 90, tests: ["waiting", "resources", "client"] },
  redact: { sources: ["redact"], atLeast: 85, tests: ["redact", "errors", "transport"] },
  client: {
    sources: ["client.ts", "unshown.ts", "configuration", "resources", "async", "json", "browser"],
    atLeast: 85,
    tests: ["resources", "client", "async", "transport", "webhooks/webhooks", "media/upload"],
  },
  schemas: {
    sources: ["schemas", "documents"],
    atLeast: 85,
    tests: ["schemas", "documents", "resources", "interface", "client"],
  },
  transcript: { sources: ["transcript"], atLeast: 85, tests: ["transcript"] },
  tools: { sources: ["tools", "otel"], atLeast: 85, tests: ["tools", "otel"] },
  node: {
    sources: ["node"],
    atLeast: 85,
    // Quick tests of single rules first: each test of a whole export meets half of the mutants.
    tests: ["node/reading", "node/sink", "node/walk", "node/files", "node"],
  },
  doctor: { sources: ["doctor"], atLeast: 85, tests: ["doctor"] },
  // The tests with a real Redis take minutes, and their workers are processes of their own: no mutant is on in those.
  redis: { sources: ["redis"], atLeast: 85, tests: ["redis/scripted"] },
};
