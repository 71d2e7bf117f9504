/**
 * Runtimes that lack parts of the web platform: a function that needs a missing part throws one error that names it,
 * and everything else works. React Native has no Web Crypto and, in older engines, no `TextEncoder` or
 * `AggregateError`. jest's jsdom environment lacks all of these. Runtimes without streams are tested in `test/media`,
 * runtimes without `Intl.Segmenter` in `test/transcript`.
 */
import { ConfigurationError, type Fetch, Notetaker, NotFoundError } from "notetaker-sdk";
import { createEmulator } from "notetaker-sdk/testing";
import { sign, verify } from "notetaker-sdk/webhooks";
import { describe, expect, it, vi } from "vitest";
import { clientOf, json, rejectionOf } from "../support/recorder.js";
import { nodeSign } from "../webhooks/signed-delivery.js";

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

it("a fetch whose responses have no body reads lists, and the class, code and message of an API error", async () => {
  const { rooms, meetings } = poorClient();
  expect((await rooms.list({ limit: 1 }).toArray({ max: 10 })).length).toBeGreaterThan(1);
  const error = await rejectionOf(NotFoundError, meetings.getTranscript("mtg_nobody"));
  expect(error).toMatchObject({ status: 404, code: "not_found", message: expect.stringContaining("not found") });
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

  it("without fetch, too, unless the client has its own, and until it is there", async () => {
    vi.stubGlobal("fetch", undefined);
    const { notetaker } = clientOf(() => json([]), { fetch: undefined });
    const error = await rejectionOf(ConfigurationError, notetaker.webhooks.list());
    expect(error.message).toContain("This runtime has no fetch.");
    expect(await clientOf(() => json([])).notetaker.webhooks.list()).toEqual([]);
    vi.stubGlobal("fetch", async () => json([]));
    expect(await notetaker.webhooks.list()).toEqual([]);
  });
});
