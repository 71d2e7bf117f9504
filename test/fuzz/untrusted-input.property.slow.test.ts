/**
 * Everything that reads text of others: responses, deliveries, seeds, links, dates, records and checkpoints. Whatever
 * the text, only errors of the library come out of it. The inputs are valid texts that were damaged at random.
 */
import fc from "fast-check";
import { isNotetakerError, Notetaker, parseMeetingLink, RateLimitedError, type ValidationMode } from "notetaker-sdk";
import { walkMeetings } from "notetaker-sdk/node";
import { createEmulator, EmulatorError, type Seed } from "notetaker-sdk/testing";
import { createReceiver, sign } from "notetaker-sdk/webhooks";
import { describe, expect, it } from "vitest";
import { CALLS } from "../support/calls.js";
import { BASE_URL, rejectionOf, TOKEN } from "../support/recorder.js";

/** Texts on which parsers have failed before. */
const SPLINTERS = [
  "\u0000",
  "\ufeff",
  "\ud800",
  "__proto__",
  "null",
  "[",
  "{",
  '"',
  "\\u0000",
  "1e999",
  "-1",
  ";;",
  "\r",
];

/** One of the texts, with up to five parts deleted, doubled or replaced. */
function damaged(...texts: string[]): fc.Arbitrary<string> {
  const change = fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    length: fc.nat({ max: 12 }),
    put: fc.oneof(fc.constantFrom("", "again", ...SPLINTERS), fc.string({ maxLength: 4 })),
  });
  return fc.tuple(fc.constantFrom(...texts), fc.array(change, { maxLength: 5 })).map(([text, changes]) =>
    changes.reduce((now, { at, length, put }) => {
      const start = Math.floor(at * now.length);
      const part = now.slice(start, start + length);
      return now.slice(0, start) + (put === "again" ? part + part : put) + now.slice(start + length);
    }, text),
  );
}

const headerValue = (text: string) => text.replace(/[^\t\x20-\x7e\x80-\xff]/g, "");

