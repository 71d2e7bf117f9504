/** What is requested of a listed meeting, when what is missing is requested again, and when it is given up. */
import { expect, it } from "vitest";
import { readRow } from "../../../src/sync/list/received.js";
import { conclude } from "../../../src/sync/meeting/conclude.js";
import type { FetchedPiece } from "../../../src/sync/meeting/fetch-piece.js";
import { parseMemory } from "../../../src/sync/meeting/memory.js";
import { newsOf } from "../../../src/sync/meeting/news.js";
import { type Gap, nameOf, refusedGap } from "../../../src/sync/meeting/pieces.js";
import { concludeAbsent, concludeNamed } from "../../../src/sync/meeting/without-row.js";
import { DAY, HOUR, MINUTE } from "../support/simulated-time.js";

const BEGAN = Date.UTC(2026, 0, 10);
const PATIENCE = { pollMs: MINUTE, settleMs: DAY };
const TRANSCRIPT = "transcript";
const NOT_FOUND: Gap = { what: TRANSCRIPT, reason: "not_found", status: 404, retryable: true, message: "answer 404" };
const REFUSED = refusedGap(TRANSCRIPT, "the store has refused it");
const DOCUMENT = {
  id: "doc_1",
  title: "A",
  format: "markdown",
  content: "# A",
  created_at: "2026-01-10T00:00:00Z",
} as const;
const FORBIDDEN: Gap = { ...NOT_FOUND, reason: "forbidden", retryable: false };
const START = { id: "mtg_1", title: "A", source: "zoom", start_time: new Date(BEGAN - HOUR).toISOString() };

/** One meeting, read at several times, with what was received of each piece that is requested then. */
function oneMeeting() {
  let known = parseMemory(undefined);
  let row: object = { ...START, status: "completed", documents: [] };
  /** What was requested by each reading. */
  const requested: string[][] = [];
  return {
    requested,
    change(changes: object) {
      row = { ...row, ...changes };
    },
    /** An event or the caller names it, but the run has no more requests. */
    name(ms: number) {
      known = parseMemory(concludeNamed(START.id, known, BEGAN + ms)?.item.memory);
    },
    /** An event or the caller names it, and the list does not have it. */
    missFirst(ms: number) {
      const finding = concludeAbsent(START.id, known, true, BEGAN + ms, PATIENCE);
      if (typeof finding === "object") known = parseMemory(finding.item.memory);
    },
    /** What was requested, whether something is still tried, and when, in milliseconds from then. */
    read(
      ms: number,
      answer: Gap | undefined,
      {
        event = false,
        transcript = true,
        document = { document: DOCUMENT } as FetchedPiece,
        answered = (_: string): boolean => true,
      } = {},
    ) {
      const nowMs = BEGAN + ms;
      const wanted = { transcript, recording: false, documents: ["markdown"] as const };
      const news = newsOf(readRow(row)!, known, { wanted, event, nowMs });
      const asked = news?.ask.map(nameOf) ?? [];
      requested.push(asked);
      const answers = new Map<string, FetchedPiece>();
      for (const name of asked.filter(answered))
        answers.set(name, name === TRANSCRIPT ? { missing: answer } : document);
      const finding = news && conclude(news, answers, nowMs, PATIENCE);
      if (finding !== undefined) known = parseMemory(finding.item.memory);
      const { missing = [], dueMs } = known.memory ?? {};
      return { asked, tried: missing.map(({ retryable }) => retryable), inMs: dueMs && dueMs - nowMs };
    },
  };
}

it("what is missing is given up a day after the meeting got its status", () => {
  const { read, change } = oneMeeting();
  change({ status: "in between" });
  expect(read(0, NOT_FOUND)).toEqual({ asked: [TRANSCRIPT], tried: [true], inMs: MINUTE });
  change({ status: "completed" });
  expect(read(20 * HOUR, NOT_FOUND)).toMatchObject({ tried: [true], inMs: MINUTE });
  expect(read(43 * HOUR, NOT_FOUND)).toMatchObject({ tried: [true], inMs: 2 * MINUTE });
  expect(read(44 * HOUR, NOT_FOUND)).toEqual({ asked: [TRANSCRIPT], tried: [false], inMs: undefined });
  expect(read(45 * HOUR, NOT_FOUND)).toMatchObject({ asked: [] });
});

it("an event begins the pauses anew, and the day only if it is over", () => {
  const { read } = oneMeeting();
  read(0, NOT_FOUND);
  read(HOUR, NOT_FOUND);
  expect(read(20 * HOUR, NOT_FOUND, { event: true })).toMatchObject({ tried: [true], inMs: MINUTE });
  expect(read(DAY, NOT_FOUND)).toMatchObject({ tried: [false] });
  expect(read(2 * DAY, NOT_FOUND, { event: true })).toMatchObject({ tried: [true], inMs: MINUTE });
  expect(read(3 * DAY - 1, NOT_FOUND)).toMatchObject({ tried: [true], inMs: 1 });
  expect(read(3 * DAY, NOT_FOUND)).toMatchObject({ tried: [false] });
});

