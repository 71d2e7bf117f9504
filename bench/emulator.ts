/**
 * What the emulator costs: requests of the same client through `service.fetch`, against a stub that answers a constant.
 *
 *     npx tsx bench/emulator.ts
 *
 * Ends with status 1 when the ratio is above 3.
 */
import { Notetaker } from "notetaker-sdk";
import { createEmulator } from "notetaker-sdk/testing";

const REQUESTS = 10_000;
const LIMIT = 3;

const service = createEmulator();
const [meeting] = service.meetings.list();
const answer = await service.fetch(`${service.baseUrl}/rooms?limit=3`, {
  headers: { authorization: `Bearer ${service.token}` },
});
const constant = await answer.text();
const headers = Object.fromEntries(answer.headers);
const stub = async () => new Response(constant, { headers });

const client = (fetch: typeof service.fetch) =>
  new Notetaker({ baseUrl: service.baseUrl, token: service.token, fetch: fetch as typeof globalThis.fetch });

/** Milliseconds that all the requests take, one after another. */
async function measure(notetaker: Notetaker): Promise<number> {
  const start = performance.now();
  for (let count = 0; count < REQUESTS; count++) await notetaker.rooms.list({ limit: 3 });
  return performance.now() - start;
}

const emulated = client(service.fetch);
const stubbed = client(stub);
// One round unmeasured, so that both run compiled; then alternating, the best of each.
await measure(stubbed);
await measure(emulated);
let best = { stub: Number.POSITIVE_INFINITY, emulator: Number.POSITIVE_INFINITY };
for (let round = 0; round < 3; round++) {
  best = {
    stub: Math.min(best.stub, await measure(stubbed)),
    emulator: Math.min(best.emulator, await measure(emulated)),
  };
}
const ratio = best.emulator / best.stub;
console.log(`${REQUESTS} requests, ${service.meetings.list().length} meetings, first ${meeting?.id}`);
console.log(`stub      ${best.stub.toFixed(0)} ms`);
console.log(`emulator  ${best.emulator.toFixed(0)} ms`);
console.log(`ratio     ${ratio.toFixed(2)} (at most ${LIMIT})`);
process.exitCode = ratio <= LIMIT ? 0 : 1;
