/**
 * `npm run soak -- sync`: syncMeetings into SQLite and Postgres (PGlite), in simulated time.
 *
 *   npm run build && npm run soak -- sync [--seed 1] [--days 30] [--meetings 2000] [--only large,sqlite,postgres,quiet]
 *
 * An account of 2,000 meetings is followed for a month: half of them are there at the start, the others take place
 * during the month. Of the deliveries 5 % are lost, of the requests 1 % fail, the process is killed 20 times and stops
 * three times for a day. Then a quiet day, and 20,000 meetings in real time. Prints each result, and fails if one check
 * fails. SQLite needs Node 22.16 or later.
 */
import { parseArgs } from "node:util";
import { createEmulator } from "notetaker-sdk/testing";
import { endAfter } from "./expect.mjs";
import { AUDIO, clientOf, randomOf } from "./simulated-account.mjs";
import { simulateTime } from "./simulated-time.mjs";
import { syncLarge } from "./sync-large.mjs";
import { syncMonth } from "./sync-month.mjs";
import { syncQuietDay } from "./sync-quiet-day.mjs";
import { STORES } from "./synced-stores.mjs";

const { values } = parseArgs({
  args: process.argv.slice(2).filter((argument) => argument !== "sync"),
  options: {
    seed: { type: "string", default: "1" },
    days: { type: "string", default: "30" },
    meetings: { type: "string", default: "2000" },
    only: { type: "string", default: "large,sqlite,postgres,quiet" },
  },
});
const parts = values.only.split(",");
const [days, meetings] = [Number(values.days), Number(values.meetings)];
const START = Date.parse("2026-03-02T09:00:00Z");

const realStart = process.hrtime.bigint();
const withStore = async (name, run) => {
  const into = await STORES[name]();
  await run(into);
  await into.close();
};
if (parts.includes("large")) await withStore("sqlite", syncLarge);
// The first call loads modules, which takes real time.
const first = createEmulator();
await clientOf(first, first.fetch).meetings.upload(...AUDIO);
const time = simulateTime(START);
const random = randomOf(Number(values.seed));
for (const name of Object.keys(STORES).filter((name) => parts.includes(name))) {
  await withStore(name, (into) => syncMonth(time, random, { name, into, days, meetings }));
}
if (parts.includes("quiet")) await withStore("sqlite", (into) => syncQuietDay(time, random, into));
endAfter(`${Number((process.hrtime.bigint() - realStart) / 1_000_000_000n)} s`);
