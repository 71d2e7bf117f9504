/**
 * `node bench/emulator.mjs [ACCOUNTS]`, after `npm run build`: prints what a request costs the emulator with 100
 * accounts and with 10,000, and the ratio. Rounds alternate, so that other work on the machine affects both alike.
 */
import { createEmulator } from "../dist/node/testing/index.js";

const FEW = 100;
const [many = "10000"] = process.argv.slice(2);
const ROUNDS = 9;
const REQUESTS = 300;

const meeting = (index) => ({ title: `Meeting ${index}`, transcript: null });

function emulatorWith(count) {
  const accounts = Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`token-${index}`, { meetings: [meeting(1), meeting(2)] }]),
  );
  const service = createEmulator({ accounts, limits: "none", now: Date.now });
  const tokens = Object.keys(accounts);
  let sent = 0;
  return async function request(path, init) {
    const token = tokens[(sent++ * 7919) % count];
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const response = await service.fetch(`${service.baseUrl}${path}`, { ...init, headers });
    await response.text();
  };
}

/** The CPU time of one request, in microseconds. */
async function measure(request, path, init) {
  const before = process.cpuUsage();
  for (let count = 0; count < REQUESTS; count += 1) await request(path, init);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / REQUESTS;
}

const median = (numbers) => numbers.sort((a, b) => a - b)[numbers.length >> 1];

const bot = { method: "POST", body: JSON.stringify({ meeting_url: "https://zoom.us/j/1234567890" }) };
const [few, more] = [emulatorWith(FEW), emulatorWith(Number(many))];
for (const [name, path, init] of [
  ["GET /meetings", "/meetings"],
  ["GET /rooms", "/rooms"],
  ["GET /meetings/{id}/transcript, 404", "/meetings/mtg_none/transcript"],
  ["POST /meetings/bot", "/meetings/bot", bot],
]) {
  const rounds = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    rounds.push([await measure(few, path, init), await measure(more, path, init)]);
  }
  const [us, usMany] = [median(rounds.map(([a]) => a)), median(rounds.map(([, b]) => b))];
  const ratio = median(rounds.map(([a, b]) => b / a));
  console.log(
    `${name}: ${us.toFixed(0)} µs with ${FEW} accounts, ${usMany.toFixed(0)} µs with ${many}: ${ratio.toFixed(2)} times`,
  );
}
process.exit();
