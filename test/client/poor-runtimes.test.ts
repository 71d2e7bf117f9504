/**
 * What runtimes lack is said in one error, and the rest works: React Native has no streams, no Web Crypto and, in older
 * engines, no `TextEncoder` or `AggregateError`; jest's jsdom environment lacks all of these.
 */
import {
  ConfigurationError,
  ConnectionError,
  type Fetch,
  InvalidArgumentError,
  Notetaker,
  NotFoundError,
} from "notetaker-sdk";
import { createEmulator } from "notetaker-sdk/testing";
import { chunks, toSrt } from "notetaker-sdk/transcript";
import { sign, verify } from "notetaker-sdk/webhooks";
import { afterEach, describe, expect, it, vi } from "vitest";
import { rejectionOf } from "../support/recorder.js";
import { nodeSign } from "../webhooks/signed-delivery.js";

afterEach(() => {
  vi.unstubAllGlobals();
});

/** Takes globals away until the test ends. */
const without = (...names: string[]) => {
  for (const name of names) vi.stubGlobal(name, undefined);
};

/** What comes back has no `body`: React Native's `fetch` reads a response as a whole. */
const withoutBodies =
  (fetch: Fetch): Fetch =>
  async (url, init) => {
    const response = await fetch(url, init);
    return {
      status: response.status,
      ok: response.ok,
      headers: response.headers,
      body: undefined,
      text: () => response.text(),
    };
  };

function poorClient() {
  const service = createEmulator();
  const fetch = withoutBodies(service.fetch);
  return new Notetaker({ baseUrl: service.baseUrl, token: service.token, fetch });
}

async function* pieces() {
  yield new Uint8Array(10);
}

describe("a fetch whose responses have no body", () => {
  it("keeps the class, the code and the message of an error", async () => {
    const error = await rejectionOf(NotFoundError, poorClient().meetings.getTranscript("mtg_nobody"));
    expect(error).toMatchObject({ status: 404, code: "not_found" });
    expect(error.message).toContain("not found");
  });

  it("walks lists", async () => {
    expect((await poorClient().rooms.list({ limit: 1 }).toArray({ max: 10 })).length).toBeGreaterThan(1);
  });
});

describe("a runtime without streams", () => {
  it("refuses an upload that has to be streamed, and says what can be uploaded", async () => {
    const notetaker = poorClient();
    without("ReadableStream");
    const sources = [pieces(), { stream: () => pieces() as never, size: 10 }];
    for (const source of sources) {
      const call = notetaker.meetings.upload(source, { contentType: "audio/wav" });
      const error = await rejectionOf(InvalidArgumentError, call);
      expect(error.issues).toEqual([
        { path: "source", message: "this runtime has no streams (ReadableStream): pass bytes or a Blob" },
      ]);
    }
  });

  it("uploads bytes, also where there is no Response", async () => {
    const bodies: unknown[] = [];
    const fetch: Fetch = async (_url, init) => {
      bodies.push(init.body);
      const text = async () => '{"id":"mtg_1","status":"processing"}';
      return { status: 202, ok: true, headers: { get: () => null }, body: undefined, text };
    };
    const notetaker = new Notetaker({ baseUrl: "http://127.0.0.1/v1", token: "token", fetch });
    without("ReadableStream", "Response", "Request", "TextDecoder");
    const bytes = new Uint8Array(10);
    expect(await notetaker.meetings.upload(bytes, { contentType: "audio/wav" })).toMatchObject({ id: "mtg_1" });
    expect(bodies).toEqual([bytes]);
  });

  it("refuses to download a recording, and names the way out", async () => {
    const notetaker = poorClient();
    without("ReadableStream");
    const error = await rejectionOf(ConfigurationError, notetaker.meetings.downloadRecording("mtg_1"));
    expect(error.message).toContain("recording_url");
  });
});

describe("a runtime without Web Crypto", () => {
  it.each([
    ["crypto", undefined],
    ["crypto.subtle", {}],
  ])("says that it cannot verify or sign without %s", async (_name, crypto) => {
    vi.stubGlobal("crypto", crypto);
    without("TextEncoder");
    const signature = nodeSign("{}");
    for (const call of [verify("{}", signature, "secret"), sign("{}", "secret")]) {
      const error = await rejectionOf(ConfigurationError, call);
      expect(error.message).toContain("this runtime has no Web Crypto (crypto.subtle)");
    }
  });
});

describe("a runtime without TextEncoder", () => {
  it("keeps a token out of errors, in every encoding of it", async () => {
    without("TextEncoder");
    const token = "tok_some_secret";
    const encoded = [
      Buffer.from(token).toString("base64"),
      Buffer.from(`x:${token}`).toString("base64"),
      Buffer.from(token).toString("hex"),
    ];
    const fetch: Fetch = async () => {
      throw new TypeError(`failed with ${encoded.join(" and ")}`);
    };
    const notetaker = new Notetaker({ baseUrl: "http://127.0.0.1/v1", token, fetch, maxRetries: 0 });
    const error = await rejectionOf(ConnectionError, notetaker.webhooks.list());
    expect((error.cause as Error).message).toMatch(/^failed with /);
    for (const text of encoded) expect((error.cause as Error).message).not.toContain(text.slice(3, -4));
  });
});

describe("a runtime without Intl.Segmenter", () => {
  const said = (text: string) => ({
    meeting_id: "mtg_1" as const,
    language: "zh",
    speakers: [{ id: "spk_1" as const, name: "Ada" }],
    segments: [{ speaker_id: "spk_1" as const, start_time: 0, end_time: 4, text }],
  });

  it("makes captions of scripts without spaces, and loses no character", () => {
    vi.stubGlobal("Intl", {});
    const text = "我们今天讨论季度报告，".repeat(20);
    const lines = toSrt(said(text), { maxLineLength: 40 }).split("\n");
    const shown = lines.filter((line) => line !== "" && !/^\d|-->/.test(line)).join("");
    expect(shown.replace("Ada: ", "")).toBe(text);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(60);
  });

  it("cuts a word that is longer than a chunk between characters", () => {
    vi.stubGlobal("Intl", {});
    const text = "🎙".repeat(300);
    const options = { maxTokens: 40, countTokens: (part: string) => part.length };
    for (const chunk of chunks(said(text), options)) expect(chunk.text).not.toMatch(/\p{Surrogate}/u);
  });
});
