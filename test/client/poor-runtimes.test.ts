/**
 * Runtimes that lack parts of the web platform: a function that needs a missing part throws one error that names it,
 * and everything else works. React Native has no Web Crypto and, in older engines, no `TextEncoder` or
 * `AggregateError`. jest's jsdom environment lacks all of these. Runtimes without streams are tested in `test/media`,
 * runtimes without `Intl.Segmenter` in `test/transcript`.
 */
import { ConfigurationError, ConnectionError, type Fetch, Notetaker, NotFoundError } from "notetaker-sdk";
import { createEmulator } from "notetaker-sdk/testing";
import { sign, verify } from "notetaker-sdk/webhooks";
import { describe, expect, it, vi } from "vitest";
import { clientOf, json, rejectionOf } from "../support/recorder.js";
import { nodeSign } from "../webhooks/signed-delivery.js";

/** Removes globals until the test ends. */
const without = (...names: string[]) => {
  for (const name of names) vi.stubGlobal(name, undefined);
};

/** React Native's `fetch` reads a response as a whole: its responses have no `body`. */
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

it("the emulator reads a body where a Blob has no arrayBuffer, as in jsdom", async () => {
  const { clientOptions } = createEmulator();
  without("Blob");
  const url = "https://app.example.com/hooks";
  const webhook = await new Notetaker(clientOptions).webhooks.create({ url, events: ["meeting.transcript_ready"] });
  expect(webhook).toMatchObject({ url });
});

describe("a fetch whose responses have no body", () => {
  it("keeps the class, the code and the message of an API error", async () => {
    const error = await rejectionOf(NotFoundError, poorClient().meetings.getTranscript("mtg_nobody"));
    expect(error).toMatchObject({ status: 404, code: "not_found" });
    expect(error.message).toContain("not found");
  });

  it("iterates lists", async () => {
    expect((await poorClient().rooms.list({ limit: 1 }).toArray({ max: 10 })).length).toBeGreaterThan(1);
  });
});

describe("a runtime without Web Crypto", () => {
  it.each([
    ["crypto", undefined],
    ["crypto.subtle", {}],
  ])("gets a ConfigurationError from verify and sign if it lacks %s", async (_name, crypto) => {
    vi.stubGlobal("crypto", crypto);
    without("TextEncoder");
    const signature = nodeSign("{}");
    for (const call of [verify("{}", signature, "secret"), sign("{}", "secret")]) {
      const error = await rejectionOf(ConfigurationError, call);
      expect(error.message).toContain("this runtime has no Web Crypto (crypto.subtle)");
    }
  });
});

describe("a runtime without btoa", () => {
  it("gets no token in errors", async () => {
    without("btoa");
    const token = "tok_of_the_call";
    const fetch: Fetch = async () => {
      throw new TypeError(`failed with ${token}`);
    };
    const notetaker = new Notetaker({ baseUrl: "http://127.0.0.1/v1", token, fetch, maxRetries: 0 });
    const error = await rejectionOf(ConnectionError, notetaker.webhooks.list());
    expect((error.cause as Error).message).toBe("failed with [redacted]");
  });
});

describe("in a runtime that lacks globals", () => {
  it.each([["Request"], ["Response"], ["Headers"], ["TextEncoder"], ["Request", "Response"]])(
    "without %s the first call is a ConfigurationError that names it, also for a client with its own fetch",
    async (...names) => {
      const { notetaker, seen } = clientOf(() => json([]));
      for (const name of names) vi.stubGlobal(name, undefined);
      const error = await rejectionOf(ConfigurationError, notetaker.webhooks.list());
      expect(error).toMatchObject({ outcome: "not_sent", attempts: 0, retryable: false });
      expect(error.message).toContain(`This runtime has no ${names.join(", ")}.`);
      expect(seen).toHaveLength(0);
    },
  );

  it("without fetch, too, unless the client has its own", async () => {
    vi.stubGlobal("fetch", undefined);
    const { notetaker } = clientOf(() => json([]), { fetch: undefined });
    const error = await rejectionOf(ConfigurationError, notetaker.webhooks.list());
    expect(error).toMatchObject({ outcome: "not_sent", attempts: 0 });
    expect(error.message).toContain("This runtime has no fetch.");
    expect(await clientOf(() => json([])).notetaker.webhooks.list()).toEqual([]);
  });

  it("works as soon as they are there", async () => {
    const { notetaker } = clientOf(() => json([]));
    vi.stubGlobal("Request", undefined);
    await rejectionOf(ConfigurationError, notetaker.webhooks.list());
    vi.unstubAllGlobals();
    expect(await notetaker.webhooks.list()).toEqual([]);
  });
});
