/** The cursor of a watch: which meetings it contains, from which time on, and when it drops them. */
import { describe, expect, it } from "vitest";
import { isCursor, WatchProgress } from "../../src/waiting/watch/watch-progress.js";

const DAY_MS = 86_400_000;
const NOW = 1_000 * DAY_MS;
const minutes = (days: number) => (days * 1_440).toString(36);
const entriesIn = (cursor: string) => cursor.slice(0, -1).split(":")[2]?.split(",") ?? [];

describe("the text of a watch cursor", () => {
  it.each<[unknown, boolean]>([
    ["watch1:5:;", true],
    ["watch1:-5:;", true],
    ["watch1:123456789012345:a=1;", true],
    ["watch1:1234567890123456:a=1;", false],
    ["watch1::;", false],
    ["watch1:x:;", false],
    ["watch1:5", false],
    ["my watch1:5:;", false],
    ["2025-06-02", false],
    [["watch1:5:;"], false],
    [undefined, false],
  ])("is recognised by its prefix and its time: %j → %s", (value, expected) => {
    expect(isCursor(value)).toBe(expected);
  });
});

describe("the progress of a watch", () => {
  it("starts from a time without known meetings", () => {
    expect(new WatchProgress(new Date(5_000)).floor).toBe(5_000);
    expect(new WatchProgress("1970-01-02").floor).toBe(DAY_MS);
    expect(new WatchProgress(new Date(5_000)).has("")).toBe(false);
  });

  it("starts from a cursor with those of its meetings that may be listed again", () => {
    const progress = new WatchProgress("watch1:120000:old=1,same=2,x%2Cy=3,open=;");
    expect(progress.floor).toBe(120_000);
    expect(["old", "same", "x,y", "open", "other", ""].filter((id) => progress.has(id))).toEqual([
      "same",
      "x,y",
      "open",
    ]);
    expect(progress.add("new", 180_000, [], NOW)).toBe("watch1:120000:same=2,x%2Cy=3,open=,new=3;");
  });

  it("starts from a cursor without meetings, and knows none", () => {
    const progress = new WatchProgress("watch1:-5:;");
    expect(progress.floor).toBe(-5);
    expect(progress.has("")).toBe(false);
    expect(progress.add("a", Number.POSITIVE_INFINITY, [], NOW)).toBe("watch1:-5:a=;");
  });

  it("refuses a damaged cursor", () => {
    expect(() => new WatchProgress("watch1:5:%E0%A4%A=;")).toThrow(URIError);
    expect(() => new WatchProgress("watch1:5:mtg_1=2")).toThrow(URIError);
  });
});

describe("the cursor of a watch after a meeting", () => {
  it("looks back two days from the end of the newest meeting, and has each meeting with the minute of its end", () => {
    const progress = new WatchProgress(new Date(0));
    expect(progress.add("a", 10 * DAY_MS, [], NOW)).toBe(`watch1:${8 * DAY_MS}:a=${minutes(10)};`);
    // An older meeting does not move the cursor, and a part of a minute is rounded up.
    expect(progress.add("b", 9 * DAY_MS - 1, [], NOW)).toBe(`watch1:${8 * DAY_MS}:a=${minutes(10)},b=${minutes(9)};`);
    expect(progress.add("c", 11 * DAY_MS + 0.5, [], NOW)).toMatch(new RegExp(`^watch1:${9 * DAY_MS}:a=.*,b=.*,c=`));
    expect(["a", "b", "c", "d"].filter((id) => progress.has(id))).toEqual(["a", "b", "c"]);
  });

  it.each<[string, number[], number]>([
    ["no meeting", [], 8],
    ["a meeting of the last two days", [9], 8],
    ["a meeting of five days ago", [5], 5],
    ["a meeting of exactly seven days ago", [3], 3],
    ["a meeting of more than seven days ago", [2.9], 8],
    ["several meetings, the oldest first", [1, 2, 4, 6], 4],
  ])("looks back to the first unfinished meeting of the last seven days: %s", (_, unfinished, floor) => {
    const ends = unfinished.map((days) => days * DAY_MS);
    expect(new WatchProgress(new Date(0)).add("a", 10 * DAY_MS, ends, NOW)).toBe(
      `watch1:${floor * DAY_MS}:a=${minutes(10)};`,
    );
  });

  it("never looks back further than an earlier cursor", () => {
    const progress = new WatchProgress(new Date(9 * DAY_MS));
    expect(progress.add("a", 10 * DAY_MS, [5 * DAY_MS], NOW)).toMatch(`watch1:${9 * DAY_MS}:`);
  });

  it("looks back from the present if a meeting ends in the future, and does not move for a meeting without a time", () => {
    const progress = new WatchProgress(new Date(0));
    expect(progress.add("open", Number.POSITIVE_INFINITY, [5 * DAY_MS], 20 * DAY_MS)).toBe("watch1:0:open=;");
    expect(progress.add("future", 30 * DAY_MS, [], 20 * DAY_MS)).toBe(
      `watch1:${18 * DAY_MS}:open=,future=${minutes(30)};`,
    );
  });

  it("drops meetings older than its time once it has 100 more than twice the number kept last time", () => {
    const progress = new WatchProgress(new Date(0));
    let day = 0;
    const addUntil = (last: number) => {
      let cursor = "";
      while (day < last) {
        day += 1;
        cursor = progress.add(`m${day}`, day * DAY_MS, [], NOW);
      }
      return entriesIn(cursor);
    };
    expect(addUntil(100)).toHaveLength(100);
    expect(addUntil(101)).toEqual([99, 100, 101].map((n) => `m${n}=${minutes(n)}`));
    expect([98, 99, 101].filter((n) => progress.has(`m${n}`))).toEqual([99, 101]);
    expect(addUntil(204)).toHaveLength(106);
    expect(addUntil(205)).toEqual([203, 204, 205].map((n) => `m${n}=${minutes(n)}`));
  });
});
