/** What is written of a meeting, or of an id, without a row of the list. */
import { expect, it } from "vitest";
import type { Finding } from "../../../src/sync/meeting/finding.js";
import { type KnownMemory, parseMemory } from "../../../src/sync/meeting/memory.js";
import { concludeAbsent, concludeGone, concludeNamed, concludeOutside } from "../../../src/sync/meeting/without-row.js";
import { DAY, MINUTE } from "../support/simulated-time.js";

const ID = "mtg_1";
const NOW = Date.UTC(2026, 0, 10);
const NOTHING: KnownMemory = { text: undefined, memory: undefined };
/** A text that cannot be read. */
const ODD: KnownMemory = { text: "odd", memory: undefined };

const absent = (known: KnownMemory, ms: number, event = false) =>
  concludeAbsent(ID, known, event, NOW + ms, { pollMs: MINUTE, settleMs: DAY });
/** What is remembered after this was written. */
const after = (finding: Finding | "forget" | undefined) => parseMemory((finding as Finding).item.memory);
const gone = (known: KnownMemory) => after(concludeGone(ID, known, known.memory!));

it("an id that the list never shows is forgotten after its last try, a day after it was named last", () => {
  const first = absent(NOTHING, 0, true) as Finding;
  expect(first).toMatchObject({ change: undefined, missing: [{ what: "meeting", retryable: true }] });
  expect(first.item.dueAt).toEqual(new Date(NOW + MINUTE));
  expect(absent(after(first), DAY - 1)).toMatchObject({ item: { dueAt: new Date(NOW + DAY) } });
  expect(absent(after(first), DAY)).toBe("forget");
  expect(absent(after(first), DAY, true)).toMatchObject({ item: { dueAt: new Date(NOW + DAY + MINUTE) } });
});

it("an id is requested once more after a long stop if it was not requested before", () => {
  const named = after(concludeNamed(ID, NOTHING, NOW));
  expect(named.memory).toMatchObject({ isNamed: true, dueMs: NOW, missing: [{ what: "meeting" }] });
  const namedAgain = after(concludeNamed(ID, after(absent(NOTHING, 0)), NOW + DAY));
  expect(absent(namedAgain, DAY)).toMatchObject({ item: { dueAt: new Date(NOW + DAY + MINUTE) } });
  expect(absent(named, 9 * DAY)).toMatchObject({ item: { dueAt: new Date(NOW + 9 * DAY + MINUTE) } });
});

it("a meeting whose memory cannot be read is given up, and not forgotten", () => {
  const first = absent(ODD, 0);
  const last = absent(after(first), DAY) as Finding;
  expect(last).toMatchObject({ missing: [{ reason: "not_found", retryable: false }], item: { dueAt: undefined } });
});

it("a meeting that is gone is missing for ever, and nothing more is written of it", () => {
  const known = gone(after(absent(ODD, 0)));
  expect(known.memory).toMatchObject({ isGone: true, missing: [{ what: "meeting", retryable: false }] });
  expect(known.memory?.dueMs).toBeUndefined();
  expect([absent(known, DAY, true), concludeNamed(ID, known, NOW)]).toEqual([undefined, undefined]);
});

it("a meeting outside of the period is not requested again, and an id is forgotten", () => {
  const listed = after(absent(ODD, 0));
  const outside = after(concludeOutside(ID, listed));
  expect([listed.memory?.dueMs, outside.memory?.dueMs]).toEqual([NOW + MINUTE, undefined]);
  const again = [NOTHING, outside, after(absent(NOTHING, 0))].map((known) => concludeOutside(ID, known));
  expect(again).toEqual([undefined, undefined, "forget"]);
});
