/** Each part of a resumed download is checked: its start, its end, and the number of bytes. */
import { ConnectionError, type DownloadOptions } from "notetaker-sdk";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { asFetch } from "../../support/as-fetch.js";
import { rejectionOf } from "../../support/recorder.js";
import { bytesOfLength } from "../upload/upload-service.js";
import { type Entity, gathered, MEETING, storage, type Turn } from "./storage.js";

const bytes = bytesOfLength(1_000);
const recording = { bytes, etag: '"one"' };

// Pauses between attempts end at once.
beforeEach(() => void vi.spyOn(Math, "random").mockReturnValue(0));
afterEach(() => void vi.restoreAllMocks());

const cutAt400: Turn = { dropAfter: 400 };
const ofUnknownSize = { "content-length": undefined };

async function resume(turns: Turn[], entity = recording, options: DownloadOptions = {}) {
  const { notetaker, requests } = storage(entity, turns);
  const { stream } = await notetaker.meetings.downloadRecording(MEETING, options);
  const received = await gathered(stream);
  return { received, ranges: requests.map(({ headers }) => headers.range) };
}

describe("a part that does not match its Content-Range", () => {
  it("delivers nothing beyond the announced end, even if it never ends, and the rest is requested again", async () => {
    const longer: Turn = { headers: { "content-range": "bytes 400-499/1000" }, stallAfter: 200 };
    const { received, ranges } = await resume([cutAt400, longer]);
    expect(received).toEqual(bytes);
    expect(ranges).toEqual([undefined, "bytes=400-", "bytes=500-"]);
  });

  it.each(["bytes 400-399/1000", "bytes 400-1000/1000", "bytes 400-99999999999999999999/1000", "bytes 999-400/1000"])(
    "is not used if its range is invalid: %s",
    async (range) => {
      const { received, ranges } = await resume([cutAt400, { headers: { "content-range": range } }]);
      expect(received).toEqual(bytes);
      expect(ranges).toEqual([undefined, "bytes=400-", "bytes=400-"]);
    },
  );

  it("ends the download if the range is invalid each time", async () => {
    const empty: Turn = { headers: { "content-range": "bytes 400-399/1000" } };
    const error = await rejectionOf(ConnectionError, resume([cutAt400, ...Array<Turn>(9).fill(empty)]));
    expect(error.message).toContain("another byte range than requested");
  });
});

describe("a part that ends before the file does", () => {
  it("is followed by a request for the next part, which does not count as a retry", async () => {
    const firstPart: Turn = {
      headers: { "content-range": "bytes 400-699/1000", "content-length": "300" },
      endAfter: 300,
    };
    const { received, ranges } = await resume([cutAt400, firstPart], recording, { maxRetries: 1 });
    expect(received).toEqual(bytes);
    expect(ranges).toEqual([undefined, "bytes=400-", "bytes=700-"]);
  });
});

