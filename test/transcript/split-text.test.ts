/** Where a text may be split. */
import { describe, expect, it } from "vitest";
import { graphemes, sentences, words } from "../../src/transcript/split-text.js";

it("a text is divided into sentences", () => {
  const cases: [string, string[]][] = [
    ["One. Two! Three?", ["One. ", "Two! ", "Three?"]],
    ["One.  Two", ["One.  ", "Two"]],
    ["Well… yes", ["Well… ", "yes"]],
    ["Oh!? Really", ["Oh!? ", "Really"]],
    ["It is 3.14 or so. Yes", ["It is 3.14 or so. ", "Yes"]],
    ['He said "Go." Then he left.', ['He said "Go." ', "Then he left."]],
    ["(Yes.) No", ["(Yes.) ", "No"]],
    ["That is it. ", ["That is it. "]],
    ["No, it is", ["No, it is"]],
    ["好。吗？是", ["好。", "吗？", "是"]],
    ["「好。」是", ["「好。」", "是"]],
    ["『吗？』是", ["『吗？』", "是"]],
    ["好。。吗", ["好。。", "吗"]],
    ["", [""]],
    ["पहला। दूसरा", ["पहला। ", "दूसरा"]],
    ["প্রথম।দ্বিতীয়", ["প্রথম।", "দ্বিতীয়"]],
    ["پہلا۔ دوسرا", ["پہلا۔ ", "دوسرا"]],
    ["هل هذا صحيح؟ نعم", ["هل هذا صحيح؟ ", "نعم"]],
    ["Առաջին։ Երկրորդ", ["Առաջին։ ", "Երկրորդ"]],
    ["ပထမ။ဒုတိယ", ["ပထမ။", "ဒုတိယ"]],
    ["ទីមួយ។ទីពីរ", ["ទីមួយ។", "ទីពីរ"]],
    ["አንደኛ። ሁለተኛ", ["አንደኛ። ", "ሁለተኛ"]],
    ["３．１４です。", ["３．１４です。"]],
  ];
  for (const [text, expected] of cases) expect(sentences(text)).toEqual(expected);
});

describe("the words of a text", () => {
  it.each([
    ["one, two  three", ["one, ", "two  ", "three"]],
    [" one", ["one"]],
    ["", []],
    ["我们开始吧。好", ["我们", "开始", "吧。", "好"]],
    ["。好", ["。", "好"]],
    ["in 第三季度 now", ["in ", "第三", "季度 ", "now"]],
    ["我们说「好」（是）", ["我们", "说", "「好」", "（是）"]],
    ["dit « Oui » et", ["dit ", "« Oui ", "» ", "et"]],
    ["„Ja“ sagt (er", ["„Ja“ sagt ", "(er"]],
    ["a (", ["a ", "("]],
  ])("for %j are %j", (text, expected) => {
    expect(words(text)).toEqual(expected);
  });

  it("of any length are the same, although a long text is segmented in parts", () => {
    const text = "我们今天讨论第三季度的报告".repeat(60);
    const whole = [...new Intl.Segmenter(undefined, { granularity: "word" }).segment(text)];
    expect(words(text)).toEqual(whole.map(({ segment }) => segment));
  });
});

describe("graphemes()", () => {
  it("keeps characters whole, whatever their code points", () => {
    expect(graphemes("a👩‍👩‍👧‍👦e\u0301🇺🇳")).toEqual(["a", "👩‍👩‍👧‍👦", "e\u0301", "🇺🇳"]);
    expect(graphemes("")).toEqual([]);
  });

  it("keeps characters whole in a long text, which is segmented in parts", () => {
    for (let before = 0; before < 12; before += 1) {
      const characters = [...Array<string>(before).fill("x"), ...Array<string>(60).fill("👩‍👩‍👧‍👦")];
      expect(graphemes(characters.join(""))).toEqual(characters);
    }
    expect(graphemes("x".repeat(256))).toHaveLength(256);
    expect(graphemes(`x${"\u0301".repeat(600)}`).join("")).toBe(`x${"\u0301".repeat(600)}`);
  });
});
