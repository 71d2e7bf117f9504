/** The length of a body according to its headers. */
import { describe, expect, it } from "vitest";
import { contentLength, isUncompressed } from "../../src/media/bytes.js";

describe("contentLength()", () => {
  it.each([
    ["0", 0],
    ["5", 5],
    ["1234567", 1_234_567],
    ["999999999999999", 999_999_999_999_999],
  ])("returns the length for the header %j", (header, expected) => {
    expect(contentLength(new Headers({ "content-length": header }))).toBe(expected);
  });

  it.each(["", "-1", "1.5", "1e3", "0x10", "12 bytes", "about 12", "12, 12", "1000000000000000"])(
    "returns undefined for the header %j",
    (header) => {
      expect(contentLength(new Headers({ "content-length": header }))).toBeUndefined();
    },
  );

  it("returns undefined without a Content-Length header", () => {
    expect(contentLength(new Headers())).toBeUndefined();
  });

  it.each(["Identity", "aws-chunked", "aws-chunked, identity", "utf-8", ""])(
    "returns the length if a coding does not change the bytes: %j",
    (encoding) => {
      const headers = new Headers({ "content-length": "5", "content-encoding": encoding });
      expect(contentLength(headers)).toBe(5);
    },
  );

  it.each(["gzip", "X-GZip", "identity, gzip", "aws-chunked,br", "zstd , aws-chunked", "deflate", "compress", "dcz"])(
    "returns undefined if the body is compressed: %s",
    (encoding) => {
      const headers = new Headers({ "content-length": "5", "content-encoding": encoding });
      expect(isUncompressed(headers)).toBe(false);
      expect(contentLength(headers)).toBeUndefined();
    },
  );
});
