/** The events of a subscription, its reconnections and its end. */
import { getEventListeners } from "node:events";
import { describe, expect, it, vi } from "vitest";
import { ApiError, ForbiddenError, NotFoundError, UnauthorizedError } from "../../../src/errors/api-error.js";
import { ConnectionError } from "../../../src/errors/call-errors.js";
import { WebhookVerificationError } from "../../../src/errors/webhook-verification-error.js";
import { createRelay } from "../../../src/webhooks/relay/relay.js";
import { subscribe } from "../../../src/webhooks/subscribe/subscribe.js";
import type { SubscribeOptions, SubscriptionState } from "../../../src/webhooks/subscribe/subscribe-options.js";
import { held } from "../../support/held.js";
import { eventOf, fetchFrom } from "../events.js";
import { meetingBody } from "../signed-delivery.js";
import { away, busy, FAST, frame, hear, noMore, STREAM, stream, URL, whole } from "./hear.js";

describe("the events of a subscription", () => {
  it("an event may be a body of the service, with the kind that the stream names", async () => {
    const body = meetingBody();
    const { heard } = await hear([whole(`data: ${body}\n\nevent: meeting.deleted\ndata: {"meeting_id":"mtg_2"}\n\n`)]);
    expect(heard).toEqual([
      { kind: "meeting.transcript_ready", meetingId: "mtg_1", payload: JSON.parse(body) },
      { kind: "meeting.deleted", meetingId: "mtg_2", payload: { meeting_id: "mtg_2" } },
    ]);
  });

  it("data that is not an event causes an error after the events before it, and can be skipped", async () => {
    for (const data of ["hello", "[]"]) {
      const { response, cancelled } = stream(`${frame(1)}id: id-2\ndata: ${data}\n\n${frame(3)}`);
      const { heard, error, events } = await hear([response]);
      expect(heard).toEqual([eventOf(1)]);
      expect(error).toBeInstanceOf(WebhookVerificationError);
      expect(error).toMatchObject({ reason: "not_an_event" });
      expect(events.lastEventId).toBe("id-2");
      expect(cancelled).toHaveBeenCalledOnce();
    }
  });

  it("an event over 2 MiB of UTF-8 causes an error, wherever the stream is cut", async () => {
    /** A stream with an event of this size, between two others. */
    const sized = (size: number) => {
      const [start, end] = ['{"kind":"x",\n"payload":{"text":"', '"}}'];
      const text = "ü🙂".repeat(100_000);
      const filler = "x".repeat(size - Buffer.byteLength(start + text + end));
      const data = `${start}${text}${filler}${end}`.replace("\n", "\ndata: ");
      return Buffer.from(`${frame(1)}id: big\ndata: ${data}\n\n${frame(2)}`);
    };
    for (const cut of [0, 40, 1_000_001, -210]) {
      const cutting = (bytes: Buffer) => whole(bytes.subarray(0, cut), bytes.subarray(cut));
      expect((await hear([cutting(sized(2_097_152))])).heard).toHaveLength(3);
      const refused = await hear([cutting(sized(2_097_153))]);
      expect(refused.heard).toEqual([eventOf(1)]);
      expect(refused.error).toMatchObject({ name: "WebhookVerificationError", reason: "too_large" });
      expect(refused.requests).toHaveLength(1);
      expect(refused.events.lastEventId).toBe("big");
    }
  });
});

