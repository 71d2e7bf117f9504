/** The length of a body according to its headers. */
import { expect, it } from "vitest";
import { contentLength } from "../../src/media/bytes.js";

const DIGITS = "999999999999999";

it.each<[encoding: string | undefined, length: string | undefined, expected: number | undefined]>([
  [undefined, "0", 0],
  [undefined, DIGITS, Number(DIGITS)],
  ...[`${DIGITS}0`, "", "-1", "1.5", "1e3", "0x10", "12 bytes", "12, 12", undefined].map(
    (length): [undefined, string | undefined, undefined] => [undefined, length, undefined],
  ),
  // A coding that does not change the bytes.
  ...["Identity", "aws-chunked, identity", "utf-8", ""].map((name): [string, string, number] => [name, "5", 5]),
  // The body is compressed.
  ...["gzip", "X-GZip", "identity, gzip", "aws-chunked,br", "zstd , aws-chunked", "deflate", "compress", "dcz"].map(
    (name): [string, string, undefined] => [name, "5", undefined],
  ),
])("with the encoding %j, Content-Length: %s says that a body has %s bytes", (encoding, length, expected) => {
  const headers = new Headers();
  if (encoding !== undefined) headers.set("content-encoding", encoding);
  if (length !== undefined) headers.set("content-length", length);
  expect(contentLength(headers)).toBe(expected);
});
