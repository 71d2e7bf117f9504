/** The cost of the emulator for a request of the client, beside a stub with a constant response. */
const REQUESTS = { quick: "1000", usual: "4000", full: "10000" };
const STUB = "a stub that answers a constant";

export default {
  title: "The emulator",
  baseline: STUB,
  metrics: { cpu: { title: "CPU a request, µs", digits: 0 } },
  rounds: { quick: 3, usual: 5, full: 7 },
  programs: ({ mode }) => [{ program: "programs/emulator.mjs", args: [REQUESTS[mode]] }],
  figures: [
    {
      title: "a request to the emulator beside one to a stub",
      row: "the emulator",
      base: STUB,
      metric: "cpu",
      wanted: 3,
    },
  ],
};
