/** The size of a client in a page, with all its dependencies, zod included. */
export default {
  title: "In a page",
  metrics: {
    whole: { title: "the client, gzipped, bytes", digits: 0 },
    error: { title: "one error class, gzipped, bytes", digits: 0 },
  },
  rounds: { quick: 1, usual: 1, full: 1 },
  programs: () => [{ program: "programs/bundle.mjs" }],
  does: {
    "notetaker-sdk": "validates",
    "@polar-sh/sdk": "validates",
    stripe: "has no error class of its own to import",
    resend: "has no error class",
    assemblyai: "has no error class to import",
  },
  figures: [
    { title: "the client in a page, bytes", row: "notetaker-sdk", metric: "whole", wanted: 30_000, digits: 0 },
    { title: "one error class in a page, bytes", row: "notetaker-sdk", metric: "error", wanted: 1_500, digits: 0 },
  ],
};
