/** A source is split into chunks of 64 KiB, and must have as many bytes as its size says. */
import { describe, expect, it } from "vitest";
import type { ByteReader, ReadResult } from "../../../src/async/byte-reader.js";
import { readInChunks } from "../../../src/media/upload/read-in-chunks.js";
import { bytesOfLength } from "./upload-service.js";

const CHUNK = 64 * 1024;

/** A reader of these values in turn. */
function readerOf(...values: unknown[]): ByteReader {
  return {
    read: async () => (values.length > 0 ? { done: false, value: values.shift() } : { done: true }),
    close() {},
  };
}

async function all(reader: ByteReader, size?: number, first?: ReadResult) {
  const chunks: Uint8Array[] = [];
  for await (const chunk of readInChunks(reader, size, first)) chunks.push(chunk);
  return chunks;
}

describe("the chunks of an upload source", () => {
  it.each([
    [[1], [1]],
    [[CHUNK], [CHUNK]],
    [[CHUNK + 1], [CHUNK, 1]],
    [
      [2 * CHUNK, 5],
      [CHUNK, CHUNK, 5],
    ],
    [
      [3, 0, 4],
      [3, 4],
    ],
    [[], []],
  ])("of %j bytes have the sizes %j", async (lengths, expected) => {
    const pieces = lengths.map(bytesOfLength);
    const chunks = await all(readerOf(...pieces));
    expect(chunks.map(({ byteLength }) => byteLength)).toEqual(expected);
    expect(Buffer.concat(chunks).equals(Buffer.concat(pieces))).toBe(true);
  });

  it("start with the bytes that were read before", async () => {
    const chunks = await all(readerOf(Uint8Array.of(2)), 2, { done: false, value: Uint8Array.of(1) });
    expect(Buffer.concat(chunks)).toEqual(Buffer.of(1, 2));
    expect(await all(readerOf(Uint8Array.of(2)), 0, { done: true })).toEqual([]);
  });

  it("may be views of any kind", async () => {
    const view = new DataView(Uint8Array.of(9, 1, 2, 9).buffer, 1, 2);
    expect(Buffer.concat(await all(readerOf(view, Uint8Array.of(3).buffer)))).toEqual(Buffer.of(1, 2, 3));
  });
});

describe("an upload source", () => {
  it.each([9, 10, 11])("of 10 bytes is accepted only if its size is 10: %i", async (size) => {
    const reading = all(readerOf(new Uint8Array(4), new Uint8Array(6)), size);
    if (size === 10) expect(await reading).toHaveLength(2);
    else {
      const actual = size < 10 ? "10 bytes or more" : "10 bytes";
      await expect(reading).rejects.toThrow(
        new RangeError(`the source has ${actual}, but its size is given as ${size}`),
      );
    }
  });

  it("that has more bytes than its size is not read further", async () => {
    let reads = 0;
    const endless = { read: async () => ({ done: false, value: new Uint8Array(++reads) }), close() {} };
    await expect(all(endless, 1)).rejects.toThrow("the source has 3 bytes or more, but its size is given as 1");
    expect(reads).toBe(2);
  });
});
