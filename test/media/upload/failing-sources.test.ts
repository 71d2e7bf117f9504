/** A source that cannot be opened is one of our errors, and says that nothing was sent. */
import { createReadStream } from "node:fs";
import { ConnectionError, InvalidArgumentError, Notetaker, TimeoutError, type UploadSource } from "notetaker-sdk";
import { afterEach, describe, expect, it, vi } from "vitest";
import { BASE_URL, json, refusal, rejectionOf, TOKEN } from "../../support/recorder.js";
import { ACCEPTED, bytesOfLength } from "./upload-service.js";

const wav = { contentType: "audio/wav" };
const bytes = bytesOfLength(1_000);
const broken = new Error("the drive is gone");

/** Reads each body to its end, and counts. */
function service(responses: Response[] = []) {
  const sent: Uint8Array[] = [];
  const fetch = async (_: string, init: RequestInit) => {
    sent.push(new Uint8Array(await new Response(init.body).arrayBuffer()));
    return responses.shift() ?? json(ACCEPTED);
  };
  return { notetaker: new Notetaker({ baseUrl: BASE_URL, token: TOKEN, fetch }), sent };
}

const throwing = (): never => {
  throw broken;
};

describe("a source that cannot be opened", () => {
  it.each<[string, () => unknown]>([
    ["whose stream() throws", () => ({ stream: throwing })],
    ["whose stream fails at its first read", () => ({ stream: () => new ReadableStream({ pull: throwing }) })],
    [
      "whose size throws",
      () => ({
        stream: () => new Blob([bytes]).stream(),
        get size() {
          return throwing();
        },
      }),
    ],
    ["whose iterator cannot be made", () => ({ [Symbol.asyncIterator]: throwing })],
    ["whose iterator fails at once", () => ({ [Symbol.asyncIterator]: () => ({ next: throwing }) })],
  ])("a source %s is a ConnectionError with the cause, and nothing is sent", async (_, source) => {
    const { notetaker, sent } = service();
    const error = await rejectionOf(ConnectionError, notetaker.meetings.upload(source() as UploadSource, wav));
    expect(error.message).toBe("meetings.upload: the source could not be opened: the drive is gone");
    expect(error).toMatchObject({ outcome: "not_sent", retryable: false, cause: { message: broken.message } });
    expect(sent).toEqual([]);
  });

  it("a source whose stream() returns no stream is a ConnectionError", async () => {
    const { notetaker } = service();
    const source = { stream: () => undefined } as unknown as UploadSource;
    const error = await rejectionOf(ConnectionError, notetaker.meetings.upload(source, wav));
    expect(error.outcome).toBe("not_sent");
  });

  it("a source that fails at the second attempt is a ConnectionError that counts the first", async () => {
    const { notetaker, sent } = service([refusal(429, "rate_limited", { "retry-after": "0" })]);
    const stream = vi.fn(throwing).mockImplementationOnce((() => new Blob([bytes]).stream()) as never);
    const error = await rejectionOf(ConnectionError, notetaker.meetings.upload({ stream }, wav));
    // The first attempt was refused, the second was not sent: nothing was done.
    expect(error).toMatchObject({ outcome: "rejected", attempts: 2, cause: { message: broken.message } });
    expect(sent).toHaveLength(1);
  });

  it("a Node stream of a missing file is a ConnectionError with the system's error as its cause", async () => {
    const { notetaker, sent } = service();
    const source = createReadStream("/nowhere/talk.wav");
    const error = await rejectionOf(ConnectionError, notetaker.meetings.upload(source));
    expect(error).toMatchObject({ outcome: "not_sent", cause: { code: "ENOENT" } });
    expect(sent).toEqual([]);
  });

  it("a Node stream that fails before it is read does not end the process", async () => {
    const { sent } = service();
    let resolveToken = (_: string) => {};
    const token = () =>
      new Promise<string>((resolve) => {
        resolveToken = resolve;
      });
    const slow = new Notetaker({ baseUrl: BASE_URL, token, fetch: async () => json(ACCEPTED) });
    const call = slow.meetings.upload(createReadStream("/nowhere/talk.wav"));
    const failed = rejectionOf(ConnectionError, call);
    await new Promise((resolve) => setTimeout(resolve, 30));
    resolveToken(TOKEN);
    expect((await failed).outcome).toBe("not_sent");
    expect(sent).toEqual([]);
  });

  it("an error of the library that a source throws is thrown unchanged", async () => {
    const own = new InvalidArgumentError("fromPath", [{ path: "path", message: "does not exist" }]);
    const { notetaker } = service();
    const source = {
      stream: () => {
        throw own;
      },
    };
    expect(await rejectionOf(InvalidArgumentError, notetaker.meetings.upload(source, wav))).toBe(own);
  });

  it("a source that gives nothing within timeoutMs is a TimeoutError, and nothing was sent", async () => {
    const { notetaker, sent } = service();
    const source = { stream: () => new ReadableStream<Uint8Array>() };
    const error = await rejectionOf(TimeoutError, notetaker.meetings.upload(source, wav, { timeoutMs: 20 }));
    expect(error.outcome).toBe("not_sent");
    expect(sent).toEqual([]);
  });
});

