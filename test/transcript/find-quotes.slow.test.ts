import { describe, expect, it } from "vitest";
import { findQuotes } from "../../src/transcript/index.js";
import { said } from "./fixture.js";

const transcript = said(
  [0, 4, "Well, I don’t think we can ship on"],
  [4, 8, "Friday — the “beta” isn't ready."],
  [8, 12, "Can ship on Friday? Budgets: 3,500.", 2],
  [12, 16, "会議を始めます。Cafe\u0301!"],
  [16, 20, "我们用AI做总结，3月15日。", 2],
  [20, 24, "締切は 3 月 20 日、ＧＰＴ４ で。ใช้ AI ทำ", 1],
  [24, 28, "다음 주에 계약서를 보냅니다. Kapıyı aç, ג׳ירפה, Hawaiʻi.", 2],
);

describe("findQuotes()", () => {
  it.each([
    ["we can ship on Friday", { text: "we can ship on Friday", start_time: 0, end_time: 8, speaker_name: "Ada" }],
    ["I DONT think", { text: "I don’t think", start_time: 0, end_time: 4 }],
    ["Friday - the 'beta' isn’t  ready!", { text: "Friday — the “beta” isn't ready", start_time: 4, end_time: 8 }],
    ["can ship on friday", { text: "can ship on Friday", start_time: 0, speaker_name: "Ada" }],
    ["Budgets 3 500", { text: "Budgets: 3,500", start_time: 8, speaker_name: "Bob" }],
    ["始めます", { text: "始めます", start_time: 12 }],
    ["AI", { text: "AI", start_time: 16 }],
    ["用 AI 做", { text: "用AI做", start_time: 16 }],
    ["3 月 15 日", { text: "3月15日", start_time: 16 }],
    ["3月20日", { text: "3 月 20 日", start_time: 20 }],
    ["GPT4", { text: "ＧＰＴ４", start_time: 20 }],
    ["ใช้AIทำ", { text: "ใช้ AI ทำ", start_time: 20 }],
    ["다음주에 계약서 를 보냅니다", { text: "다음 주에 계약서를 보냅니다", start_time: 24 }],
    ["다음 주".normalize("NFD"), { text: "다음 주", start_time: 24 }],
    ["KAPIYI AÇ", { text: "Kapıyı aç", start_time: 24 }],
    ["ג'ירפה", { text: "ג׳ירפה", start_time: 24 }],
    ["Hawai'i", { text: "Hawaiʻi", start_time: 24 }],
    ["CAFÉ", { text: "Cafe\u0301", start_time: 12 }],
  ])("finds %s", (quote, expected) => {
    expect(findQuotes(transcript, [quote])).toMatchObject([{ quote, found: expected }]);
  });

  it.each(["budget", "think can", "ready can ship", "…", "", "shi", "A", "I做", "1月15日", "5日"])(
    "does not find %j",
    (quote) => {
      expect(findQuotes(transcript, [quote])).toEqual([{ quote, found: undefined }]);
    },
  );

  it("finds quotes that contain each other, and one that is given twice", () => {
    const quotes = ["ship on", "we can ship on Friday", "can ship", "ship on", "on Friday the moon"];
    expect(findQuotes(transcript, quotes).map(({ found }) => found?.text)).toEqual([
      ...["ship on", "we can ship on Friday", "can ship", "ship on", undefined],
    ]);
  });

  it("reads a long transcript once, however its words repeat", () => {
    const long = said(...Array.from({ length: 2_000 }, (_, index) => [index, index + 1, "a ".repeat(100)] as const));
    const quotes = Array.from({ length: 20 }, (_, index) => `${"a ".repeat(1_000 + index)}b`);
    expect(findQuotes(long, quotes).every(({ found }) => found === undefined)).toBe(true);
    expect(findQuotes(long, ["a ".repeat(150_000)])[0]?.found).toMatchObject({ start_time: 0, end_time: 1_500 });
  });

  it.each<unknown>([undefined, "a text", [5]])("rejects %j", (quotes) => {
    expect(() => findQuotes(transcript, quotes as string[])).toThrow(/^quotes: expected a list of texts$/);
  });
});
