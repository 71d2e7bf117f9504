/** What a page of a walk costs, and whether it costs more the further the walk has come. */
const PAGES = { quick: [200, 2_000], usual: [2_000, 20_000], full: [2_000, 20_000] };
const LOOP = "a loop over fetch";
const OURS = "notetaker-sdk";
/** Its pages are so slow that the long walk would take minutes. */
const SLOW = "octokit";

export default {
  title: "A walk over pages",
  baseline: LOOP,
  metrics: {
    few: { title: "CPU a page of 2,000, µs", digits: 0 },
    many: { title: "CPU a page of 20,000, µs", digits: 0, ratio: false },
    growth: { title: "growth", digits: 2, ratio: false },
  },
  rounds: { quick: 1, usual: 3, full: 7 },
  programs: ({ mode }) =>
    [LOOP, OURS, "openai", "@anthropic-ai/sdk", "stripe", SLOW].map((row) => {
      const pages = PAGES[mode].map(String);
      return { row, program: "programs/walk.mjs", args: [row, ...(row === SLOW ? pages.slice(0, 1) : pages)] };
    }),
  does: {
    [OURS]: "validates; refuses a cursor that comes twice",
    [SLOW]: "was not walked for 20,000 pages: it would take minutes",
  },
  figures: [{ title: "a page among 20,000 beside one among 2,000", row: OURS, metric: "growth", wanted: 1.5 }],
};
