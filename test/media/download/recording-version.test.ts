/** Which responses of the storage belong to the same version of the file. */
import { describe, expect, it } from "vitest";
import { isSameVersion, recordingVersion } from "../../../src/media/download/recording-version.js";

type Told = [size?: number | undefined, validator?: string];

const answer = (status: number, headers: Record<string, string>) => new Response("", { status, headers });

describe("the version of a recording", () => {
  it.each<[string, number, Record<string, string>, object]>([
    ["the Content-Length of a whole file as its size", 200, { "content-length": "9" }, { size: 9 }],
    ["no size if a part has only a Content-Length", 206, { "content-length": "9" }, { size: undefined }],
    ["the size in the Content-Range of a part", 206, { "content-range": "bytes 1-2/9" }, { size: 9 }],
    ["the size in the Content-Range of a 416", 416, { "content-range": "bytes */9" }, { size: 9 }],
    ["no size if a whole file has only a Content-Range", 200, { "content-range": "bytes 1-2/9" }, { size: undefined }],
    ["no size if the Content-Range has none", 206, { "content-range": "bytes 1-2/*" }, { size: undefined }],
    ["the ETag as its validator", 200, { etag: '"1"', "last-modified": "today" }, { validator: '"1"' }],
    ["Last-Modified as its validator without an ETag", 200, { "last-modified": "today" }, { validator: "today" }],
    ["no validator without both headers", 200, {}, { validator: undefined, size: undefined }],
    ["the media type", 200, { "content-type": "video/mp4" }, { contentType: "video/mp4" }],
    [
      "only the media type of a compressed response",
      200,
      { "content-encoding": "gzip", "content-length": "9", etag: '"1"', "content-type": "video/mp4" },
      { size: undefined, validator: undefined, contentType: "video/mp4" },
    ],
  ])("has %s", (_, status, headers, expected) => {
    expect(recordingVersion(answer(status, headers))).toMatchObject(expected);
  });

  it("has no media type if the storage sends none", () => {
    expect(recordingVersion(new Response(null)).contentType).toBeUndefined();
    expect(recordingVersion(new Response(null, { headers: { "content-encoding": "br" } })).contentType).toBeUndefined();
  });

  it.each<[string, Told, Told, boolean]>([
    ["is the same with the same ETag and size", [9, '"1"'], [9, '"1"'], true],
    ["is another with the same ETag and another size", [9, '"1"'], [8, '"1"'], false],
    ["is another with another ETag and the same size", [9, '"1"'], [9, '"2"'], false],
    ["is another if the ETag is missing later", [9, '"1"'], [9], false],
    ["is another if the ETag was missing before", [9], [9, '"1"'], false],
    ["is the same with the same ETag and a size in the first response only", [9, '"1"'], [undefined, '"1"'], true],
    [
      "is the same with the same ETag and a size in the later response only",
      [undefined, '"1"'],
      [undefined, '"1"'],
      true,
    ],
    ["is the same with the same size and no ETag", [9], [9], true],
    ["is another with another size and no ETag", [9], [8], false],
    ["is another with no ETag and a size in the first response only", [9], [], false],
    ["is another with no ETag and a size in the later response only", [], [9], false],
    ["is another with neither an ETag nor a size", [], [], false],
  ])("%s", (_, [size, validator], [laterSize, laterValidator], expected) => {
    const version = { size, validator, contentType: undefined };
    expect(isSameVersion(version, { size: laterSize, validator: laterValidator, contentType: "x/y" })).toBe(expected);
  });
});
