import { inspect } from "node:util";
import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { ApiError, ForbiddenError, UnauthorizedError } from "../../../src/errors/api-error.js";
import { ConfigurationError } from "../../../src/errors/argument-errors.js";
import { ConnectionError } from "../../../src/errors/call-errors.js";
import { WebhookVerificationError } from "../../../src/errors/webhook-verification-error.js";
import type { WebhookEvent } from "../../../src/webhooks/event/event.js";
import { eventFrame } from "../../../src/webhooks/event/event-stream-format.js";
import { createRelay } from "../../../src/webhooks/relay/relay.js";
import { subscribe } from "../../../src/webhooks/subscribe/subscribe.js";
import type { Reconnection, SubscribeOptions } from "../../../src/webhooks/subscribe/subscribe-options.js";
import { patience, runs } from "../../support/property-seed.js";
import { eventOf, fetchFrom } from "../events.js";
import { meetingBody } from "../signed-delivery.js";

afterEach(() => {
  vi.useRealTimers();
});

const URL = "https://app.example.com/events?token=topsecret";
const STREAM = { headers: { "content-type": "text/event-stream" } };

const frame = (number: number) => eventFrame({ id: `id-${number}`, event: eventOf(number) });

/** A stream that the test writes piece by piece. */
function stream(...pieces: (string | Uint8Array)[]) {
  let controller!: ReadableStreamDefaultController<Uint8Array>;
  const cancelled = vi.fn();
  const bytes = (piece: string | Uint8Array) => (typeof piece === "string" ? new TextEncoder().encode(piece) : piece);
  const body = new ReadableStream<Uint8Array>({
    start(given) {
      controller = given;
      for (const piece of pieces) controller.enqueue(bytes(piece));
    },
    cancel: cancelled,
  });
  return {
    response: new Response(body, STREAM),
    send: (piece: string) => controller.enqueue(bytes(piece)),
    end: () => controller.close(),
    fail: () => controller.error(new TypeError("terminated")),
    cancelled,
  };
}

/** A stream that ends after these pieces. */
const whole = (...pieces: (string | Uint8Array)[]) => {
  const { response, end } = stream(...pieces);
  end();
  return response;
};

/** Skips the pauses between connections until `work` is done. */
async function withoutWaiting<T>(work: Promise<T>): Promise<T> {
  let isDone = false;
  const settled = work.finally(() => {
    isDone = true;
  });
  while (!isDone) {
    // A real turn of the event loop, for the streams.
    await new Promise((resolve) => setImmediate(resolve));
    if (!isDone) await vi.advanceTimersByTimeAsync(100);
  }
  return settled;
}

/** The events of a subscription whose connections get these answers in turn, and finally a 204. */
async function hear(answers: (Response | (() => Response | Promise<Response>))[], options: SubscribeOptions = {}) {
  const remaining = [...answers];
  const reconnections: Reconnection[] = [];
  const answering = fetchFrom(() => {
    const next = remaining.shift() ?? new Response(null, { status: 204 });
    return typeof next === "function" ? next() : next;
  });
  // If a test has stopped the clock, the test advances it itself.
  const isClockOfTest = vi.isFakeTimers();
  if (!isClockOfTest) vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
  const events = subscribe(URL, {
    fetch: answering,
    onReconnect: (reconnection) => reconnections.push(reconnection),
    ...options,
  });
  const heard: WebhookEvent[] = [];
  const reading = (async () => {
    for await (const event of events) heard.push(event);
  })().catch((error: unknown) => error);
  const error = await (isClockOfTest ? reading : withoutWaiting(reading));
  if (!isClockOfTest) vi.useRealTimers();
  const asked = answering.requests.map((request) => request.headers.get("last-event-id"));
  return { heard, error, reconnections, asked, requests: answering.requests, events };
}

const fast = "retry: 0\n\n";

