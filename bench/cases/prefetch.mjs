/** The time for 200 pages that take 5 ms to arrive and 5 ms to use, if the next page is fetched while one is used. */
const LOOP = "a hand-written prefetch loop";
const OURS = "notetaker-sdk, prefetch";

export default {
  title: "Pages fetched ahead",
  baseline: LOOP,
  metrics: { seconds: { title: "time, s", digits: 2 } },
  rounds: { quick: 3, usual: 5, full: 9 },
  programs: () => [LOOP, OURS, "notetaker-sdk"].map((row) => ({ row, program: "programs/prefetch.mjs", args: [row] })),
  figures: [
    {
      title: "200 pages with prefetch beside a hand-written loop",
      row: OURS,
      base: LOOP,
      metric: "seconds",
      wanted: 1.1,
    },
  ],
};
