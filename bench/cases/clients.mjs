/** The cost of one more client. An application with many tenants has one client for each tenant. */
import { PEERS } from "../programs/peers.mjs";

const rows = Object.keys(PEERS).filter((row) => row !== "fetch" && row !== "notetaker-sdk, validation off");

export default {
  title: "A client",
  metrics: {
    memory: { title: "memory, bytes", digits: 0 },
    time: { title: "time to build, µs", digits: 1 },
  },
  rounds: { quick: 3, usual: 5, full: 7 },
  programs: () =>
    rows.map((row) => ({ row, program: "programs/client-cost.mjs", nodeArgs: ["--expose-gc"], args: [row] })),
  figures: [
    { title: "memory of a client, bytes", row: "notetaker-sdk", metric: "memory", wanted: 5_000, digits: 0 },
    { title: "time to build a client, µs", row: "notetaker-sdk", metric: "time", wanted: 20, digits: 1 },
  ],
};
