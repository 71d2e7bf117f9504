/**
 * The areas of `src` that are mutated. Each has the score that it must reach, and the tests that may find its mutants.
 */
export interface Area {
  /** Folders and files of `src`. */
  sources: string[];
  /** The required score: the share of found mutants, in percent. */
  atLeast: number;
  /** Folders of `test`, the nearest first. A mutant that these tests do not find counts as missed. */
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
    // Quick tests of single rules come first, because each test of a whole export runs half of the mutants.
    tests: ["node/reading", "node/sink", "node/walk", "node/files", "node"],
  },
  doctor: { sources: ["doctor"], atLeast: 85, tests: ["doctor"] },
  // The tests with a real Redis are not used. They take minutes, and mutants cannot be switched on in their worker
  // processes.
  redis: { sources: ["redis"], atLeast: 85, tests: ["redis/scripted"] },
};
