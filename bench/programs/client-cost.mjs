/** Prints the memory of one more client and the time to build it: `client-cost.mjs CLIENT`, with `--expose-gc`. */
import { PEERS } from "./peers.mjs";

const CLIENTS = 2_000;
const BATCH = 50;
const ORIGIN = "http://127.0.0.1:1";

const { create } = await PEERS[process.argv[2]].load();

function heapBytes() {
  for (let time = 0; time < 4; time += 1) globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/**
 * The median time of several batches: the first batches run before the code is compiled, and garbage collection slows
 * some others.
 */
function microsecondsToBuild() {
  const times = [];
  for (let made = 0; made < 4 * CLIENTS; made += BATCH) {
    const began = performance.now();
    for (let count = 0; count < BATCH; count += 1) create(ORIGIN);
    times.push(((performance.now() - began) * 1_000) / BATCH);
  }
  return times.sort((a, b) => a - b)[times.length >> 1];
}

const time = microsecondsToBuild();
const clients = new Array(CLIENTS).fill(undefined);
const before = heapBytes();
for (let index = 0; index < CLIENTS; index += 1) clients[index] = create(ORIGIN);
const memory = (heapBytes() - before) / CLIENTS;
console.log(JSON.stringify({ memory, time }));
process.exit(clients.length === CLIENTS ? 0 : 1);