describe("the events of a subscription", () => {
  it("events arrive in the order in which they were published", async () => {
    const { heard, error, events } = await hear([whole(fast, frame(1), frame(2)), whole(frame(3))]);
    expect(error).toBeUndefined();
    expect(heard).toEqual([1, 2, 3].map(eventOf));
    expect(events.lastEventId).toBe("id-3");
  });

  it("events are the same wherever the stream is cut and whatever its line ends are", {
    timeout: patience(30_000),
  }, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom("\n", "\r\n", "\r"),
        fc.array(fc.nat(4000), { maxLength: 12 }),
        async (newline, places) => {
          const text = `\u{feff}${fast}: at id-0\n\n${frame(1)}event: resync\nid: id-5\ndata: {}\n\n${frame(6)}id: id-7\ndata: {"kind":"ünknown",\ndata: "payload":{"🙂":1}}\n\n: x\n\n`;
          const bytes = new TextEncoder().encode(text.replaceAll("\n", newline));
          const cuts = [...new Set(places.map((place) => place % bytes.length))].sort((a, b) => a - b);
          const pieces = [0, ...cuts].map((from, i) => bytes.slice(from, cuts[i] ?? bytes.length));
          const { heard, error, asked } = await hear([whole(...pieces)]);
          expect(error).toBeUndefined();
          expect(heard).toEqual([
            eventOf(1),
            { kind: "resync", meetingId: undefined, payload: {} },
            eventOf(6),
            { kind: "ünknown", meetingId: undefined, payload: { "🙂": 1 } },
          ]);
          expect(asked).toEqual([null, "id-7"]);
        },
      ),
      { numRuns: runs(60) },
    );
    // Cuts the stream once at every position.
    const bytes = new TextEncoder().encode(`${fast}${frame(1)}${frame(2)}`.replaceAll("\n", "\r\n"));
    for (let cut = 0; cut <= bytes.length; cut++) {
      expect((await hear([whole(bytes.slice(0, cut), bytes.slice(cut))])).heard).toEqual([eventOf(1), eventOf(2)]);
    }
  });

  it("an event may be a body of the service, with the kind that the stream names", async () => {
    const body = meetingBody();
    const { heard } = await hear([
      whole(`${fast}data: ${body}\n\nevent: meeting.deleted\ndata: {"meeting_id":"mtg_2"}\n\n`),
    ]);
    expect(heard).toEqual([
      { kind: "meeting.transcript_ready", meetingId: "mtg_1", payload: JSON.parse(body) },
      { kind: "meeting.deleted", meetingId: "mtg_2", payload: { meeting_id: "mtg_2" } },
    ]);
  });

  it("data that is not an event causes an error after the events before it, and can be skipped", async () => {
    for (const data of ["hello", "[]", "null", '"x"']) {
      const { heard, error, events } = await hear([whole(`${frame(1)}id: id-2\ndata: ${data}\n\n${frame(3)}`)]);
      expect(heard).toEqual([eventOf(1)]);
      expect(error).toBeInstanceOf(WebhookVerificationError);
      expect(error).toMatchObject({ reason: "not_an_event" });
      expect(events.lastEventId).toBe("id-2");
    }
  });

  it("an event that breaks off is read again over the next connection", async () => {
    const { heard, asked } = await hear([whole(fast, frame(1), frame(2).slice(0, -1)), whole(frame(2))]);
    expect(heard).toEqual([eventOf(1), eventOf(2)]);
    expect(asked).toEqual([null, "id-1", "id-2"]);
  });

  it("an event over maxEventBytes of UTF-8 causes an error, wherever the stream is cut", async () => {
    const data = JSON.stringify({ kind: "x", payload: { text: "ü🙂".repeat(500) } });
    const size = Buffer.byteLength(data);
    const text = `${fast}${frame(1)}id: big\ndata: ${data}\n\n${frame(2)}`;
    const bytes = Buffer.from(text);
    const large = Buffer.byteLength(JSON.stringify(eventOf(1))) + 1;
    for (const cut of [0, 40, 300, bytes.length - 210, bytes.length - 200]) {
      const pieces = [bytes.subarray(0, cut), bytes.subarray(cut)];
      expect((await hear([whole(...pieces)], { maxEventBytes: Math.max(size, large) })).heard).toHaveLength(3);
      const refused = await hear([whole(...pieces)], { maxEventBytes: Math.max(size - 1, large) });
      expect(refused.heard).toEqual([eventOf(1)]);
      expect(refused.error).toMatchObject({
        name: "WebhookVerificationError",
        reason: "too_large",
        message: `expected events of at most ${Math.max(size - 1, large)} bytes, received a larger one`,
      });
      expect(refused.requests).toHaveLength(1);
    }
  });

  it("a subscription after an event that was too large continues after that event", async () => {
    const tooLarge = `id: big\ndata: ${"x".repeat(100_000)}\n\n`;
    const refused = await hear([whole(frame(1), tooLarge.slice(0, 50_000), tooLarge.slice(50_000), frame(3))], {
      maxEventBytes: 1_000,
    });
    expect(refused.heard).toEqual([eventOf(1)]);
    expect(refused.error).toMatchObject({ reason: "too_large" });
    expect(refused.events.lastEventId).toBe("big");
    const resumed = await hear([whole(frame(3))], { lastEventId: refused.events.lastEventId });
    expect(resumed.asked).toEqual(["big", "id-3"]);
  });

  it("an event that never ends causes an error, instead of filling the memory", async () => {
    let sent = 0;
    const body = new ReadableStream({
      pull(controller) {
        sent += 65_536;
        controller.enqueue(
          new TextEncoder().encode(sent === 65_536 ? `data: ${"x".repeat(65_530)}` : "x".repeat(65_536)),
        );
      },
    });
    const { error } = await hear([new Response(body, STREAM)], { maxEventBytes: 200_000 });
    expect(error).toMatchObject({ name: "WebhookVerificationError", reason: "too_large" });
    expect(sent).toBeLessThan(500_000);
  });
});

