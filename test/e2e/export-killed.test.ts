/** Exports that are killed many times write the same files as an uninterrupted export. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { account, contents, meetings, run, runAndKill, type Store } from "../node/support/account.js";

const MEETINGS = 500;
const KILLS = 12;
/**
 * The number of steps (requests, reads and writes) before a run is killed. The next run first reads a page of the list
 * again, which takes about 400 steps. A whole export takes about 17,000 steps, so the last kill comes before the export
 * is complete.
 */
const LIFE = fc.integer({ min: 100, max: 1_600 });

test("an export of 500 meetings that is killed at 12 random points writes the same bytes as one run, and fetches each item at most twice", async () => {
  const { service, fetched } = account(meetings(MEETINGS));
  const start = service.snapshot();
  const clean: Store = new Map();
  await run(service, clean);
  expect(new Set(fetched.values())).toEqual(new Set([1, MEETINGS / 50]));

  service.restore(start);
  fetched.clear();
  const store: Store = new Map();
  const lives = fc.sample(LIFE, KILLS);
  let kills = 0;
  for (const steps of lives) if (await runAndKill(service, store, steps)) kills += 1;
  const { meetings: count, missing, resumed } = await run(service, store);

  expect({ count, missing, resumed }).toEqual({ count: MEETINGS, missing: [], resumed: true });
  expect(kills).toBe(KILLS);
  expect(contents(store), `killed after ${lives} steps`).toEqual(contents(clean));
  const { list, ...pieces } = Object.fromEntries(fetched);
  expect(Object.keys(pieces)).toHaveLength(3 * MEETINGS);
  expect(Math.max(...Object.values(pieces)), `killed after ${lives} steps`).toBeLessThanOrEqual(2);
  expect(list).toBeLessThanOrEqual(MEETINGS / 50 + KILLS);
});
