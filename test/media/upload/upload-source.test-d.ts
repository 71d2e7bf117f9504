/** The types that `meetings.upload` accepts as a source. */
import type { ReadStream } from "node:fs";
import type { PassThrough, Readable } from "node:stream";
import type { Notetaker, UploadInput, UploadSource } from "notetaker-sdk";
import { expectTypeOf, test } from "vitest";

declare const notetaker: Notetaker;

test("a node:stream Readable is a source", () => {
  expectTypeOf<Readable>().toExtend<UploadSource>();
  expectTypeOf<ReadStream>().toExtend<UploadSource>();
  expectTypeOf<PassThrough>().toExtend<UploadSource>();
  expectTypeOf<AsyncGenerator<Buffer>>().toExtend<UploadSource>();
  expectTypeOf<ReadableStream<Uint8Array>>().toExtend<UploadSource>();
});

test("a string is not a source", () => {
  expectTypeOf<string>().not.toExtend<UploadSource>();
  expectTypeOf<ReadableStream<string>>().not.toExtend<UploadSource>();
  expectTypeOf<AsyncIterable<string>>().not.toExtend<UploadSource>();
});

test("the size option is a number, for a source that does not know its size", () => {
  expectTypeOf<UploadInput["size"]>().toEqualTypeOf<number | undefined>();
  // @ts-expect-error not a number
  notetaker.meetings.upload(new Uint8Array(1), { size: "1000" });
});
