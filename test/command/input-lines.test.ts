import fc from "fast-check";
import { expect, it } from "vitest";
import { inputLines } from "../../src/command/input-lines.js";

async function* chunksOf(bytes: Uint8Array, size: number) {
  for (let from = 0; from < bytes.length; from += size) yield bytes.slice(from, from + size);
}

async function linesOf(text: string, size: number, maxBytes = 1_000) {
  const lines = [];
  for await (const line of inputLines(chunksOf(new TextEncoder().encode(text), size), maxBytes)) lines.push(line);
  return lines;
}

it("inputLines() divides any text at its line feeds, however the bytes arrive", async () => {
  const texts = fc.array(fc.string({ unit: "grapheme", maxLength: 20 }).map((text) => text.replaceAll("\n", "")));
  await fc.assert(
    fc.asyncProperty(texts, fc.integer({ min: 1, max: 9 }), async (expected, size) => {
      const lines = await linesOf(expected.map((text) => `${text}\n`).join(""), size);
      expect(lines.map(({ text }) => text)).toEqual(expected.map((text) => text.replace(/^\uFEFF/, "")));
      expect(lines.map(({ number }) => number)).toEqual(expected.map((_, index) => index + 1));
    }),
  );
});

it.each([1, 7, 100_000])(
  "inputLines() leaves out the text of a line that is too long, in chunks of %i",
  async (size) => {
    const lines = await linesOf(`\uFEFFa\n${"x".repeat(50_000)}\nb\n${"y".repeat(1_000)}`, size);
    expect(lines).toEqual([
      { number: 1, bytes: 4, text: "a" },
      { number: 2, bytes: 50_000, text: undefined },
      { number: 3, bytes: 1, text: "b" },
      { number: 4, bytes: 1_000, text: "y".repeat(1_000) },
    ]);
  },
);
