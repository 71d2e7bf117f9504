/**
 * Prints the CPU time of a request to the emulator (`service.fetch`) and to a stub with a constant response, from the
 * same client. In microseconds per request, one request after another: the best of three rounds, after one round that
 * is not counted.
 */
import { Notetaker } from "notetaker-sdk";
import { createEmulator } from "notetaker-sdk/testing";

const requests = Number(process.argv[2] ?? 10_000);

const service = createEmulator();
const headers = { authorization: `Bearer ${service.token}` };
const answer = await service.fetch(`${service.baseUrl}/rooms?limit=3`, { headers });
const constant = { body: await answer.text(), headers: Object.fromEntries(answer.headers) };

const client = (fetch) => new Notetaker({ baseUrl: service.baseUrl, token: service.token, fetch });
const candidates = {
  "a stub that answers a constant": client(async () => new Response(constant.body, { headers: constant.headers })),
  "the emulator": client(service.fetch),
};

async function microseconds(notetaker) {
  const before = process.cpuUsage();
  for (let count = 0; count < requests; count += 1) await notetaker.rooms.list({ limit: 3 });
  const { user, system } = process.cpuUsage(before);
  return (user + system) / requests;
}

const best = {};
for (let round = 0; round < 4; round += 1) {
  for (const [name, notetaker] of Object.entries(candidates)) {
    const cpu = await microseconds(notetaker);
    if (round > 0) best[name] = { cpu: Math.min(cpu, best[name]?.cpu ?? Number.POSITIVE_INFINITY) };
  }
}
console.log(JSON.stringify(best));
