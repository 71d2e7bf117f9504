/**
 * What the emulator costs: requests of the same client through `service.fetch`, against a stub that answers a constant.
 *
 *     npx tsx bench/emulator.ts
 *
 * Ends with status 1 when the ratio is above 3.
 */
import { Notetaker } from "notetaker-sdk";
import { createEmulator, type FetchLike } from "notetaker-sdk/testing";

const REQUESTS = 10_000;
const LIMIT = 3;

const service = createEmulator();
const headers = { authorization: `Bearer ${service.token}` };
const answer = await service.fetch(`${service.baseUrl}/rooms?limit=3`, { headers });
const constant = { body: await answer.text(), headers: Object.fromEntries(answer.headers) };

const client = (fetch: FetchLike) =>
  new Notetaker({ baseUrl: service.baseUrl, token: service.token, fetch: fetch as typeof globalThis.fetch });
const emulated = client(service.fetch);
const stubbed = client(async () => new Response(constant.body, { headers: constant.headers }));

/** Milliseconds that all the requests take, one after another. */
async function measure(notetaker: Notetaker): Promise<number> {
  const start = performance.now();
  for (let count = 0; count < REQUESTS; count++) await notetaker.rooms.list({ limit: 3 });
  return performance.now() - start;
}

// One round unmeasured, so that both run compiled; then in turn, and the best of each counts.
await measure(stubbed);
await measure(emulated);
const best = { stub: Number.POSITIVE_INFINITY, emulator: Number.POSITIVE_INFINITY };
for (let round = 0; round < 3; round++) {
  best.stub = Math.min(best.stub, await measure(stubbed));
  best.emulator = Math.min(best.emulator, await measure(emulated));
}

const ratio = best.emulator / best.stub;
console.log(`${REQUESTS} requests of the client, one after another`);
console.log(`a stub that answers a constant  ${best.stub.toFixed(0)} ms`);
console.log(`the emulator                    ${best.emulator.toFixed(0)} ms`);
console.log(`ratio                           ${ratio.toFixed(2)} (at most ${LIMIT})`);
process.exitCode = ratio <= LIMIT ? 0 : 1;
