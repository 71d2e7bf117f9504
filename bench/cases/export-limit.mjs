/**
 * The time of an export under the service's rate limit, beside the shortest time that the limit allows. The time is
 * simulated, so the figures are exact.
 */
const MEETINGS = { quick: "120", usual: "500", full: "500" };
const WORST = "the worst of them";

export default {
  title: "An export under a limit of 60 a minute",
  metrics: {
    requests: { title: "requests", digits: 0 },
    refused: { title: "429s", digits: 0 },
    took: { title: "took, s", digits: 1 },
    allowed: { title: "the limit allows, s", digits: 0 },
    ratio: { title: "ratio", digits: 4 },
  },
  rounds: { quick: 1, usual: 1, full: 1 },
  programs: ({ mode }) => [{ program: "programs/export-limit.mjs", args: [MEETINGS[mode]] }],
  figures: [
    { title: "an export beside the time that its limit allows", row: WORST, metric: "ratio", wanted: 1.02, digits: 4 },
    { title: "429s of an export", row: WORST, metric: "refused", wanted: 0, digits: 0 },
  ],
};
