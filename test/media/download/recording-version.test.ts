/** Which answers of a storage belong to the same file. */
import { describe, expect, it } from "vitest";
import { isSameVersion, recordingVersion } from "../../../src/media/download/recording-version.js";

type Told = [size?: number | undefined, validator?: string];

const answer = (status: number, headers: Record<string, string>) => new Response("", { status, headers });

describe("the version of a recording", () => {
  it.each<[string, number, Record<string, string>, object]>([
    ["the length of a whole file", 200, { "content-length": "9" }, { size: 9 }],
    ["no length of a part", 206, { "content-length": "9" }, { size: undefined }],
    ["the size in the Content-Range of a part", 206, { "content-range": "bytes 1-2/9" }, { size: 9 }],
    ["the size in the Content-Range of no part", 416, { "content-range": "bytes */9" }, { size: 9 }],
    ["no Content-Range of a whole file", 200, { "content-range": "bytes 1-2/9" }, { size: undefined }],
    ["no size that is not known", 206, { "content-range": "bytes 1-2/*" }, { size: undefined }],
    ["the ETag", 200, { etag: '"1"', "last-modified": "today" }, { validator: '"1"' }],
    ["the date without an ETag", 200, { "last-modified": "today" }, { validator: "today" }],
    ["nothing without both", 200, {}, { validator: undefined, size: undefined }],
    ["the media type", 200, { "content-type": "video/mp4" }, { contentType: "video/mp4" }],
    [
      "nothing but the media type of a compressed answer",
      200,
      { "content-encoding": "gzip", "content-length": "9", etag: '"1"', "content-type": "video/mp4" },
      { size: undefined, validator: undefined, contentType: "video/mp4" },
    ],
  ])("has %s", (_, status, headers, expected) => {
    expect(recordingVersion(answer(status, headers))).toMatchObject(expected);
  });

  it("has no media type if the storage announces none", () => {
    expect(recordingVersion(new Response(null)).contentType).toBeUndefined();
    expect(recordingVersion(new Response(null, { headers: { "content-encoding": "br" } })).contentType).toBeUndefined();
  });

  it.each<[string, Told, Told, boolean]>([
    ["the same ETag and size", [9, '"1"'], [9, '"1"'], true],
    ["the same ETag and another size", [9, '"1"'], [8, '"1"'], false],
    ["another ETag and the same size", [9, '"1"'], [9, '"2"'], false],
    ["an ETag that is gone", [9, '"1"'], [9], false],
    ["an ETag that is new", [9], [9, '"1"'], false],
    ["the same ETag and a size that is known once", [9, '"1"'], [undefined, '"1"'], true],
    ["the same ETag and no size", [undefined, '"1"'], [undefined, '"1"'], true],
    ["the same size alone", [9], [9], true],
    ["another size alone", [9], [8], false],
    ["a size that is known once, alone", [9], [], false],
    ["a size that is known only later, alone", [], [9], false],
    ["nothing", [], [], false],
  ])("%s", (_, [size, validator], [laterSize, laterValidator], expected) => {
    const version = { size, validator, contentType: undefined };
    expect(isSameVersion(version, { size: laterSize, validator: laterValidator, contentType: "x/y" })).toBe(expected);
  });
});
