import { expect, it } from "vitest";
import { lastEventIdHeader } from "../../../src/webhooks/subscribe/last-event-id-header.js";

it.each([
  ["no id", undefined],
  ["an empty id", ""],
  ["white space at its start", " a"],
  ["white space at its end", "a "],
  ["a line end", "a\nb"],
  ["DEL", "a\u007fb"],
  ["8,001 bytes", "x".repeat(8_001)],
  ["4,001 characters of two bytes", "é".repeat(4_001)],
])("an id that a header cannot contain is not sent: %s", (_, id) => {
  expect(lastEventIdHeader(id)).toBeUndefined();
});

it.each(["a b", "x".repeat(8_000), "é".repeat(4_000), "🙂"])(
  "an id of up to 8,000 bytes is sent as UTF-8: %s",
  (id) => {
    expect(lastEventIdHeader(id)).toBe(Buffer.from(id).toString("latin1"));
  },
);
