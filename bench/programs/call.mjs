/**
 * Prints the CPU time of a call in this process: `call.mjs ORIGIN CLIENT [CALLS]`. 50 calls are in flight. The first
 * calls are not measured, because the compiler has not optimised the code yet.
 */
import { PEERS } from "./peers.mjs";

const [origin, name, calls = "3000"] = process.argv.slice(2);
const AT_ONCE = 50;
const WARM_UP = 1_500;

const { create, call } = await PEERS[name].load();
const client = create(origin);

async function run(count) {
  let begun = 0;
  const worker = async () => {
    while (begun++ < count) await call(client);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

await run(WARM_UP);
const began = performance.now();
const before = process.cpuUsage();
await run(Number(calls));
const { user, system } = process.cpuUsage(before);
const wallUs = (performance.now() - began) * 1_000;
console.log(JSON.stringify({ cpu: (user + system) / Number(calls), wall: wallUs / Number(calls) }));
process.exit();
