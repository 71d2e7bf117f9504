/** The id in a `Last-Event-ID` header, as browsers send it: UTF-8, of which `Headers` shows each byte. */
import { describe, expect, it } from "vitest";
import { readLastEventId } from "../../../src/webhooks/relay/last-event-id.js";

/** The bytes of `text` as `Headers` shows them. */
const asHeader = (text: string) => Buffer.from(text).toString("latin1");

/** What the relay reads from a header. Not every text is allowed in `Headers`. */
const read = (value: string | null) => readLastEventId({ get: () => value } as unknown as Headers);

describe("the id of the last event", () => {
  it.each(["é", "…", "id-…-7", "🙂 inside", "é at the beginning", "at the end é", "a\u0000…"])(
    "the id is read as UTF-8: %s",
    (id) => {
      expect(read(asHeader(id))).toBe(id);
    },
  );

  it.each([
    ["plain text", "0123abcd-7"],
    ["nothing", ""],
    ["one byte that is not UTF-8", "\xff"],
    ["bytes that are not UTF-8 beside others", "id-\xe9-7"],
    ["a character that is cut off", asHeader("…").slice(0, 2)],
    ["characters that no header of bytes holds", "é…"],
    ["the same, the other way round", "…é"],
  ])("a value that is not UTF-8 in bytes is read as it is: %s", (_, value) => {
    expect(read(value)).toBe(value);
  });

  it("no header is no id", () => {
    expect(readLastEventId(new Headers())).toBeNull();
    expect(readLastEventId(new Headers({ "Last-Event-ID": "7" }))).toBe("7");
  });
});
