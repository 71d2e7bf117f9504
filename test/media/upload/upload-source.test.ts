/** Every kind of source arrives byte for byte, with the service's name of its media type. */
import { Readable } from "node:stream";
import { InvalidArgumentError, MEDIA_TYPES, type UploadSource } from "notetaker-sdk";
import { describe, expect, it } from "vitest";
import { rejectionOf } from "../../support/recorder.js";
import { ACCEPTED, bytesOfLength, uploadService } from "./upload-service.js";

const bytes = bytesOfLength(200_000);
const inThree = () => [bytes.subarray(0, 10), bytes.subarray(10, 150_000), bytes.subarray(150_000)];

async function* generated() {
  yield* inThree();
}
const streamed = () =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of inThree()) controller.enqueue(piece);
      controller.close();
    },
  });

/** Each source with the Content-Length that is sent; `undefined` if the length is unknown. */
const SOURCES: Record<string, { make: () => UploadSource; announces: number | undefined }> = {
  "a Blob": { make: () => new Blob([bytes]), announces: bytes.length },
  "a File": { make: () => new File([bytes], "talk.wav"), announces: bytes.length },
  "an ArrayBuffer": { make: () => bytes.slice().buffer, announces: bytes.length },
  "a Uint8Array": { make: () => bytes, announces: bytes.length },
  "a Buffer": { make: () => Buffer.from(bytes), announces: bytes.length },
  "a view of the middle of a buffer": {
    make: () => new DataView(new Uint8Array([1, 2, 3, ...bytes, 4, 5]).buffer, 3, bytes.length),
    announces: bytes.length,
  },
  "a typed array with wider elements": {
    make: () => new Int16Array(bytes.slice().buffer),
    announces: bytes.length,
  },
  "a ReadableStream": { make: streamed, announces: undefined },
  "an async generator": { make: generated, announces: undefined },
  "a Node stream": { make: () => Readable.from(inThree()), announces: undefined },
  "a Response": { make: () => new Response(streamed()), announces: undefined },
  "a Response with a Content-Length": {
    make: () => new Response(streamed(), { headers: { "content-length": String(bytes.length) } }),
    announces: bytes.length,
  },
  "a Response that was compressed in transit": {
    make: () => new Response(streamed(), { headers: { "content-length": "20", "content-encoding": "gzip" } }),
    announces: undefined,
  },
  "an object with stream() and size": {
    make: () => ({ stream: streamed, size: bytes.length }),
    announces: bytes.length,
  },
  "an object with stream() alone": { make: () => ({ stream: streamed }), announces: undefined },
};

describe.each(Object.entries(SOURCES))("an upload from %s", (_, { make, announces }) => {
  it("arrives byte for byte, with its length if that is known", async () => {
    const { notetaker, arrivals } = await uploadService();
    const answer = await notetaker.meetings.upload(make(), { contentType: "audio/wav", title: "Weekly" });
    expect(answer).toEqual(ACCEPTED);
    expect(arrivals).toHaveLength(1);
    const [{ url, headers, bytes: arrived }] = arrivals as [(typeof arrivals)[0]];
    expect(url).toBe("/v1/meetings/upload?title=Weekly");
    expect(arrived.equals(bytes)).toBe(true);
    expect(headers["content-type"]).toBe("audio/wav");
    expect(headers["content-length"]).toBe(announces === undefined ? undefined : String(announces));
    expect(headers["transfer-encoding"]).toBe(announces === undefined ? "chunked" : undefined);
  });
});

it("an empty file is sent as an empty body", async () => {
  const { notetaker, arrivals } = await uploadService();
  await notetaker.meetings.upload(new Blob([], { type: "audio/wav" }));
  expect(arrivals[0]).toMatchObject({ whole: true, headers: { "content-length": "0" } });
});