describe("size", () => {
  const unsized = () => ({ stream: () => new Blob([bytes]).stream() });
  async function* generated() {
    yield bytes.subarray(0, 400);
    yield bytes.subarray(400);
  }
  const upload = (source: UploadSource, size: unknown) => {
    const announced: (string | undefined)[] = [];
    const fetch = async (_: string, init: RequestInit) => {
      announced.push(new Headers(init.headers).get("content-length") ?? undefined);
      await new Response(init.body).arrayBuffer();
      return json(ACCEPTED);
    };
    const notetaker = new Notetaker({ baseUrl: BASE_URL, token: TOKEN, fetch });
    const progress: unknown[] = [];
    const call = notetaker.meetings.upload(
      source,
      { ...wav, size: size as number },
      { onProgress: (one) => progress.push(one) },
    );
    return { call, announced, progress };
  };

  it.each<[string, () => UploadSource]>([
    ["an iterable", generated],
    ["a stream", () => new Blob([bytes]).stream()],
    ["an object with stream()", unsized],
  ])("the size of %s is announced, and is the total of its progress", async (_, source) => {
    const { call, announced, progress } = upload(source(), 1_000);
    expect(await call).toEqual(ACCEPTED);
    expect(announced).toEqual(["1000"]);
    expect(progress[0]).toEqual({ sentBytes: 0, totalBytes: 1_000 });
  });

  it.each([999, 1_001])("a wrong size ends the upload in an error: %i of 1000 bytes", async (size) => {
    const { call } = upload(generated(), size);
    const error = await rejectionOf(ConnectionError, call);
    expect(error.message).toContain(`but its size is given as ${size}`);
  });

  it.each([-1, 1.5, Number.NaN, "1000", null])("a size that is not a number of bytes is refused: %s", async (size) => {
    const { call, announced } = upload(generated(), size);
    const error = await rejectionOf(InvalidArgumentError, call);
    expect(error.message).toContain("size: expected the number of bytes");
    expect(announced).toEqual([]);
  });

  it("a size is refused if the source states another", async () => {
    const { call, announced } = upload(new Blob([bytes]), 999);
    const error = await rejectionOf(InvalidArgumentError, call);
    expect(error.message).toContain("size: expected 1000, the size of the source, received 999");
    expect(announced).toEqual([]);
  });
});

describe("a runtime without streams", () => {
  afterEach(() => void vi.unstubAllGlobals());

  it("a Blob without stream() is sent as it is, as in React Native", async () => {
    const blob = new Blob([bytes], { type: "audio/wav" });
    Object.defineProperty(blob, "stream", { value: undefined });
    vi.stubGlobal("ReadableStream", undefined);
    const bodies: unknown[] = [];
    const fetch = async (_: string, init: RequestInit) => {
      bodies.push(init.body);
      // Node's own responses need streams.
      vi.unstubAllGlobals();
      return json(ACCEPTED);
    };
    const notetaker = new Notetaker({ baseUrl: BASE_URL, token: TOKEN, fetch });
    expect(await notetaker.meetings.upload(blob)).toEqual(ACCEPTED);
    expect(bodies[0]).toBe(blob);
  });
});
