/** What a call pays to be told that it may go, in one process, beside other limiters. Nothing waits. */
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
