/** Lists that the service sends: of any length, with items of any depth. */
import { expect, it } from "vitest";
import * as z from "zod/mini";
import { responseArray } from "../../src/schemas/response-array.js";
import { segmentSchema } from "../../src/schemas/transcript.js";

const segment = { speaker_id: "spk_1", start_time: 0, end_time: 1.5, text: "Hello" };

it("a list of 300,000 items, with a value of any depth beside them, is checked without overflowing the stack", () => {
  let deep: unknown = [];
  for (let depth = 0; depth < 200_000; depth += 1) deep = [deep];
  const list = responseArray(segmentSchema);
  const items = Array.from({ length: 300_000 }, () => ({ ...segment, deep }));
  expect(z.safeParse(list, items).success).toBe(true);
  expect(z.safeParse(list, [...items, { ...segment, text: deep }]).error?.issues).toHaveLength(1);
});

it("a list keeps 20 issues, and counts the others", () => {
  const list = responseArray(z.looseObject({ a: z.string() }));
  expect(z.safeParse(list, [{ a: "x" }, ...Array(1_000).fill(5)]).error?.issues).toHaveLength(21);
});
