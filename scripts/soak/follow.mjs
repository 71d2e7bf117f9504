/**
 * `npm run soak -- follow`: the program of docs/database.md in simulated time.
 *
 *   npm run build && npm run soak -- follow [--seed 1] [--days 30]
 *
 * An account of 2,000 meetings is followed for a month: half of them are there at the start, the others take place
 * during the month. Of the deliveries 5 % are lost, of the requests 1 % fail, the process is killed 20 times and stops
 * three times for a day. Prints each result, and fails if one check fails.
 */
import { parseArgs } from "node:util";
import { createEmulator } from "notetaker-sdk/testing";
import { endAfter, expect } from "./expect.mjs";
import { heapBehind } from "./follow-heap.mjs";
import { followMonth } from "./follow-month.mjs";
import { followQuietDay } from "./follow-quiet-day.mjs";
import { AUDIO, clientOf, randomOf } from "./followed-account.mjs";
import { simulateTime } from "./simulated-time.mjs";

const { values } = parseArgs({
  args: process.argv.slice(2).filter((argument) => argument !== "follow"),
  options: { seed: { type: "string", default: "1" }, days: { type: "string", default: "30" } },
});
const START = Date.parse("2026-03-02T09:00:00Z");

const realStart = process.hrtime.bigint();
// The first call loads modules, which takes real time.
const first = createEmulator();
await clientOf(first, first.fetch).meetings.upload(...AUDIO);
const time = simulateTime(START);
const random = randomOf(Number(values.seed));

await followMonth(time, random, START, Number(values.days));
await followQuietDay(time, random);
const [few, many] = [await heapBehind(200, time), await heapBehind(20_000, time)];
const grown = (many - few) / 2 ** 20;
expect(
  "the heap of a follower does not grow with the account",
  grown <= 5,
  `${grown.toFixed(2)} MiB more with 20,000 meetings behind it than with 200`,
);
endAfter(`${Number((process.hrtime.bigint() - realStart) / 1_000_000_000n)} s`);
