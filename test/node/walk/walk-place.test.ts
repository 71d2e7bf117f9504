/** Valid and invalid checkpoints of a walk. */
import { describe, expect, it } from "vitest";
import { formatPlace, parsePlace } from "../../../src/node/walk/walk-place.js";

const place = { cursor: "next", page: 3, seen: ["mtg_1", "mtg_2"] };
const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

describe("a checkpoint of a walk", () => {
  it.each([
    [place],
    [{ ...place, cursor: null, page: 1, seen: [] }],
    [{ ...place, cursor: undefined }],
    [{ ...place, since: "2025-01-01", until: "2025-01-31" }],
    [{ ...place, since: new Date("2025-01-01T12:30:00.500Z"), until: new Date("2025-01-31T00:00:00Z") }],
  ])("is read back unchanged: %j", (written) => {
    const text = formatPlace(written as never);
    expect(text).toMatch(/^[\w-]+$/);
    expect(parsePlace(text)).toEqual({ since: undefined, until: undefined, ...written });
  });

  it.each([
    "",
    "nonsense",
    encoded(null),
    encoded([]),
    encoded({ ...place }),
    encoded({ v: 2, ...place }),
    encoded({ v: 1, ...place, cursor: 5 }),
    encoded({ v: 1, ...place, page: 0 }),
    encoded({ v: 1, ...place, page: 1.5 }),
    encoded({ v: 1, ...place, page: undefined }),
    encoded({ v: 1, ...place, seen: "mtg_1" }),
    encoded({ v: 1, ...place, seen: [5] }),
    encoded({ v: 1, ...place, since: 5 }),
    encoded({ v: 1, ...place, since: "soon" }),
    encoded({ v: 1, ...place, until: "soon" }),
    encoded({ v: 1, ...place, until: "" }),
  ])("is refused if it is %j", (text) => {
    expect(parsePlace(text)).toBeUndefined();
  });
});