it("what was not requested for a month is requested twice before it is given up", () => {
  const { read, change } = oneMeeting();
  read(0, NOT_FOUND, { answered: () => false });
  expect(read(30 * DAY, NOT_FOUND)).toMatchObject({ asked: [TRANSCRIPT], tried: [true], inMs: MINUTE });
  change({ title: "B" });
  expect(read(31 * DAY, NOT_FOUND)).toMatchObject({ tried: [false] });
});

it("what the store refuses has a day of its own, and six tries", () => {
  const { read } = oneMeeting();
  read(0, NOT_FOUND);
  expect(read(23 * HOUR, REFUSED)).toMatchObject({ tried: [true], inMs: MINUTE });
  for (let tries = 2; tries <= 5; tries += 1) {
    expect(read((24 + tries) * DAY, REFUSED)).toMatchObject({ tried: [true] });
  }
  expect(read(40 * DAY, REFUSED)).toMatchObject({ tried: [false], inMs: undefined });
});

it("what was not answered is due at once, and not given up with the rest", () => {
  const { read } = oneMeeting();
  expect(read(0, NOT_FOUND, { answered: () => false })).toEqual({ asked: [TRANSCRIPT], tried: [true], inMs: 0 });
  const { read: readBoth, change } = oneMeeting();
  change({ documents: [{ id: "doc_1" }] });
  const answered = (name: string) => name === TRANSCRIPT;
  readBoth(0, NOT_FOUND, { answered });
  expect(readBoth(DAY, NOT_FOUND, { answered })).toMatchObject({ tried: [false, true], inMs: 0 });
});

it("a new document neither delays the next try of what is missing nor counts as one", () => {
  const { read, change } = oneMeeting();
  read(0, NOT_FOUND);
  read(MINUTE, NOT_FOUND);
  change({ documents: [{ id: "doc_1", title: "A", created_at: "2026-01-10T00:00:00Z" }] });
  expect(read(2 * MINUTE, NOT_FOUND)).toMatchObject({ asked: ["document doc_1 (markdown)"], inMs: MINUTE });
  expect(read(3 * MINUTE, NOT_FOUND)).toMatchObject({ asked: [TRANSCRIPT], inMs: 4 * MINUTE });
});

it("what is final, or waits for the start of the meeting, has no next try", () => {
  expect(oneMeeting().read(0, FORBIDDEN)).toEqual({ asked: [TRANSCRIPT], tried: [false], inMs: undefined });
  const { read, change } = oneMeeting();
  change({ status: "scheduled", start_time: new Date(BEGAN + DAY).toISOString() });
  expect(read(0, NOT_FOUND)).toEqual({ asked: [], tried: [true], inMs: undefined });
});

const NEXT = { status: "scheduled", start_time: new Date(BEGAN + DAY).toISOString() };
const named: [string, (meeting: ReturnType<typeof oneMeeting>) => void][] = [
  ["by an event", ({ read }) => read(0, NOT_FOUND, { event: true })],
  ["by an event after it was listed", ({ read }) => [read(0, NOT_FOUND), read(1, NOT_FOUND, { event: true })]],
  ["in a run without more requests", ({ read, name }) => [read(0, NOT_FOUND), name(0), read(1, NOT_FOUND)]],
  ["before the list had it", ({ read, missFirst }) => [missFirst(0), read(1, NOT_FOUND)]],
];
it.each(named)("a meeting that has not begun is requested only if it is named: %s", (_, act) => {
  const meeting = oneMeeting();
  meeting.change(NEXT);
  act(meeting);
  expect(meeting.requested).toEqual([...meeting.requested.slice(1).map(() => []), [TRANSCRIPT]]);
});

it("a meeting is requested when it begins, and not when its start changes", () => {
  const { read, change } = oneMeeting();
  change(NEXT);
  expect(read(0, NOT_FOUND)).toMatchObject({ asked: [] });
  change({ start_time: new Date(BEGAN + 2 * DAY).toISOString() });
  expect(read(DAY + 1, NOT_FOUND)).toMatchObject({ asked: [] });
  expect(read(2 * DAY, NOT_FOUND)).toMatchObject({ asked: [TRANSCRIPT] });
});

it("what is missing for ever is requested again after an event, also by the next run", () => {
  const { read, change, name } = oneMeeting();
  const what = "document doc_1 (markdown)";
  const document = { missing: { ...FORBIDDEN, what } };
  change({ documents: [{ id: "doc_1" }] });
  expect(read(0, FORBIDDEN, { document })).toMatchObject({ asked: [TRANSCRIPT, what], tried: [false, false] });
  expect(read(1, FORBIDDEN, { document })).toMatchObject({ asked: [] });
  expect(read(2, FORBIDDEN, { document, event: true })).toMatchObject({ asked: [TRANSCRIPT, what] });
  name(3);
  expect(read(4, FORBIDDEN, { document })).toMatchObject({ asked: [TRANSCRIPT, what] });
});

it("what is no longer wanted is no longer due", () => {
  const { read } = oneMeeting();
  read(0, NOT_FOUND);
  expect(read(HOUR, undefined, { transcript: false })).toEqual({ asked: [], tried: [], inMs: undefined });
});
