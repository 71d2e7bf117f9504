/** The cost of the throttle in one process for a call that need not wait, beside other limiters. */
export const THROTTLE_METRICS = {
  single: { title: "one by one, µs", digits: 1 },
  atOnce: { title: "50 at once, µs", digits: 1 },
};

export default {
  title: "The throttle in one process",
  baseline: "notetaker-sdk, throttle: true",
  metrics: THROTTLE_METRICS,
  rounds: { quick: 3, usual: 5, full: 15 },
  programs: () => [{ program: "programs/throttle.mjs", args: ["local"] }],
};
