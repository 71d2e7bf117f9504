/** The cost of a page when a program walks over all pages, and whether later pages cost more. */
const [FEW, MANY] = ["2000", "20000"];
const LOOP = "a loop over fetch";
const OURS = "notetaker-sdk";
/** This client delays its calls by timers, so 2,000 pages would take a minute. */
const SLOW = "octokit";
const SLOW_PAGES = "200";

/** The other clients take the long walk only in a full run. */
const takesLongWalk = (row, mode) => row !== SLOW && (mode === "full" || row === LOOP || row === OURS);

export default {
  title: "A walk over pages",
  baseline: LOOP,
  metrics: {
    few: { title: "CPU a page of 2,000, µs", digits: 0 },
    many: { title: "CPU a page of 20,000, µs", digits: 0, ratio: false },
    growth: { title: "growth", digits: 2, ratio: false, unitless: true },
  },
  rounds: { quick: 2, usual: 3, full: 7 },
  programs: ({ mode }) =>
    [LOOP, OURS, "openai", "@anthropic-ai/sdk", "stripe", SLOW].map((row) => ({
      row,
      program: "programs/walk.mjs",
      args: [row, row === SLOW ? SLOW_PAGES : FEW, ...(takesLongWalk(row, mode) ? [MANY] : [])],
    })),
  does: {
    [OURS]: "validates; refuses a cursor that comes twice",
    [SLOW]: `spaces its calls by timers, so it walked ${SLOW_PAGES} pages`,
  },
  figures: [{ title: "a page among 20,000 beside one among 2,000", row: OURS, metric: "growth", wanted: 1.5 }],
};
