import fc from "fast-check";
import { expect, it } from "vitest";
import { utf8Bytes } from "../../src/redact/utf8-bytes.js";

it("utf8Bytes encodes as TextEncoder does, including unpaired surrogates", () => {
  const texts = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.string({ unit: fc.nat(0xffff).map((unit) => String.fromCharCode(unit)) }),
  );
  fc.assert(
    fc.property(texts, (text) => {
      expect(Array.from(utf8Bytes(text))).toEqual(Array.from(new TextEncoder().encode(text)));
    }),
  );
});