describe("the position of a subscription", () => {
  it("a lost connection is opened again, and resumes after the last event", async () => {
    const broken = () => {
      const { response, fail } = stream(FAST, frame(1), frame(2).slice(0, -1));
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

  it.each<[what: string, streams: string[], asked: (string | null)[], lastEventId?: string]>([
    ["the lastEventId of the options", [], ["id-41"], "id-41"],
    ["an event without an id", [`data: ${JSON.stringify(eventOf(1))}\n\n`], ["id-41", "id-41"], "id-41"],
    ["an event without an id, at the beginning", [`data: ${JSON.stringify(eventOf(1))}\n\n`], [null, null]],
    ["a position without an event", ["id: id-7\n: at id-7\n\n", "id: 9\n\n"], [null, "id-7", "9"]],
    ["a position after an event", [`${frame(1)}id:8\n\n`], [null, "8"]],
    ["an empty id", [`${frame(1)}id\n\n`], [null, null]],
    [
      "an id that no header can contain",
      ["a\u0001b", "a\u007fb", " a", "a ", "é", "x".repeat(8_001)].map((id) => `id: ${id}\ndata: {}\n\n`),
      Array(7).fill(null),
    ],
    ["the longest id", [`id: ${"x y~".repeat(2_000)}\n\n`], [null, "x y~".repeat(2_000)]],
  ])("a connection resumes after the position: %s", async (_, streams, asked, lastEventId) => {
    const result = await hear(
      streams.map((text) => whole(FAST, text)),
      { lastEventId },
    );
    expect(result.error).toBeUndefined();
    expect(result.asked).toEqual(asked);
  });
});

describe("the pauses of a subscription", () => {
  it.each<[what: string, answers: Parameters<typeof hear>[0], delays: number[]]>([
    [
      "the server's retry time, doubled for each failure, up to half a minute",
      [whole("retry: 5000\n\n"), busy(500), busy(), busy(408), busy(429), whole(frame(1))],
      [5_000, 10_000, 20_000, 30_000, 30_000, 5_000],
    ],
    [
      "longer after a connection without any data, and data ends the row of failures",
      [busy(), whole(), whole(": data\n\n"), busy(), whole()],
      [1_000, 2_000, 1_000, 2_000, 4_000],
    ],
    ["250 ms at least", [whole("retry: 0\n\n")], [250]],
    ["as long as the server asks for", [whole("retry: 60000\n\n"), busy()], [60_000, 60_000]],
    ["an hour at most", [whole(`retry: ${"9".repeat(400)}\n\n`), whole("retry: 86400000\n\n")], [3_600_000, 3_600_000]],
  ])("the pause is %s", async (_, answers, expected) => {
    vi.spyOn(Math, "random").mockReturnValue(0);
    const { error, delays } = await hear(answers);
    expect(error).toBeUndefined();
    expect(delays).toEqual(expected);
  });

  it("the pause has a random part of up to a half", async () => {
    vi.spyOn(Math, "random").mockReturnValue(1);
    expect((await hear([whole(), ...Array.from({ length: 6 }, () => busy())])).delays.at(-1)).toBe(45_000);
    vi.spyOn(Math, "random").mockReturnValue(0.5);
    expect((await hear([whole()])).delays).toEqual([1_250]);
  });
});

describe("the callbacks of a subscription", () => {
  it("an onReconnect or onState that rejects is logged, and does not end the subscription", async () => {
    const logged = vi.spyOn(console, "error").mockImplementation(() => {});
    const failure = new Error("callback");
    for (const option of ["onReconnect", "onState"]) {
      const { heard, error } = await hear([whole(FAST), whole(frame(1))], { [option]: () => Promise.reject(failure) });
      expect([heard, error]).toEqual([[eventOf(1)], undefined]);
      expect(logged.mock.lastCall).toEqual(["notetaker-sdk:", failure]);
      logged.mockClear();
    }
  });

  it("an onState that throws at the end does not replace the error", async () => {
    const logged = vi.spyOn(console, "error").mockImplementation(() => {});
    const onState = (state: SubscriptionState) => {
      if (state === "ended") throw new Error("callback");
    };
    expect((await hear([busy(401)], { onState })).error).toBeInstanceOf(UnauthorizedError);
    expect(logged).toHaveBeenCalledOnce();
  });
});

describe("a server that does not respond", () => {
  it("seven connections without a response end a subscription that never got one", async () => {
    const { error, requests } = await hear(Array(9).fill(away));
    expect(error).toMatchObject({ name: "ConnectionError", retryable: true });
    expect(requests).toHaveLength(7);
  });

  it.each([
    ["a stream", whole(FAST)],
    ["a 503", busy()],
  ])("a subscription that has got %s is never ended by connections without a response", async (_, first) => {
    const { heard, error } = await hear([away, first, ...Array(20).fill(away), whole(frame(1))]);
    expect([heard, error]).toEqual([[eventOf(1)], undefined]);
  });

  it("a connection that does not respond in time counts, too", async () => {
    const hanging = () => new Promise<never>(() => {});
    const { error, requests } = await hear(Array(7).fill(hanging), { staleAfterMs: 100 });
    expect(error).toBeInstanceOf(ConnectionError);
    expect(requests).toHaveLength(7);
  });
});

it("a page of another origin sends Last-Event-ID each time, so that a server that refuses it refuses at once", async () => {
  vi.stubGlobal("location", { origin: "https://pages.example.com", href: "https://pages.example.com/" });
  const { asked } = await hear([whole(FAST, frame(1)), whole("id: a\u0001b\n\n")]);
  expect(asked).toEqual(["", "id-1", ""]);
  vi.stubGlobal("location", { origin: "https://app.example.com", href: "https://app.example.com/" });
  expect((await hear([whole(FAST, frame(1))])).asked).toEqual([null, "id-1"]);
});

describe("the state of a subscription", () => {
  it("is connecting, open and waiting, whether events arrive or not", async () => {
    const states: SubscriptionState[] = [];
    const onState = (state: SubscriptionState) => void states.push(state);
    await hear([whole(FAST), busy(), whole(frame(1))], { onState });
    const connection = ["connecting", "open", "waiting"];
    expect(states).toEqual([...connection, "connecting", "waiting", ...connection, "connecting", "ended"]);
  });

  it("is ended once, with the error that the loop throws, if there is one", async () => {
    const ends: unknown[][] = [];
    const onState = (...state: [state: SubscriptionState, error?: unknown]) => {
      if (state[0] === "ended") ends.push(state);
    };
    const { error } = await hear([busy(401)], { onState });
    await hear([], { onState });
    const controller = new AbortController();
    const answering = fetchFrom(() => stream(frame(1), frame(2)).response);
    const aborted = subscribe(URL, { fetch: answering, signal: controller.signal, onState });
    await aborted.next();
    controller.abort("the user left");
    await expect(aborted.next()).rejects.toBe("the user left");
    for await (const _ of subscribe(URL, { fetch: answering, onState })) break;
    expect(error).toBeInstanceOf(UnauthorizedError);
    expect(ends.map(([, cause]) => cause)).toEqual([error, undefined, "the user left", undefined]);
  });

  it("is open before the first event", async () => {
    const open = held();
    const onState = (state: SubscriptionState) => void (state === "open" && open.release());
    const events = subscribe(URL, { fetch: fetchFrom(() => stream().response), onState });
    const step = events.next();
    await open.promise;
    await events.return();
    await step;
  });
});

describe("a subscription that hears nothing", () => {
  it("a connection without data for staleAfterMs is replaced, and resumes after the last event", async () => {
    vi.useFakeTimers();
    const silent = stream(FAST, frame(1));
    const listening = hear([silent.response, whole(frame(2))]);
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

  it("a connection does not become stale while the consumer handles an event", async () => {
    vi.useFakeTimers();
    const { response, send, end } = stream(frame(1), frame(2));
    const fetch = fetchFrom(() => response);
    const events = subscribe(URL, { fetch, staleAfterMs: 1000, onReconnect: () => expect.fail() });
    await events.next();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await events.next()).toMatchObject({ value: eventOf(2) });
    send(frame(3));
    expect(await events.next()).toMatchObject({ value: eventOf(3) });
    end();
    await events.return();
    expect(vi.getTimerCount()).toBe(0);
  });

  const hanging = () => new Promise<never>(() => {});
  it.each([
    ["headers()", { headers: hanging }],
    ["a fetch that ignores its signal", { fetch: hanging }],
    [
      "a body that ignores its cancellation",
      { fetch: async () => new Response(new ReadableStream({ cancel: hanging }), STREAM) },
    ],
  ])("an abort and return() end the subscription at once, and staleAfterMs the step, during %s", async (_, options) => {
    vi.useFakeTimers();
    const controller = new AbortController();
    const reason = new Error("the user left");
    const aborted = subscribe(URL, { ...options, signal: controller.signal }).next();
    const returned = subscribe(URL, options);
    const step = returned.next();
    await vi.advanceTimersByTimeAsync(20);
    controller.abort(reason);
    await expect(aborted).rejects.toBe(reason);
    expect(await returned.return()).toEqual({ done: true, value: undefined });
    expect(await step).toEqual({ done: true, value: undefined });

    const onReconnect = vi.fn();
    const stale = subscribe(URL, { ...options, staleAfterMs: 30, onReconnect });
    const pending = stale.next();
    await vi.advanceTimersByTimeAsync(30);
    expect(onReconnect.mock.calls[0]?.[0].error.message).toContain("received nothing for 30 ms");
    await stale.return();
    await pending;
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("the end of a subscription", () => {
  it("a 204 ends the subscription", async () => {
    const { error, requests } = await hear([noMore(), whole(frame(1))]);
    expect(error).toBeUndefined();
    expect(requests).toHaveLength(1);
  });

  it.each([
    [401, UnauthorizedError],
    [403, ForbiddenError],
    [404, NotFoundError],
    [409, ApiError],
    // The headers may contain a token, so they are not sent anywhere else.
    [302, ApiError],
  ])("status %i causes the error class of the status, and its body is not read", async (status, errorClass) => {
    const cancelled = vi.fn();
    const refused = new Response(new ReadableStream({ cancel: cancelled }), {
      status,
      headers: { location: "/login" },
    });
    const { error, requests } = await hear([refused, whole(frame(1))]);
    expect(error).toBeInstanceOf(errorClass);
    const request = { method: "GET", url: "https://app.example.com/events" };
    expect(error).toMatchObject({ status, code: undefined, request });
    expect(`${error}${JSON.stringify(error)}`).not.toContain("topsecret");
    expect(requests.map(({ redirect }) => redirect)).toEqual(["manual"]);
    expect(cancelled).toHaveBeenCalledOnce();
  });

  it.each<[contentType: string | undefined, isStream: boolean, status?: number]>([
    ["Text/Event-Stream; charset=utf-8", true],
    ["text/event-stream ; charset=windows-1252", true],
    [undefined, false],
    ["text/event-stream+json", false],
    ["text/event-streams", false],
    ["application/json; text/event-stream", false],
    ["text/event-stream", false, 202],
  ])("the content type %s is a stream of events: %s", async (contentType, isStream, status = 200) => {
    const headers = contentType === undefined ? [] : [["content-type", contentType] as [string, string]];
    const { heard, error } = await hear([new Response(new TextEncoder().encode(frame(1)), { status, headers })]);
    expect(heard).toHaveLength(isStream ? 1 : 0);
    expect(error).toEqual(isStream ? undefined : expect.objectContaining({ reason: "not_an_event" }));
  });

  it.each(["return", "asyncDispose"])(
    "leaving the loop closes the connection, and so does %s during a step",
    async (how) => {
      const left = stream(frame(1), frame(2));
      for await (const event of subscribe(URL, { fetch: fetchFrom(() => left.response) })) {
        expect(event).toEqual(eventOf(1));
        break;
      }
      expect(left.cancelled).toHaveBeenCalledOnce();

      const { response, cancelled } = stream();
      const events = subscribe(URL, { fetch: fetchFrom(() => response) });
      const step = events.next();
      await vi.waitFor(() => expect(response.body?.locked).toBe(true), 60_000);
      // The symbol of the runtime, which TypeScript's `lib` may not know.
      const { asyncDispose } = Symbol as unknown as { asyncDispose: "return" };
      await events[how === "return" ? "return" : asyncDispose]();
      expect(await step).toEqual({ done: true, value: undefined });
      expect(await events.next()).toEqual({ done: true, value: undefined });
      expect(cancelled).toHaveBeenCalledOnce();
    },
  );

  it("works behind a proxy, with which frameworks observe objects, and its methods need no this", async () => {
    const end = { done: true, value: undefined };
    const observed = new Proxy(subscribe(URL, { fetch: async () => noMore() }), {});
    const { next, return: close } = observed;
    expect([await observed.next(), await next(), await close()]).toEqual([end, end, end]);
    expect(observed[Symbol.asyncIterator]()).toBe(observed);
  });

  it("an abort throws the signal's reason at once: before, between, during and after connections", async () => {
    vi.useFakeTimers();
    // An error that would be retried if it came from the connection.
    const reason = new ConnectionError({ message: "ours, and not the line's", retryable: true });
    const open = (response: Response, options: SubscribeOptions = {}) => {
      const controller = new AbortController();
      const answering = fetchFrom(() => response);
      const events = subscribe(URL, { fetch: answering, signal: controller.signal, ...options });
      return { events, abort: () => controller.abort(reason), requests: answering.requests };
    };
    const before = open(whole(frame(1)));
    before.abort();
    await expect(before.events.next()).rejects.toBe(reason);
    expect(before.requests).toHaveLength(0);

    const silent = stream();
    const during = open(silent.response, { onReconnect: () => expect.fail() });
    const step = during.events.next();
    await vi.advanceTimersByTimeAsync(0);
    during.abort();
    await expect(step).rejects.toBe(reason);
    expect(silent.cancelled).toHaveBeenCalled();

    // Both events have arrived in one piece.
    const both = stream(frame(1) + frame(2));
    const between = open(both.response);
    await between.events.next();
    between.abort();
    expect(both.cancelled).toHaveBeenCalled();
    await expect(between.events.next()).rejects.toBe(reason);
    expect(between.events.lastEventId).toBe("id-1");

    for (const abortsInCallback of [true, false]) {
      const waiting = open(whole("retry: 60000\n\n"), { onReconnect: () => abortsInCallback && waiting.abort() });
      const pending = waiting.events.next();
      pending.catch(() => {});
      await vi.advanceTimersByTimeAsync(1000);
      waiting.abort();
      await expect(pending).rejects.toBe(reason);
    }
    expect(vi.getTimerCount()).toBe(0);
  });

  it.each(["a 204", "the response", "the first bytes"])(
    "an abort right after %s throws the signal's reason",
    async (what) => {
      const controller = new AbortController();
      const reason = new Error("the user left");
      const abortAfter = <T>(value: T): Promise<T> => {
        const settled = Promise.resolve(value);
        void settled.then(() => {}).then(() => controller.abort(reason));
        return settled;
      };
      const { response, cancelled } = stream(frame(1));
      const pull = (stream: ReadableStreamDefaultController) => {
        stream.enqueue(new TextEncoder().encode(frame(1)));
        controller.abort(reason);
      };
      const first = new Response(new ReadableStream({ pull, cancel: cancelled }, { highWaterMark: 0 }), STREAM);
      const fetches = {
        "a 204": () => abortAfter(noMore()),
        "the response": () => abortAfter(response),
        "the first bytes": async () => first,
      };
      const events = subscribe(URL, { signal: controller.signal, fetch: fetches[what as keyof typeof fetches] });
      await expect(events.next()).rejects.toBe(reason);
      expect(events.lastEventId).toBeUndefined();
      expect(cancelled.mock.calls.length > 0).toBe(what !== "a 204");
    },
  );

  it("many subscriptions add one listener to a signal, and leave none", async () => {
    const { signal } = new AbortController();
    const subscriptions = Array.from({ length: 15 }, () =>
      subscribe(URL, { signal, fetch: () => new Promise(() => {}) }),
    );
    const steps = subscriptions.map((events) => events.next());
    expect(getEventListeners(signal, "abort")).toHaveLength(1);
    for (const events of subscriptions) await events.return();
    await Promise.all(steps);
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });
});

it("a subscriber of a relay receives only its own events, even after a restart of the server", async () => {
  const authorize = () => "team_a";
  let relay = createRelay({ authorize, retryMs: 1 });
  const events = subscribe(URL, { fetch: fetchFrom((request) => relay.handle(request)) });
  const first = events.next();
  await vi.waitFor(() => expect(events.lastEventId).toBeDefined(), 60_000);
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
