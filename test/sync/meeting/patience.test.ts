/** How long something is expected of a meeting, and when it is requested again. */
import { expect, it } from "vitest";
import { deadlineOf, nextTryMs } from "../../../src/sync/meeting/patience.js";
import { DAY, HOUR, MINUTE } from "../support/simulated-time.js";

const PATIENCE = { pollMs: MINUTE, settleMs: DAY };
const SEEN = Date.UTC(2026, 0, 10);
const text = (ms: number) => new Date(ms).toISOString();

it.each([
  ["completed", text(SEEN), SEEN + 5 * DAY + DAY],
  ["unknown", text(SEEN), SEEN + 5 * DAY + DAY],
  ["scheduled", text(SEEN + 9 * DAY), SEEN + 39 * DAY],
  ["processing", text(SEEN - 9 * DAY), SEEN + 30 * DAY],
  ["processing", "soon", SEEN + 30 * DAY],
])(
  "the deadline of a meeting that is %s from the fifth day on depends on its start: %s",
  (status, startTime, deadline) => {
    const stage = { status, startTime, firstSeenMs: SEEN, statusSinceMs: SEEN + 5 * DAY };
    expect(deadlineOf(stage, PATIENCE)).toBe(deadline);
  },
);

it.each([
  [1, DAY, MINUTE],
  [2, DAY, 2 * MINUTE],
  [7, DAY, HOUR],
  [10_000, DAY, HOUR],
  [7, 5 * MINUTE, 5 * MINUTE],
  [7, 0, HOUR],
  [7, -DAY, HOUR],
])("after %i tries in vain, %i ms before the deadline, the next is in %i ms", (tries, left, pause) => {
  expect(nextTryMs(SEEN, tries, SEEN + left, PATIENCE)).toBe(SEEN + pause);
});