describe("the media type of an upload", () => {
  const typeSent = async (source: UploadSource, contentType?: string) => {
    const { notetaker, arrivals } = await uploadService();
    await notetaker.meetings.upload(source, { contentType });
    return arrivals[0]?.headers["content-type"];
  };
  const blob = (type: string) => new Blob(["x"], { type });

  it.each(MEDIA_TYPES)("is sent unchanged if it is %s", async (type) => {
    expect(await typeSent(blob(type))).toBe(type);
  });

  it.each([
    ["audio/mp3", "audio/mpeg"],
    ["audio/x-mp3", "audio/mpeg"],
    ["audio/mpeg3", "audio/mpeg"],
    ["audio/x-mpeg", "audio/mpeg"],
    ["audio/m4a", "audio/mp4"],
    ["audio/x-m4a", "audio/mp4"],
    ["audio/wave", "audio/wav"],
    ["audio/x-wav", "audio/wav"],
    ["audio/vnd.wave", "audio/wav"],
    ["audio/opus", "audio/ogg"],
    ["audio/x-ogg", "audio/ogg"],
    ["audio/x-aac", "audio/aac"],
    ["audio/aacp", "audio/aac"],
    ["audio/x-flac", "audio/flac"],
    ["video/x-m4v", "video/mp4"],
    ["video/x-quicktime", "video/quicktime"],
    ["AUDIO/WebM; codecs=opus", "audio/webm"],
    ["audio/ogg ;codecs=vorbis", "audio/ogg"],
    ["audio/mp4a-latm", "audio/mp4"],
    ["application/mp4", "video/mp4"],
    ["application/ogg", "audio/ogg"],
    ["video/x-matroska;codecs=avc1,opus", "video/webm"],
    ['video/x-matroska; codecs="avc1.64003e"', "video/webm"],
    ["audio/x-matroska;codecs=pcm", "audio/webm"],
  ])("%s is sent as %s", async (given, sent) => {
    expect(await typeSent(new Uint8Array(1), given)).toBe(sent);
    expect(await typeSent(blob(given))).toBe(sent);
  });

  it.each([
    ["talk.mp3", "audio/mpeg"],
    ["talk.mpga", "audio/mpeg"],
    ["talk.m4a", "audio/mp4"],
    ["talk.m4b", "audio/mp4"],
    ["talk.wave", "audio/wav"],
    ["TALK.WAV", "audio/wav"],
    ["a.b.weba", "audio/webm"],
    ["talk.ogg", "audio/ogg"],
    ["talk.oga", "audio/ogg"],
    ["talk.opus", "audio/ogg"],
    ["talk.aac", "audio/aac"],
    ["talk.flac", "audio/flac"],
    ["talk.mp4", "video/mp4"],
    ["talk.m4v", "video/mp4"],
    ["talk.webm", "video/webm"],
    ["talk.ogv", "video/ogg"],
    ["talk.mov", "video/quicktime"],
  ])("of a file named %s is sent as %s", async (name, sent) => {
    expect(await typeSent(new File(["x"], name))).toBe(sent);
    expect(await typeSent(new File(["x"], name, { type: "application/octet-stream" }))).toBe(sent);
    expect(await typeSent(new File(["x"], name), "application/octet-stream")).toBe(sent);
  });

  it("comes from the argument before the source's type, and from the type before the name", async () => {
    expect(await typeSent(new File(["x"], "talk.mp3", { type: "audio/wav" }), "audio/flac")).toBe("audio/flac");
    expect(await typeSent(new File(["x"], "talk.mp3", { type: "audio/wav" }))).toBe("audio/wav");
  });

  it("of a Response comes from its Content-Type header", async () => {
    expect(await typeSent(new Response("x", { headers: { "content-type": "audio/x-wav" } }))).toBe("audio/wav");
  });

  it.each<[string, UploadSource, string | undefined, RegExp]>([
    ["there is none", new Uint8Array(1), undefined, /contentType: expected one of audio\/mpeg, .*received none/],
    ["the source's type is not one of the eleven", blob("video/x-matroska"), undefined, /received video\/x-matroska/],
    ["the argument is not one of the eleven", blob("audio/wav"), "text/plain", /received text\/plain/],
    [
      "neither the argument nor the source names a format",
      blob(""),
      "application/octet-stream",
      /received application\/octet/,
    ],
    ["the file name has another extension", new File(["x"], "talk.mkv"), undefined, /received talk\.mkv/],
  ])("is refused before anything is sent if %s", async (_, source, contentType, message) => {
    const { notetaker, arrivals } = await uploadService();
    const error = await rejectionOf(InvalidArgumentError, notetaker.meetings.upload(source, { contentType }));
    expect(error.message).toMatch(message);
    expect(error).toMatchObject({ outcome: "not_sent", attempts: 0 });
    expect(arrivals).toEqual([]);
  });
});

it.each([
  ["null", null],
  ["an onProgress that is not a function", { onProgress: true }],
  ["an invalid signal", { signal: "stop" }],
  ["an unknown option", { onRestart() {} }],
])("upload refuses %s as options, and sends nothing", async (_, options) => {
  const { notetaker, arrivals } = await uploadService();
  const call = notetaker.meetings.upload(new Uint8Array(1), { contentType: "audio/wav" }, options as never);
  await rejectionOf(InvalidArgumentError, call);
  expect(arrivals).toEqual([]);
});

describe("a value that is not a source", () => {
  const locked = streamed();
  locked.getReader();
  const used = new Response("x");
  used.body?.cancel();

  it.each<[string, unknown, RegExp]>([
    ["undefined", undefined, /source: expected a Blob/],
    ["null", null, /source: expected a Blob/],
    ["a path", "talk.wav", /fromPath\(path\)/],
    ["a number", 12, /source: expected a Blob/],
    ["another object", { name: "talk.wav" }, /source: expected a Blob/],
    ["a stream that has already been read", locked, /not been read yet/],
    ["a response whose body has already been read", used, /not been read yet/],
    ["a response without a body", new Response(null, { status: 204 }), /source: expected a Blob/],
    ["a response with an error status", new Response("<html>", { status: 404 }), /received status 404/],
    ["a source whose size is not a number", { stream: streamed, size: "12" }, /size in bytes, received 12/],
  ])("is refused by upload, which sends nothing: %s", async (_, source, message) => {
    const { notetaker, arrivals } = await uploadService();
    const call = notetaker.meetings.upload(source as UploadSource, { contentType: "audio/wav" });
    const error = await rejectionOf(InvalidArgumentError, call);
    expect(error.message).toMatch(message);
    expect(arrivals).toEqual([]);
  });

  it("is not read if another argument is wrong, so that the call can be made again", async () => {
    const { notetaker, arrivals } = await uploadService();
    const source = streamed();
    await rejectionOf(InvalidArgumentError, notetaker.meetings.upload(source, { title: "x".repeat(501) }));
    await rejectionOf(InvalidArgumentError, notetaker.meetings.upload(source));
    await notetaker.meetings.upload(source, { contentType: "audio/wav" });
    expect(arrivals[0]?.bytes.equals(bytes)).toBe(true);
  });
});