describe("a download of a file without an announced size", () => {
  it("is complete if the connection breaks after the last byte and a 416 confirms the size", async () => {
    const { received, ranges } = await resume([{ headers: ofUnknownSize, dropAfter: 1_000 }]);
    expect(received).toEqual(bytes);
    expect(ranges).toEqual([undefined, "bytes=1000-"]);
  });

  it("resumes if only the later response states the size", async () => {
    const { received, ranges } = await resume([{ headers: ofUnknownSize, dropAfter: 400 }]);
    expect(received).toEqual(bytes);
    expect(ranges).toEqual([undefined, "bytes=400-"]);
  });

  it("is complete after a 416 even if no response has an ETag or Last-Modified", async () => {
    const { received } = await resume([{ headers: ofUnknownSize, dropAfter: 1_000 }], {
      bytes,
      etag: undefined as never,
    });
    expect(received).toEqual(bytes);
  });

  it.each<[string, Entity, Turn[], (string | undefined)[], string | undefined]>([
    ["cut, and the storage has ranges", recording, [{ endAfter: 400 }], ["bytes=400-"], undefined],
    ["cut, and no response has an ETag", { bytes: recording.bytes }, [{ endAfter: 400 }], ["bytes=400-"], undefined],
    [
      "cut twice",
      recording,
      [{ endAfter: 400 }, { endAfter: 50, headers: { "content-range": "bytes 400-449/*" } }],
      ["bytes=400-", "bytes=450-"],
      undefined,
    ],
    [
      "cut, and the next response is whole",
      recording,
      [{ endAfter: 400 }, { ignoreRange: true }],
      ["bytes=400-"],
      undefined,
    ],
    ["complete, and the storage has ranges", recording, [{}], ["bytes=1000-"], undefined],
    [
      "complete, and the first request for the end fails",
      recording,
      [{}, { unreachable: true }, { status: 503 }],
      ["bytes=1000-", "bytes=1000-", "bytes=1000-"],
      undefined,
    ],
    ["complete, and the next response is whole", recording, [{}, { ignoreRange: true }], ["bytes=1000-"], undefined],
    [
      "complete, and no response tells",
      recording,
      [{}, { ignoreRange: true, headers: ofUnknownSize }],
      ["bytes=1000-"],
      "it is not known whether the recording is complete",
    ],
    [
      "complete, and a 416 without a size follows",
      recording,
      [{}, { status: 416 }],
      ["bytes=1000-"],
      "it is not known whether the recording is complete",
    ],
    [
      "compressed",
      recording,
      [{ headers: { ...ofUnknownSize, "content-encoding": "x-none" } }],
      [],
      "it is not known whether the recording is complete",
    ],
  ])("is delivered as a whole if its first body is %s", async (_, entity, [first, ...turns], later, warning) => {
    const turn = { ...first, headers: { ...ofUnknownSize, ...first?.headers } };
    const { notetaker, requests } = storage(entity, [turn, ...turns]);
    const download = await notetaker.meetings.downloadRecording(MEETING);
    expect(await gathered(download.stream)).toEqual(recording.bytes);
    expect(requests.map(({ headers }) => headers.range)).toEqual([undefined, ...later]);
    if (warning === undefined) expect(download.warning).toBeUndefined();
    else expect(download.warning).toContain(warning);
  });

  it("is not complete if the 416 names another size", async () => {
    const shrunk = { change: { bytes: bytes.subarray(0, 900), etag: '"one"' } };
    const download = resume([{ headers: ofUnknownSize, dropAfter: 1_000 }, shrunk]);
    const error = await rejectionOf(ConnectionError, download);
    expect(error.message).toContain("the file changed during the download");
  });

  it("is not complete if the 416 names another version", async () => {
    const { notetaker, fetch } = storage(recording, [{ headers: ofUnknownSize, dropAfter: 1_000 }]);
    const another = asFetch(async (request) => {
      const response = await fetch(request);
      if (response.status === 416) response.headers.set("etag", '"two"');
      return response;
    });
    const client = notetaker.constructor as new (options: object) => typeof notetaker;
    const { meetings } = new client({ baseUrl: "https://api.example.com/v1", token: "tok_0123", fetch: another });
    const { stream } = await meetings.downloadRecording(MEETING);
    const error = await rejectionOf(ConnectionError, gathered(stream));
    expect(error.message).toContain("the file changed during the download");
  });

  it("is not complete if the 416 names no size", async () => {
    const silent = Array<Turn>(9).fill({ status: 416 });
    const error = await rejectionOf(ConnectionError, resume([{ headers: ofUnknownSize, dropAfter: 1_000 }, ...silent]));
    expect(error.message).toContain("the storage answered 416");
  });

  it("uses a part of unknown total size, and requests more to find out whether it was the last", async () => {
    const rest: Turn = { headers: { "content-range": "bytes 400-999/*" } };
    const { received, ranges } = await resume([{ headers: ofUnknownSize, dropAfter: 400 }, rest]);
    expect(received).toEqual(bytes);
    expect(ranges).toEqual([undefined, "bytes=400-", "bytes=1000-"]);
  });

  it("is not complete if the file ends before the byte that was reached", async () => {
    const shorter: Turn = { headers: ofUnknownSize, ignoreRange: true, endAfter: 300 };
    const download = resume([{ headers: ofUnknownSize, dropAfter: 400 }, ...Array<Turn>(9).fill(shorter)]);
    await rejectionOf(ConnectionError, download);
  });

  it("is not complete, nor requested without end, if a later response states an end before that byte", async () => {
    const shorter: Turn = { headers: { "content-length": "300" }, ignoreRange: true, endAfter: 300 };
    const { notetaker, requests } = storage(recording, [
      { headers: ofUnknownSize, dropAfter: 400 },
      ...Array<Turn>(9).fill(shorter),
    ]);
    const { stream } = await notetaker.meetings.downloadRecording(MEETING);
    const error = await rejectionOf(ConnectionError, gathered(stream));
    expect(error.message).toContain("the storage returned 300 of 400 bytes");
    expect(requests).toHaveLength(3);
  });
});

it.each(["Bytes", "BYTES"])("the unit of a Content-Range may have capital letters: %s", async (unit) => {
  const { received, ranges } = await resume([cutAt400, { headers: { "content-range": `${unit} 400-999/1000` } }]);
  expect(received).toEqual(bytes);
  expect(ranges).toEqual([undefined, "bytes=400-"]);
});
