/** The CPU time of a call in the process that makes it, beside other clients. */
import { PEERS } from "../programs/peers.mjs";
import { startServer } from "../runner/start-server.mjs";

const CALLS = { quick: "1000", usual: "2000", full: "6000" };

export default {
  title: "A call",
  baseline: "fetch",
  metrics: { cpu: { title: "CPU, µs", digits: 0 } },
  rounds: { quick: 3, usual: 5, full: 15 },
  programs: ({ mode }) =>
    Object.keys(PEERS).map((row) => ({ row, program: "programs/call.mjs", args: ["ORIGIN", row, CALLS[mode]] })),
  does: Object.fromEntries(Object.entries(PEERS).map(([row, { does }]) => [row, does])),
  figures: [
    { title: "a validated call beside bare ky, CPU", row: "notetaker-sdk", base: "ky", metric: "cpu", wanted: 1.15 },
  ],
  async start() {
    const { origin, stop } = await startServer("programs/api-server.mjs");
    return { values: { ORIGIN: origin }, stop };
  },
};
