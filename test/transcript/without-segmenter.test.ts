/** A runtime without `Intl.Segmenter`, such as React Native. */
import { chunks, toSrt } from "notetaker-sdk/transcript";
import { describe, expect, it, vi } from "vitest";
import { said } from "./fixture.js";

describe("a runtime without Intl.Segmenter", () => {
  it("writes captions of scripts without spaces, and loses no character", () => {
    vi.stubGlobal("Intl", {});
    const text = "我们今天讨论季度报告，".repeat(20);
    const lines = toSrt(said([0, 4, text]), { maxLineLength: 40 }).split("\n");
    const shown = lines.filter((line) => line !== "" && !/^\d|-->/.test(line)).join("");
    expect(shown.replace("Ada: ", "")).toBe(text);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(60);
  });

  it("splits a word that is longer than a chunk between characters", () => {
    vi.stubGlobal("Intl", {});
    const text = "🎙".repeat(300);
    const options = { maxTokens: 40, countTokens: (part: string) => part.length };
    for (const chunk of chunks(said([0, 4, text]), options)) expect(chunk.text).not.toMatch(/\p{Surrogate}/u);
  });
});