describe("a subscription whose connection is lost", () => {
  it("a lost connection is opened again, and resumes after the last event", async () => {
    const broken = () => {
      const { response, fail } = stream(fast, frame(1));
      setTimeout(fail);
      return response;
    };
    const refused = () => {
      throw new TypeError("fetch failed", { cause: Object.assign(new Error("refused"), { code: "ECONNREFUSED" }) });
    };
    const { heard, error, asked, reconnections } = await hear([broken, refused, whole(frame(2))]);
    expect(error).toBeUndefined();
    expect(heard).toEqual([eventOf(1), eventOf(2)]);
    expect(asked).toEqual([null, "id-1", "id-1", "id-2"]);
    expect(reconnections.map(({ error }) => error?.message)).toEqual([
      "GET /events broke off",
      "GET /events got no response: ECONNREFUSED",
      undefined,
    ]);
  });

  it("the first connection resumes after the lastEventId of the options", async () => {
    const { asked } = await hear([], { lastEventId: "id-41" });
    expect(asked).toEqual(["id-41"]);
  });

  it("an event without an id does not change the position", async () => {
    const withoutId = () => whole(`${fast}data: ${JSON.stringify(eventOf(1))}\n\n`);
    const resumed = await hear([withoutId()], { lastEventId: "id-41" });
    expect(resumed.asked).toEqual(["id-41", "id-41"]);
    expect(resumed.events.lastEventId).toBe("id-41");
    expect((await hear([withoutId()])).asked).toEqual([null, null]);
  });

  it("a connection resumes at the position that the server reported, even before the first event", async () => {
    const { asked } = await hear([whole(`${fast}id: id-7\n: at id-7\n\n`), whole("id: id-9\n: at id-9\n\n")]);
    expect(asked).toEqual([null, "id-7", "id-9"]);
  });

  it("the pause is the server's retry time, and grows while connections fail", async () => {
    vi.useFakeTimers();
    vi.spyOn(Math, "random").mockReturnValue(0);
    const answers = [whole("retry: 5000\n\n"), 500, 503, 408, 429, whole(frame(1))];
    const listening = hear(
      answers.map((answer) => (typeof answer === "number" ? () => new Response("busy", { status: answer }) : answer)),
    );
    await vi.runAllTimersAsync();
    const { heard, error, reconnections } = await listening;
    expect(error).toBeUndefined();
    expect(heard).toEqual([eventOf(1)]);
    expect(reconnections.map(({ delayMs }) => delayMs)).toEqual([5000, 10_000, 20_000, 30_000, 30_000, 5000]);
    expect(reconnections[4]?.error).toMatchObject({ name: "ApiError", status: 429 });
    vi.mocked(Math.random).mockRestore();
  });

  it("the pause also grows while each connection takes seconds to fail", async () => {
    vi.useFakeTimers();
    vi.spyOn(Math, "random").mockReturnValue(0);
    const slowFailure = async () => {
      await new Promise((resolve) => setTimeout(resolve, 2_000));
      return new Response("busy", { status: 503 });
    };
    const listening = hear([slowFailure, slowFailure, slowFailure, whole(frame(1))]);
    await vi.runAllTimersAsync();
    const { reconnections } = await listening;
    expect(reconnections.slice(0, 3).map(({ delayMs }) => delayMs)).toEqual([1_000, 2_000, 4_000]);
    vi.mocked(Math.random).mockRestore();
  });

  it("a connection without data for staleAfterMs is replaced, and resumes after the last event", async () => {
    vi.useFakeTimers();
    const silent = stream(fast, frame(1));
    const answers = [silent.response, whole(frame(2))];
    const listening = hear(answers);
    await vi.advanceTimersByTimeAsync(44_000);
    silent.send(": heartbeat\n\n");
    await vi.advanceTimersByTimeAsync(44_999);
    expect(silent.cancelled).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(silent.cancelled).toHaveBeenCalled();
    await vi.runAllTimersAsync();
    const { heard, asked, reconnections } = await listening;
    expect(heard).toEqual([eventOf(1), eventOf(2)]);
    expect(asked).toEqual([null, "id-1", "id-2"]);
    expect(reconnections[0]?.error?.message).toContain("received nothing for 45000 ms");
  });

  it("a request without a response is abandoned after staleAfterMs", async () => {
    vi.useFakeTimers();
    let connections = 0;
    const listening = hear([], {
      staleAfterMs: 1000,
      fetch: (_, init) => {
        connections += 1;
        if (connections > 1) return Promise.resolve(new Response(null, { status: 204 }));
        return new Promise((_, reject) => init?.signal?.addEventListener("abort", () => reject(init.signal?.reason)));
      },
    });
    await vi.runAllTimersAsync();
    expect((await listening).reconnections[0]?.error?.message).toContain("received nothing for 1000 ms");
  });

  it("a connection does not become stale while the consumer handles an event", async () => {
    vi.useFakeTimers();
    const { response, send, end } = stream(frame(1), frame(2));
    const events = subscribe(URL, {
      fetch: fetchFrom(() => response),
      staleAfterMs: 1000,
      onReconnect: () => expect.fail(),
    });
    await events.next();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await events.next()).toMatchObject({ value: eventOf(2) });
    send(frame(3));
    expect(await events.next()).toMatchObject({ value: eventOf(3) });
    end();
    await events.return();
    expect(vi.getTimerCount()).toBe(0);
  });
});

