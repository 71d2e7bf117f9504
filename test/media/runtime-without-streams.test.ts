/** Uploads and downloads in a runtime without streams, such as React Native. */
import { ConfigurationError, type Fetch, InvalidArgumentError, Notetaker } from "notetaker-sdk";
import { expect, it, vi } from "vitest";
import { BASE_URL, json, rejectionOf, TOKEN } from "../support/recorder.js";

const without = (...names: string[]) => {
  for (const name of names) vi.stubGlobal(name, undefined);
};

/** Keeps each request body. The responses have no body, as in React Native. */
function client() {
  const bodies: unknown[] = [];
  const fetch: Fetch = async (_, init) => {
    bodies.push(init.body);
    const text = async () => '{"id":"mtg_1","status":"processing"}';
    return { status: 202, ok: true, headers: { get: () => null }, body: undefined, text };
  };
  return { notetaker: new Notetaker({ baseUrl: BASE_URL, token: TOKEN, fetch }), bodies };
}

async function* pieces() {
  yield new Uint8Array(10);
}

it.each([
  ["an iterable", pieces],
  ["an object with stream()", () => ({ stream: () => pieces() as never, size: 10 })],
])("a runtime without streams refuses to upload %s", async (_, source) => {
  const { notetaker, bodies } = client();
  without("ReadableStream", "Response", "Blob");
  const call = notetaker.meetings.upload(source(), { contentType: "audio/wav" });
  expect((await rejectionOf(InvalidArgumentError, call)).issues).toMatchObject([{ path: "source" }]);
  expect(bodies).toEqual([]);
});

const tenBytes = () => new Blob([new Uint8Array(10)]);

it.each([
  ["bytes", "TextDecoder", new Uint8Array(10)],
  ["bytes", "Blob", new Uint8Array(10)],
  ["a Blob", "TextDecoder", tenBytes()],
  // As in React Native.
  ["a Blob without stream()", "TextDecoder", Object.defineProperty(tenBytes(), "stream", { value: undefined })],
])("a runtime without streams uploads %s unchanged, even without %s", async (_, lacking, source) => {
  const { notetaker, bodies } = client();
  without("ReadableStream", lacking);
  expect(await notetaker.meetings.upload(source, { contentType: "audio/wav" })).toMatchObject({ id: "mtg_1" });
  expect(bodies).toEqual([source]);
  if (!ArrayBuffer.isView(source)) expect(bodies[0]).toBe(source);
});

it("a runtime without streams refuses to download a recording", async () => {
  const fetch = vi.fn(async () => json({}));
  const notetaker = new Notetaker({ baseUrl: BASE_URL, token: TOKEN, fetch });
  without("ReadableStream");
  await rejectionOf(ConfigurationError, notetaker.meetings.downloadRecording("mtg_1"));
  expect(fetch).not.toHaveBeenCalled();
});
