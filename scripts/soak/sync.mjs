/**
 * `npm run soak -- sync`: syncMeetings into SQLite, Postgres and a folder.
 *
 *   npm run build && npm run soak -- sync [--seed 1] [--days 30] [--meetings 2000] [--only event,sqlite,postgres,folder]
 *
 * `event` takes place in real time: 50 events. Then in simulated time, into each store: an account of 2,000 meetings is
 * followed for a month. Half of them are there at the start, the others take place during the month. Of the deliveries 5 %
 * are lost, of the requests 1 % fail, the process is killed 20 times and stops three times for a day.
 *
 * Prints each result, and fails if one check fails. SQLite needs Node 22.16 or later, Postgres has to be installed.
 */
import { parseArgs } from "node:util";
import { createEmulator } from "notetaker-sdk/testing";
import { endAfter } from "./expect.mjs";
import { makeFilesImmediate } from "./immediate-files.mjs";
import { AUDIO, clientOf, randomOf } from "./simulated-account.mjs";
import { simulateTime } from "./simulated-time.mjs";
import { syncEvents } from "./sync-event.mjs";
import { syncMonth } from "./sync-month.mjs";
import { STORES } from "./synced-stores.mjs";

const { values } = parseArgs({
  args: process.argv.slice(2).filter((argument) => argument !== "sync"),
  options: {
    seed: { type: "string", default: "1" },
    days: { type: "string", default: "30" },
    meetings: { type: "string", default: "2000" },
    only: { type: "string", default: "event,sqlite,postgres,folder" },
  },
});
const parts = values.only.split(",");
const [days, meetings] = [Number(values.days), Number(values.meetings)];
const START = Date.parse("2026-03-02T09:00:00Z");

const realStart = process.hrtime.bigint();
const withStore = async (name, run) => {
  const into = await STORES[name]();
  try {
    await run(into);
  } finally {
    await into.close();
  }
};
if (parts.includes("event")) await withStore("postgres", syncEvents);
// The first call loads modules, which takes real time; so does the start of a server.
const first = createEmulator();
await clientOf(first, first.fetch).meetings.upload(...AUDIO);
const months = Object.keys(STORES).filter((name) => parts.includes(name));
const stores = await Promise.all(months.map((name) => STORES[name]()));
const time = simulateTime(START);
makeFilesImmediate();
const random = randomOf(Number(values.seed));
for (const into of stores) await syncMonth(time, random, { into, days, meetings });
for (const into of stores) await into.close();
endAfter(`${Number((process.hrtime.bigint() - realStart) / 1_000_000_000n)} s`);
