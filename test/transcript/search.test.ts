import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { search, turns } from "../../src/transcript/index.js";
import { runs } from "../support/property-seed.js";
import { anyTranscript } from "./arbitrary.js";
import { said } from "./fixture.js";

const transcript = said(
  [0, 4, "The bud"],
  [4, 8, "get is 100 (or so)."],
  [8, 12, "Not 200, the"],
  [12, 15, "Budget."],
  [15, 17, "İstanbul? BUDGET!", 2],
);

const one = (...texts: string[]) => said(...texts.map((text, index) => [index * 2, index * 2 + 2, text] as const));

describe("search()", () => {
  it("finds a text in upper or lower case, with the times of its segment", () => {
    expect(search(transcript, "budget")).toMatchObject([
      { turn: { speaker_name: "Ada" }, match: "Budget", start_time: 12, end_time: 15 },
      { turn: { speaker_name: "Bob" }, match: "BUDGET", start_time: 15, end_time: 17 },
    ]);
  });

  it("finds a text that continues in the next segment, with the times of both", () => {
    expect(search(transcript, "200, the budget")).toMatchObject([{ start_time: 8, end_time: 15 }]);
    expect(search(transcript, "the bud get is")).toMatchObject([{ start_time: 0, end_time: 8, index: 0 }]);
  });

  it("returns the position of the match in the turn", () => {
    // The upper case of ß has two letters.
    expect(search(said([0, 4, "Straße λόγος Budget"]), "budget")).toMatchObject([{ match: "Budget", index: 13 }]);
  });

  it("takes a string literally, not as a pattern", () => {
    expect(search(transcript, "(or so).")).toMatchObject([{ start_time: 4, end_time: 8 }]);
    expect(search(transcript, ".*")).toEqual([]);
  });

  it("uses a regular expression with its own flags, and does not change it", () => {
    const pattern = /\d+/g;
    pattern.lastIndex = 5;
    expect(search(transcript, pattern).map(({ match }) => match)).toEqual(["100", "200"]);
    expect(pattern.lastIndex).toBe(5);
    expect(search(transcript, /budget/)).toEqual([]);
    expect(search(transcript, /budget/i)).toHaveLength(2);
    // Matches of length zero are left out.
    expect(search(transcript, /z*/)).toEqual([]);
    // A text may be in another Unicode form.
    expect(search(one("the cafe\u0301 is"), /café/)).toHaveLength(1);
  });

  it.each([
    ["会議を始めます", ["会議を", "始めます"]],
    ["始めます。次は", ["会議を始めます。", "次は何ですか"]],
    ["スーパーマーケット", ["スーパー", "マーケット"]],
    ["สวัสดีครับ", ["สวัสดี", "ครับ"]],
    ["𠮷𠮷", ["𠮷", "𠮷"]],
  ])("finds %s across two segments in a script without spaces", (query, texts) => {
    expect(search(one(...texts), query)).toMatchObject([{ match: query, start_time: 0, end_time: 4 }]);
  });

  it.each([
    ["AI", "我们用AI做总结", "AI"],
    ["用 AI 做", "我们用AI做总结", "用AI做"],
    ["3 月 15 日", "截止3月15日。", "3月15日"],
    ["3月15日", "截止 3 月\u300015  日 ok", "3 月\u300015  日"],
    ["日 3月", "15 日 3 月 4", "日 3 月"],
    ["GPT4", "この ＧＰＴ４ で", "ＧＰＴ４"],
    ["ใช้AIทำ", "เรา ใช้ AI ทำ งาน", "ใช้ AI ทำ"],
    ["𠮷 a", "x𠮷  a", "𠮷  a"],
  ])("finds %s in %s: spaces beside a script without spaces do not count", (query, text, match) => {
    const [found, ...others] = search(one(text), query);
    expect(found).toMatchObject({ match, index: text.indexOf(match) });
    expect(others).toEqual([]);
  });

  it("counts every other space", () => {
    expect(search(one("a月 b c"), "bc")).toEqual([]);
    expect(search(one("a b 月"), "ab")).toEqual([]);
    expect(search(one("3月 15"), "315")).toEqual([]);
  });

  it("keeps the space between segments if one of them is in a script with spaces", () => {
    expect(search(one("会議は", "OK です"), "会議は OK")).toHaveLength(1);
    expect(search(one("会議。a", "議"), "a 議")).toHaveLength(1);
    expect(search(one("One", "two"), "One two")).toHaveLength(1);
  });

  it.each([
    ["é in two code points", "cafe\u0301", "the café is"],
    ["é in one code point", "café", "the cafe\u0301 is"],
    ["a Korean syllable in parts", "한국", "\u1112\u1161\u11ab국"],
    ["a straight apostrophe", "don't", "I don’t know"],
    ["a curly apostrophe", "don’t", "I don't know"],
    ["a no-break space", "10 000", "about 10\u00a0000 of them"],
    ["a query with a no-break space", "10\u00a0000", "about 10 000 of them"],
    ["a final sigma", "ΟΔΟΣ", "η οδός, η οδος"],
  ])("finds a text in any Unicode form: %s", (_, query, text) => {
    const [found] = search(one(text), query);
    expect(found).toBeDefined();
    expect(found?.turn.text.slice(found.index, found.index + found.match.length)).toBe(found?.match);
  });

  it("returns matches that do not overlap, like matchAll", () => {
    expect(search(one("aaaaa abababa"), "aa").map(({ index }) => index)).toEqual([0, 2]);
    expect(search(one("aaaaa abababa"), "aba").map(({ index }) => index)).toEqual([6, 10]);
  });

  it.each(["", "  ", "\n", undefined, null, 5])("rejects %j", (query) => {
    expect(() => search(transcript, query as string)).toThrow(/^query: expected/);
  });

  it("finds every turn by its own text, for any transcript", () => {
    fc.assert(
      fc.property(anyTranscript, (any) => {
        for (const { text, start_time, end_time } of turns(any)) {
          const found = search(any, text);
          expect(found.length).toBeGreaterThan(0);
          expect(found.some((one) => one.turn.start_time === start_time && one.end_time <= end_time)).toBe(true);
        }
      }),
      { numRuns: runs(60) },
    );
  });
});