it("an onReconnect that rejects is logged, and does not end the subscription", async () => {
  const logged = vi.spyOn(console, "error").mockImplementation(() => {});
  const failure = new Error("callback");
  const { heard, error } = await hear([whole(fast), whole(frame(1))], { onReconnect: () => Promise.reject(failure) });
  expect([heard, error]).toEqual([[eventOf(1)], undefined]);
  expect(logged.mock.calls).toContainEqual(["notetaker-sdk:", failure]);
  logged.mockRestore();
});

describe("the end of a subscription", () => {
  it("a 204 ends the subscription", async () => {
    const { error, requests } = await hear([new Response(null, { status: 204 }), whole(frame(1))]);
    expect(error).toBeUndefined();
    expect(requests).toHaveLength(1);
  });

  it.each([
    [401, UnauthorizedError],
    [403, ForbiddenError],
    [404, ApiError],
  ])("status %i causes the error class of the status", async (status, errorClass) => {
    const body = JSON.stringify({ error: { code: "c", message: "said why" } });
    const { error, requests } = await hear([new Response(body, { status }), whole(frame(1))]);
    expect(error).toBeInstanceOf(errorClass);
    expect((error as Error).message).toBe(`GET /events responded ${status}`);
    expect((error as ApiError).request).toEqual({ method: "GET", url: "https://app.example.com/events" });
    expect(JSON.stringify(error)).not.toContain("topsecret");
    expect(requests).toHaveLength(1);
  });

  it("another content type and a redirect cause errors", async () => {
    const message = "GET /events responded 200 without text/event-stream";
    const login = new Response("<html>", { headers: { "content-type": "text/html" } });
    expect((await hear([login])).error).toMatchObject({ reason: "not_an_event", message });
    const untyped = new Response(new Uint8Array(1));
    expect((await hear([untyped])).error).toMatchObject({ reason: "not_an_event", message });
    const accepted = new Response(frame(1), { status: 202, ...STREAM });
    expect((await hear([accepted])).error).toMatchObject({ reason: "not_an_event" });
    const redirect = new Response(null, { status: 302, headers: { location: "/login" } });
    const { error, requests } = await hear([redirect]);
    // The headers may contain a token, so they are not sent anywhere else.
    expect(requests.map((request) => request.redirect)).toEqual(["manual"]);
    expect(error).toMatchObject({ name: "ApiError", status: 302 });
  });

  it.each([200, 404, 503])("the body of a response that is not an event stream is not read: %i", async (status) => {
    const cancelled = vi.fn();
    const body = new ReadableStream({ cancel: cancelled });
    await hear([new Response(body, { status })]);
    expect(cancelled).toHaveBeenCalledOnce();
  });

  it.each([204, 200])("an abort right after the response throws the signal's reason: %i", async (status) => {
    const controller = new AbortController();
    const reason = new Error("the user left");
    const { response, cancelled } = stream(frame(1));
    const events = subscribe(URL, {
      signal: controller.signal,
      fetch: () => {
        const responding = Promise.resolve(status === 204 ? new Response(null, { status }) : response);
        void responding.then(() => {}).then(() => controller.abort(reason));
        return responding;
      },
    });
    await expect(events.next()).rejects.toBe(reason);
    expect(cancelled).toHaveBeenCalledTimes(status === 200 ? 1 : 0);
  });

  it("leaving the loop closes the connection", async () => {
    const { response, cancelled } = stream(frame(1), frame(2));
    const answering = fetchFrom(() => response);
    for await (const event of subscribe(URL, { fetch: answering })) {
      expect(event).toEqual(eventOf(1));
      break;
    }
    expect(cancelled).toHaveBeenCalledOnce();
  });

  it("an event that cannot be parsed closes the connection", async () => {
    const { response, cancelled } = stream("data: hello\n\n");
    expect((await hear([response])).error).toMatchObject({ reason: "not_an_event" });
    expect(cancelled).toHaveBeenCalledOnce();
  });

  it("an abort in onReconnect ends the subscription at once", async () => {
    vi.useFakeTimers();
    const controller = new AbortController();
    const reason = new ConnectionError("ours, and not the line's", { retryable: true });
    const { error, requests } = await Promise.race([
      hear([whole("retry: 60000\n\n")], { signal: controller.signal, onReconnect: () => controller.abort(reason) }),
      vi.advanceTimersByTimeAsync(1_000).then(() => expect.fail("it waits")),
    ]);
    expect(error).toBe(reason);
    expect(requests).toHaveLength(1);
  });

  it("the signal's reason is thrown even if it is an error that would otherwise be retried", async () => {
    const controller = new AbortController();
    const reason = new ConnectionError("ours, and not the line's", { retryable: true });
    const { response } = stream();
    const answering = fetchFrom(() => response);
    const step = subscribe(URL, {
      fetch: answering,
      signal: controller.signal,
      onReconnect: () => expect.fail(),
    }).next();
    await vi.waitFor(() => expect(response.body?.locked).toBe(true), 10_000);
    controller.abort(reason);
    await expect(step).rejects.toBe(reason);
  });

  it("a subscription leaves no listener on a signal that is still in use", async () => {
    const { signal } = new AbortController();
    const added = vi.spyOn(signal, "addEventListener");
    const removed = vi.spyOn(signal, "removeEventListener");
    await hear([whole(fast, frame(1)), whole(frame(2))], { signal });
    expect(added).toHaveBeenCalledTimes(1);
    expect(removed.mock.calls[0]?.slice(0, 2)).toEqual(added.mock.calls[0]?.slice(0, 2));
  });

  it("return() during a step closes the connection, and no step follows", async () => {
    const { response, cancelled } = stream();
    const events = subscribe(URL, { fetch: fetchFrom(() => response) });
    const step = events.next();
    await vi.waitFor(() => expect(response.body?.locked).toBe(true), 10_000);
    await events.return();
    expect(await step).toEqual({ done: true, value: undefined });
    expect(await events.next()).toEqual({ done: true, value: undefined });
    expect(cancelled).toHaveBeenCalledOnce();
  });

  it("an abort throws the signal's reason at once: before, between, during and after connections", async () => {
    vi.useFakeTimers();
    const reason = { why: "the user left" };
    const started = new AbortController();
    started.abort(reason);
    const answering = fetchFrom(() => whole(frame(1)));
    await expect(subscribe(URL, { fetch: answering, signal: started.signal }).next()).rejects.toBe(reason);
    expect(answering.requests).toHaveLength(0);

    const during = new AbortController();
    const { response, cancelled } = stream();
    const step = subscribe(URL, { fetch: fetchFrom(() => response), signal: during.signal }).next();
    await vi.advanceTimersByTimeAsync(0);
    during.abort(reason);
    await expect(step).rejects.toBe(reason);
    expect(cancelled).toHaveBeenCalled();

    const between = new AbortController();
    // Both events have arrived in one piece.
    const events = subscribe(URL, { fetch: fetchFrom(() => whole(frame(1) + frame(2))), signal: between.signal });
    await events.next();
    between.abort(reason);
    await expect(events.next()).rejects.toBe(reason);
    expect(events.lastEventId).toBe("id-1");

    const waiting = new AbortController();
    const pending = subscribe(URL, {
      fetch: fetchFrom(() => whole("retry: 60000\n\n")),
      signal: waiting.signal,
    }).next();
    await vi.advanceTimersByTimeAsync(1000);
    waiting.abort(reason);
    await expect(pending).rejects.toBe(reason);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("the request of a subscription", () => {
  it("the request has the headers of the options, and a headers function is called for each connection", async () => {
    let token = 0;
    const { requests } = await hear([whole(fast)], { headers: async () => ({ authorization: `Bearer ${++token}` }) });
    expect(requests.map((request) => request.headers.get("authorization"))).toEqual(["Bearer 1", "Bearer 2"]);
    expect(requests[0]?.headers.get("accept")).toBe("text/event-stream");
    const failure = new Error("no session");
    expect((await hear([], { headers: () => Promise.reject(failure) })).error).toBe(failure);
  });

  it("the global fetch is read at each connection", async () => {
    const events = subscribe(URL);
    const answering = fetchFrom(() => new Response(null, { status: 204 }));
    vi.stubGlobal("fetch", answering);
    expect(await events.next()).toEqual({ done: true, value: undefined });
    vi.unstubAllGlobals();
    expect(answering.requests).toHaveLength(1);
  });

  it("no request is sent before the first event is requested", () => {
    const answering = fetchFrom(() => expect.fail());
    subscribe(URL, { fetch: answering });
    expect(answering.requests).toHaveLength(0);
  });

  it.each(["/events", "nonsense", "ftp://example.com/", "shttp://example.com/", ""])(
    "an invalid URL causes a ConfigurationError: %s",
    (url) => {
      expect(() => subscribe(url)).toThrow(new ConfigurationError("subscribe: url: expected an absolute http(s) URL"));
    },
  );

  it.each(["https://user:pw@example.com/", "https://user@example.com/", "https://:pw@example.com/"])(
    "a URL with credentials causes a ConfigurationError that says where to pass them: %s",
    (url) => {
      expect(() => subscribe(url)).toThrow(
        new ConfigurationError("subscribe: url: expected a URL without credentials; send them as headers"),
      );
    },
  );
});

it.each([
  ["a line break", { authorization: "Bearer s3cret\r\nx" }],
  ["a character beyond Latin-1", { authorization: "Bearer s3cret 😀" }],
  ["an invalid name", { "bad name": "s3cret" }],
  ["a number", 5],
  ["a function that returns a number", () => 5],
])("headers with %s end the loop with a ConfigurationError that does not show the headers", async (_, headers) => {
  const { error, requests } = await hear([], { headers: headers as never });
  expect(error).toBeInstanceOf(ConfigurationError);
  expect(inspect(error, { showHidden: true })).toContain("subscribe: headers: expected valid HTTP headers");
  expect(inspect(error, { showHidden: true })).not.toContain("s3cret");
  expect(requests).toHaveLength(0);
});

describe("subscribe with a relay", () => {
  it("a subscriber of the relay receives only its own events, even after a restart of the server", async () => {
    const authorize = () => "team_a";
    let relay = createRelay({ authorize, retryMs: 1 });
    const events = subscribe(URL, { fetch: fetchFrom((request) => relay.handle(request)) });
    const first = events.next();
    await vi.waitFor(() => expect(events.lastEventId).toBeDefined(), 10_000);
    await relay.publish(eventOf(1), { audience: "team_b" });
    await relay.publish(eventOf(2), { audience: "team_a" });
    expect(await first).toEqual({ done: false, value: eventOf(2) });

    const next = events.next();
    relay.close();
    relay = createRelay({ authorize, retryMs: 1 });
    expect(await next).toMatchObject({ value: { kind: "resync" } });
    const last = events.next();
    await relay.publish(eventOf(3));
    expect(await last).toMatchObject({ value: eventOf(3) });
    await events.return();
  });
});
