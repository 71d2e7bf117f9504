import { expect, it } from "vitest";
import { EventStreamParser } from "../../../src/webhooks/subscribe/event-stream-parser.js";
import { cpuTimeOf } from "../../support/cpu-time.js";

it("the parser reads 20 MB of lines, and a line of 2 MB in one-character chunks, in linear time", async () => {
  const parser = new EventStreamParser(2_000_000, "");
  const text = `data:${"x".repeat(93)}\n\n`.repeat(2_000);
  const time = await cpuTimeOf(() => {
    for (let i = 0; i < 100; i += 1) expect(parser.push(text)).toHaveLength(2_000);
    for (let i = 0; i < 2_000_000; i += 1) parser.push("x");
  });
  expect(time).toBeLessThan(20_000);
});
