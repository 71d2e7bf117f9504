/** The `Last-Event-ID` header: UTF-8, and `Headers` shows each byte as one character. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { lastEventIdHeader, readLastEventId } from "../../../src/webhooks/http/last-event-id.js";

/** The id that the relay reads from a header value. `Headers` does not accept every value. */
const read = (value: string | null) => readLastEventId({ get: () => value } as unknown as Headers);

it("an id is sent as UTF-8, and read as it was", () => {
  expect(lastEventIdHeader("é🙂")).toBe(Buffer.from("é🙂").toString("latin1"));
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", minLength: 1 }), (id) => {
      const header = lastEventIdHeader(id);
      if (header !== undefined) expect(read(header)).toBe(id);
    }),
  );
});

it("an id that a header cannot contain is not sent", () => {
  const ids = [undefined, "", " a", "a ", "a\nb", "a\u007fb", "x".repeat(8_001), "é".repeat(4_001)];
  for (const id of ids) expect(lastEventIdHeader(id)).toBeUndefined();
  for (const id of ["a b", "x".repeat(8_000), "é".repeat(4_000)]) expect(lastEventIdHeader(id)).toBeDefined();
});

it("an id that needs no decoding, or cannot be decoded, is used unchanged", () => {
  const cutOff = Buffer.from("…").toString("latin1").slice(0, 2);
  for (const value of ["0123abcd-7", "", null, "\xff", "id-\xe9-7", cutOff, "é…", "…é"])
    expect(read(value)).toBe(value);
});
