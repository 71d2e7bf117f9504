/**
 * What a download does with the responses of a storage: it delivers each byte of one file once, and resumes at the byte
 * that it reached, with a fresh link. Each part is checked: its start, its end, its number of bytes, and its file.
 */
import { ConnectionError } from "notetaker-sdk";
import { beforeEach, expect, it, vi } from "vitest";
import { rejectionOf } from "../../support/recorder.js";
import { bytesOfLength } from "../upload/upload-service.js";
import { type Entity, gathered, MEETING, storage, type Turn } from "./storage.js";

const bytes = bytesOfLength(1_000);
const recording = { bytes, etag: '"one"' };
const unmarked = { bytes };
const dated = { bytes, lastModified: "Mon, 02 Jun 2025 09:00:00 GMT" };
const other = { bytes: bytesOfLength(1_000).reverse(), etag: '"two"' };

// Pauses between attempts end at once.
beforeEach(() => void vi.spyOn(Math, "random").mockReturnValue(0));

const cutAt400: Turn = { dropAfter: 400 };
const always = (turn: Turn) => Array<Turn>(9).fill(turn);
const unsized = (turn: Turn = {}): Turn => ({ ...turn, headers: { "content-length": undefined, ...turn.headers } });
const withRange = (range: string | undefined, turn: Turn = {}): Turn => ({
  ...turn,
  headers: { "content-range": range },
});
const encoded = { headers: { "content-encoding": "gzip" } };
const X_GZIP = { "content-encoding": "x-gzip" };
const chunked = { headers: { "content-encoding": "aws-chunked" } };
const whole = { ignoreRange: true };
/** From this request on, the file has this size, and the same ETag. */
const sized = (size: number, turn: Turn = {}): Turn => ({
  change: { bytes: bytesOfLength(size), etag: '"one"' },
  ...turn,
});
const sizedPart = withRange("bytes 400-449/*", { endAfter: 50 });
const tuesday = { ...dated, lastModified: "Tue, 03 Jun 2025 09:00:00 GMT" };
const UNPROVEN = "it is not known whether the recording is complete";

it.each<[what: string, turns: Turn[], later: (number | undefined)[], entity?: Entity, warning?: string]>([
  ["the connection breaks three times", [{ dropAfter: 100 }, { dropAfter: 250 }, { dropAfter: 1 }], [100, 350, 351]],
  ["it breaks before the first byte", [{ unreachable: true }, { dropAfter: 0 }], [undefined, undefined]],
  ["it breaks after the last byte", [{ dropAfter: 1_000 }], []],
  ["the file changes before the first byte", [{ dropAfter: 0, change: other }, { change: recording }], [undefined]],
  ["the file has only a date", [cutAt400], [400], dated],
  ["the file has only a size", [cutAt400], [400], unmarked],
  ["the storage ignores Range", [cutAt400, { ignoreRange: true, dropAfter: 500 }, { ignoreRange: true }], [400, 500]],
  ["bodies end too early", [{ endAfter: 100 }, { endAfter: 100 }], [100, 200]],
  ["bodies go on beyond the end of the file", always({ surplus: 3 }), []],
  ["the storage repeats how the file was uploaded", [{ ...chunked, dropAfter: 400 }, chunked], [400]],
  ["the response is compressed", [encoded], [], recording, UNPROVEN],
  ...[400, 401, 403, 404, 410].map((status): [string, Turn[], number[]] => {
    return [`the link has expired, with the status ${status}`, [cutAt400, { status }], [400, 400]];
  }),
  ...[-30, 5].map((shift): [string, Turn[], number[]] => {
    return [`a part starts ${shift} bytes off`, [cutAt400, { shift }], [400, 400]];
  }),
  ["a part has an invalid range", [cutAt400, withRange("bytes 400-1000/1000")], [400, 400]],
  ["a part never ends", [cutAt400, withRange("bytes 400-499/1000", { stallAfter: 200 })], [400, 500]],
  ["only the later response states the size", [unsized(cutAt400)], [400]],
  ["a part has no total size", [unsized(cutAt400), withRange("bytes 400-999/*")], [400, 1_000]],
  ["a body without a length is cut twice", [unsized(cutAt400), sizedPart], [400, 450]],
  ["a body without a length is cut, and the next response is whole", [unsized(cutAt400), { ignoreRange: true }], [400]],
  [
    "a part without a total size is cut, and the next response is whole, without a length",
    [unsized(cutAt400), sizedPart, unsized(whole)],
    [400, 450],
    recording,
    UNPROVEN,
  ],
  ["a body has no length", [unsized()], [], recording, UNPROVEN],
  ["a compressed body has no length", [unsized({ headers: X_GZIP })], [], recording, UNPROVEN],
])("a download delivers the whole file if %s", async (_, turns, later, entity = recording, warning = undefined) => {
  const { notetaker, requests, toService } = storage(entity, [...turns]);
  const download = await notetaker.meetings.downloadRecording(MEETING);
  expect(await gathered(download.stream)).toEqual(bytes);
  const ranges = requests.map(({ headers }) => headers.range);
  expect(ranges).toEqual([undefined, ...later.map((start) => start && `bytes=${start}-`)]);
  expect(new Set(requests.map(({ url }) => url)).size).toBe(requests.length);
  expect(toService).toHaveLength(requests.length);
  if (warning === undefined) expect(download.warning).toBeUndefined();
  else expect(download.warning).toContain(warning);
});

