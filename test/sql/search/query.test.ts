/** The words of texts and queries, and the passages that they are in; the archive is tested by search-contract.ts. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { afterEach, expect, it, vi } from "vitest";
import { WORDS } from "../../../src/sql/search/index-tables.js";
import { passagesOf } from "../../../src/sql/search/passages.js";
import { parseQuery } from "../../../src/sql/search/query.js";
import { wordsOf } from "../../../src/sql/search/words.js";
import { talk } from "./search-contract.js";

const words = (text: string) => wordsOf(text).map(({ word }) => word);

afterEach(() => vi.unstubAllGlobals());

it.each([
  ["Café Straße İSTANBUL ıslak Ёлка ΟΔΟΣ", ["cafe", "strasse", "istanbul", "islak", "елка", "οδοσ"]],
  ["don't l’équipe e-mail 3.14", ["don", "t", "l", "equipe", "e", "mail", "3", "14"]],
  ["ＧＰＴ４ ﬁn so\u00adft", ["gpt4", "fin", "soft"]],
  ["Łódź Ærøskøbing Đorđe ǿ", ["lodz", "æroskobing", "dorde", "o"]],
  ["donʼt м’яч мʼяч", ["don", "t", "м", "яч", "м", "яч"]],
  ["أحمد إلى آخر ٱلعقد مسؤول", ["احمد", "الى", "اخر", "العقد", "مسؤول"]],
  ["契約更新の価格", ["契約", "更新", "の", "価格"]],
  ["अनुबंध।", ["अनुबंध"]],
  ["… 🎉 -", []],
])("the words of %s", (text, expected) => {
  expect(words(text)).toEqual(expected);
});

it("without Intl.Segmenter, the words of a script without spaces are pairs of characters", () => {
  vi.stubGlobal("Intl", { ...Intl, Segmenter: undefined });
  expect(words("契約更新 x 会")).toEqual(["契約", "約更", "更新", "x", "会"]);
});

it("a change of what is indexed has a new number", () => {
  // Without the scripts that a dictionary of the runtime divides.
  const text = readFileSync(new URL("questions.txt", import.meta.url), "utf8").split("\nThai\n")[0] ?? "";
  const spoken = JSON.stringify(talk("mtg_1", ...text.split("\n"), text));
  const passages = [...passagesOf(text, "markdown"), ...passagesOf(spoken, "")];
  const indexed = passages.map(({ place, speaker, text }) => [place, words(`${speaker} ${text}`)]);
  const digest = createHash("sha256").update(JSON.stringify(indexed)).digest("hex").slice(0, 8);
  expect([WORDS, digest]).toEqual(["words_1", "0a1a17e5"]);
});

it("words have their places in the text, and only letters, marks and digits", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      let before = 0;
      for (const { word, index, end } of wordsOf(text)) {
        expect(word).toMatch(/^[\p{L}\p{M}\p{N}]{1,64}$/u);
        expect(index).toBeGreaterThanOrEqual(before);
        expect(end).toBeGreaterThan(index);
        before = index;
      }
    }),
  );
});

it.each([
  ['renewal "fixed price" contr* -draft -"old one"', "renewal, fixed price, contr*", "draft, old one"],
  ["e-mail --x l'accord", "mail, x, accord", ""],
  ['"not closed', "not closed", ""],
  ["“smart quotes” „unten“", "smart quotes, unten", ""],
  ["NOT a OR title:b NEAR(c)", "not, a, or, title, near", ""],
  ["x*y * - same same", "x, y, same", ""],
])("the query %s", (text, terms, without) => {
  const query = parseQuery(text);
  const write = (all: typeof query.terms) =>
    all.map((one) => one.words.join(" ") + (one.isPrefix ? "*" : "")).join(", ");
  expect([write(query.terms), write(query.without)]).toEqual([terms, without]);
});

it("a transcript is cut into its turns, and a long turn between its sentences", () => {
  const sentence = "This is a sentence of forty characters.. ";
  const passages = passagesOf(JSON.stringify(talk("mtg_1", "Short.", sentence.repeat(60))), "");
  const place = { segment: 0, segments: 1, part: 0 };
  expect(passages[0]).toEqual({ place, text: "Short.", speaker: "Ada Okafor", start_time: 0, end_time: 9 });
  expect(passages.map(({ place }) => [place.segment, place.part])).toEqual([[0, 0], ...[0, 1, 2].map((n) => [1, n])]);
  expect(passages).toHaveLength(4);
  for (const { text, speaker } of passages.slice(1)) {
    expect(speaker).toBe("Ben");
    expect(text.length).toBeLessThanOrEqual(1_000);
    expect(text).toMatch(/^This .*[.]$/);
  }
  for (const other of [null, "{", "null", "5", "[]", "{}", '{"segments":"x"}'])
    expect(passagesOf(other, "")).toEqual([]);
});

it("a document is cut into its paragraphs, as many as fit", () => {
  const text = (content: string, format = "markdown") => passagesOf(content, format).map((one) => one.text);
  expect(text("# Title\n\nOne.\n \nTwo.")).toEqual(["# Title\n\nOne.\n\nTwo."]);
  expect(text(`${"a".repeat(900)}\n\n${"b".repeat(900)}`)).toHaveLength(2);
  expect(text("<h1>Sales &amp; <b>price</b></h1><p>One<br>two", "html")).toEqual(["Sales   price\n\nOne\n\ntwo"]);
  expect(text(" \n\n ")).toEqual([]);
});