describe("a response", () => {
  const STATUSES = [200, 201, 202, 204, 206, 301, 304, 400, 401, 403, 404, 408, 409, 422, 429, 500, 503, 504, 520, 599];
  const ENVELOPES = [
    '{"error":{"code":"rate_limited","message":"slow down","details":[{"field":"a","message":"b"}]}}',
    '{"detail":[{"loc":["query","limit"],"msg":"too large","type":"less_than_equal","ctx":{"le":100}}]}',
  ];
  const body = damaged(...CALLS.map(({ answer }) => JSON.stringify(answer) ?? ""), ...ENVELOPES, TOKEN);

  const answered = (status: number, text: string, piece: number) => {
    if (status === 204 || status === 304) return new Response(null, { status });
    const bytes = new TextEncoder().encode(text);
    const stream = new ReadableStream<Uint8Array>({
      start(controller) {
        for (let at = 0; at < bytes.length; at += piece) controller.enqueue(bytes.subarray(at, at + piece));
        controller.close();
      },
    });
    return new Response(stream, { status, headers: { "content-type": "application/json" } });
  };

  it("gives the same result whole and in pieces: data, or an error that hides the token and can be stored", async () => {
    const modes = fc.constantFrom<ValidationMode>("strict", "warn", "off");
    const input = fc.tuple(fc.constantFrom(...CALLS), fc.constantFrom(...STATUSES), modes, body);
    await fc.assert(
      fc.asyncProperty(input, async ([call, status, validation, text]) => {
        const outcomeOf = async (piece: number) => {
          const fetch = async () => answered(status, text, piece);
          const logger = { debug() {}, info() {}, warn() {}, error() {} };
          const options = { maxRetries: 0, validation, logger, fetch };
          const notetaker = new Notetaker({ baseUrl: BASE_URL, token: TOKEN, ...options });
          try {
            return JSON.stringify(await call.make(notetaker));
          } catch (error) {
            if (!isNotetakerError(error)) throw error;
            const record = JSON.stringify(error);
            expect(`${record} ${error.message} ${error.stack}`).not.toContain(TOKEN);
            return `${error.name} ${error.message}`;
          }
        };
        expect(await outcomeOf(3)).toEqual(await outcomeOf(1_000_000));
      }),
    );
  });

  it("is waited for after no time, or after a time of at least 0 ms", async () => {
    const dates = ["120", "1.5", "-1", "Sun, 06 Nov 1994 08:49:37 GMT", "Sun Nov  6 08:49:37 1994", "1790000000"];
    await fc.assert(
      fc.asyncProperty(damaged(...dates), damaged(...dates), async (after, reset) => {
        const headers = { "retry-after": headerValue(after), "x-ratelimit-reset": headerValue(reset) };
        const fetch = async () => new Response(ENVELOPES[0] ?? "", { status: 429, headers });
        const notetaker = new Notetaker({ baseUrl: BASE_URL, token: TOKEN, maxRetries: 0, fetch });
        const { retryAfterMs } = await rejectionOf(RateLimitedError, notetaker.rooms.list());
        expect(retryAfterMs ?? 0).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});

it("a delivery is handled, ignored or refused, whatever its signature and body", async () => {
  const receiver = createReceiver({ secrets: "whsec_1", handlers: {}, onError: () => {} });
  const body = damaged(
    '{"event":"meeting.transcript_ready","id":"mtg_1"}',
    "[]",
    '{"event":5,"data":{"meeting_id":null}}',
  );
  await fc.assert(
    fc.asyncProperty(body, damaged("sha256=d5cae1c5290bfcd29aa0f6bfd835d955"), async (text, damagedSignature) => {
      for (const signature of [await sign(text, "whsec_1"), headerValue(damagedSignature)]) {
        const headers = { "x-webhook-signature": signature };
        const request = new Request("https://a.example/hook", { method: "POST", headers, body: text });
        expect([200, 400, 401, 503]).toContain((await receiver.handle(request)).status);
      }
    }),
  );
});

it("a seed is accepted, or refused with an EmulatorError", () => {
  const seed = damaged(
    '{"rooms":[{"id":"room_1","title":"R","meetings":[{"id":"mtg_1","title":"M","documents":[]}]}],"account":{}}',
    '{"meetings":[{"transcript":{"speakers":[{"id":"spk_1","name":"A"}],"segments":[]},"permissions":[]}]}',
    '{"events":[{"id":"evt_1","start_time":"2030-01-01T00:00:00Z"}],"webhooks":[{"url":"https://a.example/h"}]}',
  );
  fc.assert(
    fc.property(seed, (text) => {
      let value: Seed;
      try {
        value = JSON.parse(text);
      } catch {
        return;
      }
      try {
        createEmulator({ seed: value });
      } catch (error) {
        expect(error).toBeInstanceOf(EmulatorError);
      }
    }),
  );
});

it("a link to a meeting is found, or not found, but never fails", () => {
  const link = damaged(
    "Join https://zoom.us/j/123?pwd=x.",
    "https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fteams.microsoft.com%2Fl%2Fmeetup-join%2Fx",
    "https://www.google.com/url?q=https://x.webex.com/meet/a&amp;b",
    "https://urldefense.com/v3/__https://zoom.us/j/1__;!!x",
  );
  fc.assert(fc.property(link, (text) => void parseMeetingLink(text)));
});

it("the checkpoint of a walk is accepted, or refused with an error of the library", async () => {
  const notetaker = new Notetaker(createEmulator({ seed: { meetings: [] }, limits: "none" }).clientOptions);
  const base64 = (text: string) => Buffer.from(text).toString("base64url");
  const place = damaged(
    '{"v":1,"cursor":null,"page":1,"seen":[],"since":"2026-01-01"}',
    '{"v":1,"cursor":"c","page":2}',
  );
  await fc.assert(
    fc.asyncProperty(fc.oneof(place.map(base64), place), async (resume) => {
      try {
        for await (const _ of walkMeetings(notetaker, { resume }));
      } catch (error) {
        if (!isNotetakerError(error)) throw error;
      }
    }),
  );
});