const CHANGED = "the file changed during the download";
const OTHER_RANGE = "the storage returned another byte range than requested";

it.each<[what: string, turns: Turn[], message: string, requests: number, entity?: Entity]>([
  ["the resumed part has another ETag", [cutAt400, { change: other }], CHANGED, 2],
  ["the resumed part has no ETag", [cutAt400, { headers: { etag: undefined } }], CHANGED, 2],
  ["the file has another size", [cutAt400, sized(1_001)], CHANGED, 2],
  ["the whole file has another size", [cutAt400, sized(999, whole)], CHANGED, 2],
  ["the file has another date", [cutAt400, { change: tuesday }], CHANGED, 2, dated],
  ["the file has no ETag, date or size", [unsized(cutAt400)], CHANGED, 2, unmarked],
  ["the response is compressed, and cut", [{ ...encoded, dropAfter: 100 }, encoded], CHANGED, 2],
  ["the later response is compressed", [{ dropAfter: 100 }, encoded], CHANGED, 2],
  ["the 416 names another size", [unsized({ dropAfter: 1_000 }), sized(900)], CHANGED, 2],
  ["the 416 names another version", [unsized({ dropAfter: 1_000 }), { change: other }], CHANGED, 2],
  ["the 416 names no size", [unsized({ dropAfter: 1_000 }), ...always({ status: 416 })], "the storage answered 416", 3],
  ["no part has a range", [cutAt400, ...always(withRange(undefined))], OTHER_RANGE, 3],
  ["each part has no bytes", [cutAt400, ...always(withRange("bytes */1000"))], OTHER_RANGE, 3],
  ["a connection breaks before that byte", [cutAt400, ...always({ ...whole, dropAfter: 300 })], "other side closed", 3],
  [
    "the whole file comes again, with fewer bytes than before",
    [cutAt400, ...always({ ...whole, endAfter: 300 })],
    "the storage returned 300 of 1000 bytes",
    3,
  ],
  [
    "a file of unknown size ends before the byte that was reached",
    [unsized(cutAt400), ...always(unsized({ ignoreRange: true, endAfter: 300 }))],
    "the storage returned 300 bytes",
    3,
  ],
  [
    "a later response states an end before that byte",
    [unsized(cutAt400), ...always({ headers: { "content-length": "300" }, ignoreRange: true, endAfter: 300 })],
    "the storage returned 300 of 400 bytes",
    3,
  ],
])("a download fails if %s", async (_, turns, message, count, entity = recording) => {
  const { notetaker, requests } = storage(entity, [...turns], { validatorIn416: true });
  const { stream } = await notetaker.meetings.downloadRecording(MEETING);
  const error = await rejectionOf(ConnectionError, gathered(stream));
  expect(error.message).toMatch(new RegExp(`^GET the recording of ${MEETING}:? .*${message}`));
  expect(error).toMatchObject({ retryable: true, attempts: count });
  expect(requests).toHaveLength(count);
});

it("a part that ends before the file does is followed by a request for the next, which is no retry", async () => {
  const firstPart = { headers: { "content-range": "bytes 400-699/1000", "content-length": "300" }, endAfter: 300 };
  const { notetaker, requests } = storage(recording, [cutAt400, firstPart]);
  const { stream } = await notetaker.meetings.downloadRecording(MEETING, { maxRetries: 1 });
  expect(await gathered(stream)).toEqual(bytes);
  expect(requests.map(({ headers }) => headers.range)).toEqual([undefined, "bytes=400-", "bytes=700-"]);
});
