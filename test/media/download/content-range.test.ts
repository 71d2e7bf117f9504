/** Valid and invalid Content-Range headers. */
import { describe, expect, it } from "vitest";
import { parseContentRange } from "../../../src/media/download/stored-file.js";

const parsed = (value: string) => parseContentRange(new Headers({ "content-range": value }));

describe("a Content-Range header", () => {
  it.each([
    ["bytes 0-0/1", { kind: "part", start: 0, end: 1, size: 1 }],
    ["bytes 400-999/1000", { kind: "part", start: 400, end: 1000, size: 1000 }],
    ["Bytes 400-499/1000", { kind: "part", start: 400, end: 500, size: 1000 }],
    ["bytes 400-499/*", { kind: "part", start: 400, end: 500, size: undefined }],
    [
      "bytes 999999999999990-999999999999998/999999999999999",
      { start: 999_999_999_999_990, size: 999_999_999_999_999 },
    ],
    ["bytes */1000", { kind: "none", size: 1000 }],
    ["BYTES */0", { kind: "none", size: 0 }],
  ])("with the value %j is parsed", (value, expected) => {
    expect(parsed(value)).toMatchObject(expected);
  });

  const WITHOUT_BYTES = "400-999 400-399/1000 400-1000/1000 4x0-999/1000 400-9x9/1000 400-999/1x00 -999/1000 400-/1000";
  const TOO_LONG = "*/1000000000000000 0-1/1000000000000000 1000000000000000-1000000000000001/* 1-1000000000000001/*";
  it.each([
    ...`${WITHOUT_BYTES} ${TOO_LONG} 400-999/ */* */ */1x`.split(" ").map((range) => `bytes ${range}`),
    ...["", "bytes", "items */1000", "items 400-999/1000", "2 bytes */1000", "2 bytes 400-999/1000"],
    ...["bytes */1000 about", "bytes 400-999/1000 about", "bytes 400-999/** 2"],
  ])("with the value %j is invalid", (value) => {
    expect(parsed(value)).toBeUndefined();
  });

  it("that is absent is undefined", () => {
    expect(parseContentRange(new Headers())).toBeUndefined();
  });
});
