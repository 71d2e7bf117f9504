/** Every kind of source arrives byte for byte, with the service's name of its media type. */
import { Readable } from "node:stream";
import { runInNewContext } from "node:vm";
import { InvalidArgumentError, type UploadSource } from "notetaker-sdk";
import { describe, expect, it } from "vitest";
import { MEDIA_TYPES } from "../../../src/schemas/media-type.js";
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

const around = new DataView(new Uint8Array([1, 2, 3, ...bytes, 4, 5]).buffer, 3, bytes.length);
const answer = (headers = {}) => new Response(streamed(), { headers });
const LENGTH = { "content-length": String(bytes.length) };
const COMPRESSED = { "content-length": "20", "content-encoding": "gzip" };

const OF_KNOWN_LENGTH: Record<string, () => UploadSource> = {
  "a Blob": () => new Blob([bytes]),
  "a File": () => new File([bytes], "talk.wav"),
  "an ArrayBuffer": () => bytes.slice().buffer,
  "an ArrayBuffer of another realm, as in a test runner": () =>
    runInNewContext("Uint8Array.from(bytes).buffer", { bytes }),
  "a Uint8Array": () => bytes,
  "a Buffer": () => Buffer.from(bytes),
  "a view of the middle of a buffer": () => around,
  "a typed array with wider elements": () => new Int16Array(bytes.slice().buffer),
  "a Response with a Content-Length": () => answer(LENGTH),
  "an object with stream() and size": () => ({ stream: streamed, size: bytes.length }),
};
const OF_UNKNOWN_LENGTH: Record<string, () => UploadSource> = {
  "a ReadableStream": streamed,
  "an async generator": generated,
  "a Node stream": () => Readable.from(inThree()),
  "a Response": () => answer(),
  "a Response that was compressed in transit": () => answer(COMPRESSED),
  "an object with stream() alone": () => ({ stream: streamed }),
};

it.each(Object.entries({ ...OF_KNOWN_LENGTH, ...OF_UNKNOWN_LENGTH }))(
  "an upload from %s arrives byte for byte, with its length if that is known",
  async (name, make) => {
    const { notetaker, arrivals } = await uploadService();
    const upload = notetaker.meetings.upload(make(), { contentType: "audio/wav", title: "Weekly" });
    expect(await upload).toEqual(ACCEPTED);
    expect(arrivals).toHaveLength(1);
    const [{ url, headers, bytes: arrived }] = arrivals as [(typeof arrivals)[0]];
    expect(url).toBe("/v1/meetings/upload?title=Weekly");
    expect(arrived.equals(bytes)).toBe(true);
    expect(headers["content-type"]).toBe("audio/wav");
    const isKnown = name in OF_KNOWN_LENGTH;
    expect(headers["content-length"]).toBe(isKnown ? String(bytes.length) : undefined);
    expect(headers["transfer-encoding"]).toBe(isKnown ? undefined : "chunked");
  },
);

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
    ["audio/mpeg", "audio/x-mp3", "talk.mp3 talk.mpga"],
    ["audio/mp4", "audio/m4a", "talk.m4a talk.m4b"],
    ["audio/wav", "audio/x-pn-wav", "talk.wave TALK.WAV"],
    ["audio/ogg", "audio/ogg;codecs=vorbis", "talk.ogg talk.oga talk.opus"],
    ["audio/aac", "audio/aacp", "talk.aac"],
    ["audio/flac", "audio/x-flac", "talk.flac"],
    ["audio/webm", "AUDIO/WebM ; codecs=opus", "a.b.weba"],
    ["audio/webm", "audio/x-matroska;codecs=pcm", ""],
    ["video/mp4", "application/mp4", "talk.mp4 talk.m4v"],
    ["video/webm", 'video/x-matroska ; codecs="avc1.64003e"', "talk.webm"],
    ["video/ogg", "video/ogg", "talk.ogv"],
    ["video/quicktime", "video/x-quicktime", "talk.mov talk.qta"],
  ])("is sent as %s for its other name %s, and for the files %s", async (sent, type, files) => {
    expect(await typeSent(new Uint8Array(1), type)).toBe(sent);
    expect(await typeSent(blob(type))).toBe(sent);
    for (const name of files.split(" ").filter(Boolean)) {
      expect(await typeSent(new File(["x"], name)), name).toBe(sent);
      expect(await typeSent(new File(["x"], name, { type: "application/octet-stream" }))).toBe(sent);
      expect(await typeSent(new File(["x"], name), "application/octet-stream")).toBe(sent);
    }
  });

  it("comes from the argument before the source's type, and from the type before the name", async () => {
    expect(await typeSent(new File(["x"], "talk.mp3", { type: "audio/wav" }), "audio/flac")).toBe("audio/flac");
    expect(await typeSent(new File(["x"], "talk.mp3", { type: "audio/wav" }))).toBe("audio/wav");
    expect(await typeSent(blob("audio/flac"), "application/octet-stream")).toBe("audio/flac");
  });

  it.each<[string, UploadSource, string?]>([
    ["there is none", new Uint8Array(1)],
    ["the source's type is not one of the eleven", blob("video/x-matroska")],
    ["the argument is not one of the eleven", blob("audio/wav"), "text/plain"],
    ["no format is named", blob(""), "application/octet-stream"],
    ["the file name has another extension", new File(["x"], "talk.mkv")],
  ])("is refused before anything is sent if %s", async (_, source, contentType) => {
    const { notetaker, arrivals } = await uploadService();
    const error = await rejectionOf(InvalidArgumentError, notetaker.meetings.upload(source, { contentType }));
    expect(error.issues).toMatchObject([{ path: "contentType", code: "not_one_of" }]);
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
  it.each<[string, unknown]>([
    ["undefined", undefined],
    ["a path", "talk.wav"],
    ["a number", 12],
    ["another object", { name: "talk.wav" }],
    ["a response without a body", new Response(null, { status: 204 })],
    ["a response with an error status", new Response("<html>", { status: 404 })],
    ["a source whose size is not a number", { stream: streamed, size: "12" }],
  ])("is refused by upload, which sends nothing: %s", async (_, source) => {
    const { notetaker, arrivals } = await uploadService();
    const call = notetaker.meetings.upload(source as UploadSource, { contentType: "audio/wav" });
    expect((await rejectionOf(InvalidArgumentError, call)).issues).toMatchObject([{ path: "source" }]);
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
