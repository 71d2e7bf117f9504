/** The id in a `Last-Event-ID` header. Browsers send it as UTF-8, and `Headers` shows each byte as one character. */
import { describe, expect, it } from "vitest";
import { readLastEventId } from "../../../src/webhooks/relay/last-event-id.js";

/** The bytes of `text` as `Headers` shows them. */
const asHeader = (text: string) => Buffer.from(text).toString("latin1");

/** The id that the relay reads from a header value. `Headers` does not accept every value. */
const read = (value: string | null) => readLastEventId({ get: () => value } as unknown as Headers);

describe("the Last-Event-ID header", () => {
  it.each(["é", "…", "id-…-7", "🙂 inside", "é at the beginning", "at the end é", "a\u0000…"])(
    "the id is decoded as UTF-8: %s",
    (id) => {
      expect(read(asHeader(id))).toBe(id);
    },
  );

  it.each([
    ["plain text", "0123abcd-7"],
    ["an empty value", ""],
    ["one byte that is not UTF-8", "\xff"],
    ["text with bytes that are not UTF-8", "id-\xe9-7"],
    ["a character that is cut off", asHeader("…").slice(0, 2)],
    ["a Latin-1 character before a character beyond Latin-1", "é…"],
    ["a Latin-1 character after a character beyond Latin-1", "…é"],
  ])("an id that needs no decoding, or cannot be decoded, is used unchanged: %s", (_, value) => {
    expect(read(value)).toBe(value);
  });

  it("a missing header means no id", () => {
    expect(readLastEventId(new Headers())).toBeNull();
    expect(readLastEventId(new Headers({ "Last-Event-ID": "7" }))).toBe("7");
  });
});
