import { afterEach, describe, expect, it, vi } from "vitest";
import { ConfigurationError, InvalidArgumentError } from "../../../src/errors/argument-errors.js";
import { TimeoutError } from "../../../src/errors/call-errors.js";
import { WebhookVerificationError } from "../../../src/errors/webhook-verification-error.js";
import type { WebhookEvent } from "../../../src/webhooks/event/event.js";
import { memoryDedupe } from "../../../src/webhooks/receive/dedupe.js";
import { createReceiver } from "../../../src/webhooks/receive/receiver.js";
import type { ReceiverErrorContext, ReceiverOptions } from "../../../src/webhooks/receive/receiver-options.js";
import { delivery, meetingBody, nodeSign, SECRET } from "../signed-delivery.js";

afterEach(() => {
  vi.useRealTimers();
});

/** A receiver that records its events and errors. */
function recording(options: Partial<ReceiverOptions> = {}) {
  const errors: { error: unknown; context: ReceiverErrorContext }[] = [];
  const receiver = createReceiver({
    secrets: SECRET,
    onError: (error, context) => errors.push({ error, context: { ...context } }),
    ...options,
  });
  return { receiver, errors };
}

const statusOf = async (answer: Promise<Response>) => (await answer).status;
const codeOf = async (answer: Promise<Response>) =>
  ((await (await answer).json()) as { error: { code: string } }).error.code;

/** A promise that the test settles. */
function held() {
  let release = () => {};
  let fail = (_: Error) => {};
  const promise = new Promise<void>((resolve, reject) => {
    release = resolve;
    fail = reject;
  });
  return { promise, release, fail };
}

describe("an event that a receiver gets", () => {
  it("an event is passed only to the handler of its kind", async () => {
    const { receiver } = recording();
    const seen: string[] = [];
    receiver.on("meeting.transcript_ready", ({ kind, meetingId }) => void seen.push(`${kind} ${meetingId}`));
    receiver.on("meeting.initial_summary_ready", ({ kind }) => void seen.push(kind));
    receiver.on("room.created", ({ kind, payload }) => void seen.push(`${kind} ${payload.id}`));
    receiver.onUnhandled(({ kind, meetingId }) => void seen.push(`other ${kind} ${meetingId}`));

    for (const body of [
      meetingBody(),
      meetingBody({ event: "meeting.initial_summary_ready" }),
      meetingBody({ event: "room.created", id: "room_1" }),
      meetingBody({ event: "meeting.deleted" }),
      meetingBody({ event: undefined, id: undefined }),
    ]) {
      expect(await statusOf(receiver.handle(delivery(body)))).toBe(200);
    }
    expect(seen).toEqual([
      "meeting.transcript_ready mtg_1",
      "meeting.initial_summary_ready",
      "room.created room_1",
      "other meeting.deleted mtg_1",
      "other unknown undefined",
    ]);
  });

  it("an event without a handler is answered with 200, and the console names each such kind once", async () => {
    const warned = vi.spyOn(console, "warn").mockImplementation(() => {});
    const { receiver } = recording();
    receiver.on("meeting.initial_summary_ready", () => {});
    const kinds = ["meeting.transcript_ready", "room.created", "line\nbreak", "meeting.initial_summary_ready"];
    for (const id of ["mtg_1", "mtg_2"]) {
      for (const event of kinds) {
        expect(await statusOf(receiver.handle(delivery(meetingBody({ event, id }))))).toBe(200);
      }
    }
    const named = (kind: string) =>
      `notetaker-sdk: no handler for events of the kind ${JSON.stringify(kind)}; they get 200 and are dropped`;
    expect(warned.mock.calls.flat()).toEqual(kinds.slice(0, 3).map(named));
    // A sender with the secret could invent ever new kinds.
    for (let i = 0; i < 200; i += 1) await receiver.handle(delivery(meetingBody({ event: `kind ${i}` })));
    expect(warned).toHaveBeenCalledTimes(100);
    warned.mockRestore();
  });

  it("a misspelt kind is refused by on and handlers, with the kind that was meant, and other kinds are accepted", () => {
    const { receiver } = recording();
    for (const [kind, meant] of [
      ["meeting.transcript_redy", "meeting.transcript_ready"],
      ["meeting.transcript-ready", "meeting.transcript_ready"],
      ["Meeting.Transcript.Ready", "meeting.transcript_ready"],
      ["meetings.initial_sumary_ready", "meeting.initial_summary_ready"],
    ] as const) {
      const options = { secrets: SECRET, handlers: { [kind]: () => {} } };
      for (const register of [() => receiver.on(kind, () => {}), () => createReceiver(options)]) {
        expect(register).toThrow(InvalidArgumentError);
        expect(register).toThrow(`kind: unknown kind "${kind}"; did you mean ${meant}?`);
      }
    }
    for (const kind of ["", undefined, 5])
      expect(() => receiver.on(kind as never, () => {})).toThrow(InvalidArgumentError);
    for (const kind of ["meeting.transcript_deleted", "meeting.recording_ready", "meeting.ready", "room.created"]) {
      receiver.on(kind, () => {});
    }
  });

  it("an event without a kind in its body has the kind of the options", async () => {
    const { receiver } = recording({ kind: "meeting.transcript_ready" });
    const handler = vi.fn();
    receiver.on("meeting.transcript_ready", handler);
    await receiver.handle(delivery(meetingBody({ event: undefined })));
    expect(handler.mock.calls[0]?.[0]).toMatchObject({ kind: "meeting.transcript_ready", meetingId: "mtg_1" });
  });

  it("an event of a known kind without a meeting id is passed to onUnhandled, and answered with 503 if there is no onUnhandled", async () => {
    const { receiver, errors } = recording();
    const handler = vi.fn();
    receiver.on("meeting.transcript_ready", handler);
    const body = meetingBody({ id: undefined });
    expect(await statusOf(receiver.handle(delivery(body)))).toBe(503);
    expect(errors[0]?.error).toEqual(
      new ConfigurationError("meeting.transcript_ready: the event has no meeting id; handle it with onUnhandled()"),
    );

    const others: WebhookEvent[] = [];
    receiver.onUnhandled((event) => void others.push(event));
    expect(await statusOf(receiver.handle(delivery(body)))).toBe(200);
    expect(others).toMatchObject([{ kind: "meeting.transcript_ready", payload: JSON.parse(body) }]);
    expect(handler).not.toHaveBeenCalled();
  });

  it("the fields and the header of an event can be set by options", async () => {
    const { receiver } = recording({
      signatureHeader: "x-signature",
      assumptions: { kind: "type", meetingId: "meeting" },
    });
    const handler = vi.fn();
    receiver.on("meeting.transcript_ready", handler);
    const body = JSON.stringify({ type: "meeting.transcript_ready", meeting: "mtg_7" });
    expect(await statusOf(receiver.handle(delivery(body, { headers: { "x-signature": nodeSign(body) } })))).toBe(200);
    expect(handler.mock.calls[0]?.[0]).toMatchObject({ meetingId: "mtg_7" });
  });
});

describe("the response of a receiver", () => {
  const withoutBody = (headers: Record<string, string>) =>
    new Request("https://example.com/", { method: "POST", headers });
  it.each<[what: string, request: () => Request, status: number, body: unknown]>([
    ["an event", delivery, 200, { status: "handled" }],
    ["an event without a handler", () => delivery(meetingBody({ event: "a" })), 200, { status: "ignored" }],
    [
      "a method other than POST",
      () => new Request("https://example.com/"),
      405,
      { error: { code: "method_not_allowed", message: "method_not_allowed" } },
    ],
    [
      "a body over the limit",
      () => delivery("x".repeat(1_001)),
      413,
      { error: { code: "too_large", message: "too_large" } },
    ],
    [
      "no body",
      () => withoutBody({ "x-webhook-signature": nodeSign("") }),
      400,
      { error: { code: "not_an_event", message: "expected a JSON object as the body" } },
    ],
    [
      "no signature",
      () => withoutBody({}),
      401,
      { error: { code: "missing_signature", message: "the delivery has no x-webhook-signature header" } },
    ],
  ])("the response is JSON with the result of the delivery: %s", async (_, request, status, body) => {
    const { receiver } = recording({ maxBodyBytes: 1_000 });
    receiver.on("meeting.transcript_ready", () => {});
    const response = await receiver.handle(request());
    expect([response.status, response.headers.get("content-type")]).toEqual([status, "application/json"]);
    expect(await response.json()).toEqual(body);
  });
});

describe("a delivery that is invalid", () => {
  const answered = (request: Request) => {
    const { receiver, errors } = recording({ maxBodyBytes: 1000 });
    const handler = vi.fn();
    receiver.onUnhandled(handler);
    return receiver.handle(request).then(async (response) => {
      expect(handler).not.toHaveBeenCalled();
      expect(errors).toEqual([]);
      return [response.status, (await response.json()).error.code];
    });
  };

  it("a missing, malformed or wrong signature is answered with 401", async () => {
    expect(await answered(delivery(undefined, { signature: "" }))).toEqual([401, "missing_signature"]);
    expect(await answered(delivery(undefined, { signature: "sha256=1" }))).toEqual([401, "malformed_signature"]);
    expect(await answered(delivery(undefined, { signature: nodeSign("else") }))).toEqual([401, "wrong_signature"]);
    expect(await answered(delivery(undefined, { signature: nodeSign(meetingBody(), "else") }))).toEqual([
      401,
      "wrong_signature",
    ]);
  });

  it("a body that is not an event is answered with 400", async () => {
    for (const body of ["", "hello", "[]", "null"])
      expect(await answered(delivery(body))).toEqual([400, "not_an_event"]);
  });

  it.each([
    ["Node's own request, whose headers are a plain object", { method: "POST", headers: { host: "a" } }],
    ["the event of AWS Lambda", { httpMethod: "POST", headers: {}, body: "{}" }],
    ["undefined", undefined],
    ["null", null],
  ])(
    "%s is answered with 503, so that it is delivered again, and the error mentions toNodeListener",
    async (_, request) => {
      const { receiver, errors } = recording();
      expect(await statusOf(receiver.handle(request as never))).toBe(503);
      const told = new ConfigurationError("receiver.handle: expected a Request; Node: toNodeListener(receiver.handle)");
      expect(errors).toEqual([{ error: told, context: { status: 503 } }]);
    },
  );

  it("any method except POST is answered with 405 and the allowed method", async () => {
    for (const method of ["GET", "PUT", "DELETE", "HEAD", "OPTIONS"]) {
      const { receiver } = recording();
      const response = await receiver.handle(new Request("https://example.com/", { method }));
      expect(response.status).toBe(405);
      expect(response.headers.get("allow")).toBe("POST");
    }
  });

  it("a body over maxBodyBytes is answered with 413, and the rest of the body is not read", async () => {
    let sent = 0;
    const cancelled = vi.fn();
    const body = new ReadableStream({
      pull(controller) {
        sent += 100;
        controller.enqueue(new Uint8Array(100));
      },
      cancel: cancelled,
    });
    expect(await answered(delivery("x", { body, duplex: "half" } as RequestInit))).toEqual([413, "too_large"]);
    expect(sent).toBeLessThan(1500);
    expect(cancelled).toHaveBeenCalledOnce();
  });

  it("a body of exactly maxBodyBytes is accepted", async () => {
    const body = meetingBody({ filler: "" });
    const whole = meetingBody({ filler: "x".repeat(1000 - Buffer.byteLength(body)) });
    const { receiver } = recording({ maxBodyBytes: 1000 });
    expect(await statusOf(receiver.handle(delivery(whole)))).toBe(200);
    expect(await statusOf(receiver.handle(delivery(`${whole} `)))).toBe(413);
  });

  it("a body that breaks off is answered with 400", async () => {
    const body = new ReadableStream({
      pull(controller) {
        controller.error(new TypeError("terminated"));
      },
    });
    expect(await answered(delivery("x", { body, duplex: "half" } as RequestInit))).toEqual([400, "broken_off"]);
  });
});

describe("a receiver that is configured wrongly", () => {
  it.each([
    ["no secret", undefined],
    ["an empty secret", ""],
    ["an empty list of secrets", []],
    ["a function that returns none", () => undefined],
    [
      "a function that throws",
      () => {
        throw new Error("vault is sealed");
      },
    ],
  ])("a receiver without a secret responds with 503 and calls onError: %s", async (_, secrets) => {
    const { receiver, errors } = recording({ secrets });
    receiver.onUnhandled(() => expect.fail("handled"));
    expect(await statusOf(receiver.handle(delivery(undefined, { signature: nodeSign(meetingBody(), "") })))).toBe(503);
    expect(errors.map(({ context }) => context)).toEqual([{ status: 503 }]);
  });

  it("a body that was read before is answered with 503, and the message says how to get the raw body", async () => {
    const { receiver, errors } = recording();
    const request = delivery();
    await request.json();
    const response = await receiver.handle(request);
    expect(response.status).toBe(503);
    expect(((await response.json()) as { error: { message: string } }).error.message).toMatch(
      /^expected the raw body, string or bytes, received one that was read before\. Express: express\.raw/,
    );
    expect(errors[0]?.error).toMatchObject({ name: "WebhookVerificationError", reason: "parsed_body" });
  });

  it("a body that is locked by another reader is answered with 503", async () => {
    const { receiver, errors } = recording();
    const request = delivery();
    request.body?.getReader();
    expect(await statusOf(receiver.handle(request))).toBe(503);
    expect(errors[0]?.error).toMatchObject({ reason: "parsed_body" });
  });

  it("an error of the secrets function after the deadline is reported, too", async () => {
    vi.useFakeTimers();
    const failure = new Error("vault is sealed");
    const vault = held();
    const { receiver, errors } = recording({ secrets: () => vault.promise.then(() => SECRET), deadlineMs: 50 });
    const answer = receiver.handle(delivery());
    await vi.advanceTimersByTimeAsync(50);
    expect(await codeOf(answer)).toBe("deadline_exceeded");
    vault.fail(failure);
    await vi.advanceTimersByTimeAsync(0);
    expect(errors).toEqual([
      { error: new TimeoutError("not handled within 50 ms (deadlineMs)", { timeoutMs: 50 }), context: { status: 503 } },
      { error: failure, context: { status: 503 } },
    ]);
    expect(errors[0]?.error).toMatchObject({ timeoutMs: 50 });
  });

  it("the secrets function is called for each delivery", async () => {
    let current: string[] = ["other"];
    const { receiver } = recording({ secrets: async () => current });
    expect(await statusOf(receiver.handle(delivery()))).toBe(401);
    current = ["other", SECRET];
    expect(await statusOf(receiver.handle(delivery()))).toBe(200);
  });

  it("invalid handlers cause an error where they are passed", () => {
    const { receiver } = recording();
    receiver.on("meeting.transcript_ready", () => {});
    expect(() => receiver.on("meeting.transcript_ready", () => {})).toThrow(ConfigurationError);
    receiver.onUnhandled(() => {});
    expect(() => receiver.onUnhandled(() => {})).toThrow(ConfigurationError);
    expect(() => receiver.on("x", undefined as never)).toThrow("x: expected a function");
    expect(() => recording().receiver.onUnhandled(5 as never)).toThrow("onUnhandled: expected a function as handler");
  });

  it("a receiver starts no timer before a delivery, and leaves none after it", async () => {
    vi.useFakeTimers();
    const { receiver } = recording();
    expect(vi.getTimerCount()).toBe(0);
    await receiver.handle(delivery());
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("a delivery that comes again", () => {
  it("a delivery that was handled is answered with 200, and is not handled again", async () => {
    const { receiver } = recording();
    const handler = vi.fn();
    receiver.onUnhandled(handler);
    expect(await statusOf(receiver.handle(delivery()))).toBe(200);
    expect(await statusOf(receiver.handle(delivery()))).toBe(200);
    expect(handler).toHaveBeenCalledOnce();
  });

  it("a delivery with another body or another kind is handled separately", async () => {
    const dedupe = memoryDedupe();
    const handler = vi.fn();
    for (const kind of ["a", "b"]) {
      const { receiver } = recording({ dedupe, kind });
      receiver.onUnhandled(handler);
      for (const id of ["mtg_1", "mtg_2"]) await receiver.handle(delivery(meetingBody({ event: undefined, id })));
    }
    expect(handler).toHaveBeenCalledTimes(4);
  });

  it("a delivery that is being handled is answered with 503, and later with 200", async () => {
    const { receiver, errors } = recording();
    const work = held();
    const handler = vi.fn(() => work.promise);
    receiver.onUnhandled(handler);
    const first = receiver.handle(delivery());
    await vi.waitFor(() => expect(handler).toHaveBeenCalled(), 10_000);
    const second = receiver.handle(delivery());
    expect(await codeOf(second)).toBe("in_progress");
    expect(await statusOf(second)).toBe(503);
    work.release();
    expect(await statusOf(first)).toBe(200);
    expect(await statusOf(receiver.handle(delivery()))).toBe(200);
    expect(handler).toHaveBeenCalledOnce();
    expect(errors).toEqual([]);
  });

  it("a delivery whose handler failed is handled again", async () => {
    const { receiver, errors } = recording();
    const failure = new Error("database is away");
    const handler = vi
      .fn()
      .mockRejectedValueOnce(failure)
      .mockImplementationOnce(() => {
        throw failure;
      });
    receiver.onUnhandled(handler);
    expect(await statusOf(receiver.handle(delivery()))).toBe(503);
    expect(await statusOf(receiver.handle(delivery()))).toBe(503);
    expect(await statusOf(receiver.handle(delivery()))).toBe(200);
    expect(await statusOf(receiver.handle(delivery()))).toBe(200);
    expect(handler).toHaveBeenCalledTimes(3);
    expect(errors.map(({ error, context }) => [error, context.status, context.event?.meetingId])).toEqual([
      [failure, 503, "mtg_1"],
      [failure, 503, "mtg_1"],
    ]);
  });

  it("the error of a handler is not shown in the response", async () => {
    const { receiver } = recording();
    receiver.onUnhandled(() => {
      throw new WebhookVerificationError("wrong_signature", "postgres://user:password@db");
    });
    const response = await receiver.handle(delivery());
    expect(response.status).toBe(503);
    expect(await response.text()).not.toContain("password");
  });
});

describe("a handler that exceeds the deadline", () => {
  it("the response is 503 at the deadline, the signal aborts, and the claim is kept until the handler settles", async () => {
    vi.useFakeTimers();
    const { receiver, errors } = recording();
    const work = held();
    const begun = held();
    const signals: AbortSignal[] = [];
    receiver.onUnhandled((_, { signal }) => {
      signals.push(signal);
      begun.release();
      return work.promise;
    });
    const first = receiver.handle(delivery());
    await begun.promise;
    await vi.advanceTimersByTimeAsync(7_999);
    expect(signals[0]?.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await codeOf(first)).toBe("deadline_exceeded");
    expect(await statusOf(first)).toBe(503);
    expect(signals[0]?.reason).toBeInstanceOf(TimeoutError);
    expect(errors.map(({ error, context }) => [error, context.event?.meetingId])).toEqual([
      [signals[0]?.reason, "mtg_1"],
    ]);

    expect(await codeOf(receiver.handle(delivery()))).toBe("in_progress");
    work.release();
    await vi.advanceTimersByTimeAsync(0);
    expect(await statusOf(receiver.handle(delivery()))).toBe(200);
    expect(signals).toHaveLength(1);
  });

  it("a handler that fails after the deadline is reported, and the delivery is handled again", async () => {
    vi.useFakeTimers();
    const { receiver, errors } = recording({ deadlineMs: 50 });
    const work = held();
    const begun = held();
    const handler = vi.fn(() => {
      begun.release();
      return work.promise;
    });
    receiver.onUnhandled(handler);
    const first = receiver.handle(delivery());
    await begun.promise;
    await vi.advanceTimersByTimeAsync(50);
    expect(await statusOf(first)).toBe(503);
    const failure = new Error("late");
    work.fail(failure);
    await vi.advanceTimersByTimeAsync(0);
    expect(errors.map(({ error }) => error)).toEqual([expect.any(TimeoutError), failure]);
    handler.mockResolvedValueOnce(undefined);
    expect(await statusOf(receiver.handle(delivery()))).toBe(200);
    expect(handler).toHaveBeenCalledTimes(2);
  });

  it("waitUntil gets the handler's promise and the context, so that the work can continue after the response", async () => {
    vi.useFakeTimers();
    const waiting: Promise<unknown>[] = [];
    const contexts: unknown[] = [];
    const { receiver } = recording({
      deadlineMs: 50,
      waitUntil: (work, context) => {
        waiting.push(work);
        contexts.push(context);
      },
    });
    const work = held();
    const begun = held();
    receiver.onUnhandled(() => {
      begun.release();
      return work.promise;
    });
    const slow = receiver.handle(delivery(), "context");
    await begun.promise;
    await vi.advanceTimersByTimeAsync(50);
    expect(await statusOf(slow)).toBe(503);
    expect(contexts).toEqual(["context"]);
    let settled = false;
    void waiting[0]?.then(() => {
      settled = true;
    });
    await vi.advanceTimersByTimeAsync(1000);
    expect(settled).toBe(false);
    work.release();
    await waiting[0];
    expect(waiting).toHaveLength(1);
  });

  it("the time for a slow body counts for the deadline, and the handler is not called after it", async () => {
    vi.useFakeTimers();
    const { receiver, errors } = recording();
    receiver.onUnhandled(() => expect.fail("handled"));
    const cancelled = vi.fn();
    const body = new ReadableStream({ cancel: cancelled });
    const answer = receiver.handle(delivery("x", { body, duplex: "half" } as RequestInit));
    await vi.advanceTimersByTimeAsync(8_000);
    expect(await statusOf(answer)).toBe(503);
    expect(cancelled).toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(0);
    expect(errors.map(({ error }) => error)).toEqual([expect.any(TimeoutError)]);
  });

  it("a claim that is granted after the deadline is released, and the handler is not called", async () => {
    vi.useFakeTimers();
    const store = memoryDedupe();
    const asked = held();
    const slow = held();
    const released = held();
    const { receiver, errors } = recording({
      dedupe: {
        ...store,
        async claim(key, owner) {
          asked.release();
          await slow.promise;
          return store.claim(key, owner);
        },
        release(key, owner) {
          store.release(key, owner);
          released.release();
        },
      },
    });
    const handler = vi.fn();
    receiver.onUnhandled(handler);
    const answer = receiver.handle(delivery());
    await asked.promise;
    await vi.advanceTimersByTimeAsync(8_000);
    expect(await statusOf(answer)).toBe(503);
    slow.release();
    await released.promise;
    await vi.advanceTimersByTimeAsync(0);
    expect(handler).not.toHaveBeenCalled();
    expect(errors.map(({ error }) => error)).toEqual([expect.any(TimeoutError)]);
    expect(await statusOf(receiver.handle(delivery()))).toBe(200);
    expect(handler).toHaveBeenCalledOnce();
  });
});

describe("a delivery body in several chunks", () => {
  it.each([
    ["100 chunks of a few bytes", 100],
    ["3 chunks, larger than the first buffer", 3],
  ])("a body in %s is joined correctly", async (_, count) => {
    const body = meetingBody({ filler: "x".repeat(40_000) });
    const size = Math.ceil(body.length / count);
    const chunks = Array.from({ length: count }, (_, index) =>
      Buffer.from(body).subarray(index * size, (index + 1) * size),
    );
    const stream = new ReadableStream({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(chunk);
        controller.enqueue(Buffer.from(body).subarray(count * size));
        controller.close();
      },
    });
    const { receiver } = recording();
    const request = delivery("x", { body: stream, duplex: "half", signature: nodeSign(body) } as RequestInit);
    expect(await statusOf(receiver.handle(request))).toBe(200);
  });
});

describe("a dedupe store that fails", () => {
  const failing = (method: "claim" | "complete" | "release") => ({
    ...memoryDedupe(),
    [method]: () => Promise.reject(new Error(`${method}: connection refused`)),
  });

  it("a failed claim makes the service deliver again", async () => {
    const { receiver, errors } = recording({ dedupe: failing("claim") });
    receiver.onUnhandled(() => expect.fail("handled"));
    expect(await statusOf(receiver.handle(delivery()))).toBe(503);
    expect(errors).toHaveLength(1);
  });

  it("a claim with an unknown result makes the service deliver again", async () => {
    const { receiver, errors } = recording({ dedupe: { ...memoryDedupe(), claim: () => true as never } });
    receiver.onUnhandled(() => expect.fail("handled"));
    expect(await statusOf(receiver.handle(delivery()))).toBe(503);
    expect(errors.map(({ error }) => error)).toEqual([new ConfigurationError("dedupe.claim: unknown result true")]);
  });

  it("a failed completion does not make the service deliver handled work again", async () => {
    const { receiver, errors } = recording({ dedupe: failing("complete") });
    receiver.onUnhandled(() => {});
    expect(await statusOf(receiver.handle(delivery()))).toBe(200);
    expect(errors.map(({ context }) => context.status)).toEqual([200]);
  });

  it("a failed release does not hide the error of the handler", async () => {
    const { receiver, errors } = recording({ dedupe: failing("release") });
    receiver.onUnhandled(() => {
      throw new Error("database is away");
    });
    expect(await statusOf(receiver.handle(delivery()))).toBe(503);
    expect(errors.map(({ error }) => (error as Error).message)).toEqual([
      "release: connection refused",
      "database is away",
    ]);
  });
});

describe("the errors of a receiver", () => {
  it("the console shows each error with the kind, the meeting and the delivery key", async () => {
    const logged = vi.spyOn(console, "error").mockImplementation(() => {});
    const receiver = createReceiver({ secrets: [SECRET, undefined], deadlineMs: 5_000 });
    const failure = new Error("database is away");
    let key = "";
    receiver.onUnhandled((_, { deliveryKey }) => {
      key = deliveryKey;
      throw failure;
    });
    await receiver.handle(delivery());
    await receiver.handle(delivery(meetingBody({ event: "a\nb", id: undefined })));
    expect(logged.mock.calls[0]).toEqual([
      expect.stringMatching(
        /^notetaker-sdk: responded 503 to "meeting.transcript_ready" of "mtg_1", delivery [\w-]{43}:$/,
      ),
      failure,
    ]);
    expect(logged.mock.calls[1]).toEqual([
      `notetaker-sdk: responded 503 to "a\\nb" of no meeting, delivery ${key}:`,
      failure,
    ]);
    const parsed = delivery();
    await parsed.json();
    await receiver.handle(parsed);
    expect(logged.mock.calls[2]).toEqual([
      "notetaker-sdk: responded 503 to a delivery:",
      expect.objectContaining({ reason: "parsed_body" }),
    ]);
    logged.mockRestore();
  });

  it.each<[string, Partial<ReceiverOptions>]>([
    [
      "onError throws",
      {
        onError() {
          throw new Error("callback");
        },
      },
    ],
    ["onError rejects", { onError: () => Promise.reject(new Error("callback")) }],
    ["waitUntil rejects", { onError: () => {}, waitUntil: () => Promise.reject(new Error("callback")) }],
    [
      "waitUntil throws",
      {
        onError() {},
        waitUntil() {
          throw new Error("callback");
        },
      },
    ],
  ])("an error of a callback is logged, and does not change the response: %s", async (_, options) => {
    const logged = vi.spyOn(console, "error").mockImplementation(() => {});
    const { receiver } = recording(options);
    receiver.onUnhandled(() => Promise.reject(new Error("handler")));
    expect(await statusOf(receiver.handle(delivery()))).toBe(503);
    await vi.waitFor(() => expect(logged.mock.calls).toEqual([["notetaker-sdk:", new Error("callback")]]));
    logged.mockRestore();
  });

  it("a handler that rejects with undefined is reported", async () => {
    const { receiver, errors } = recording();
    receiver.onUnhandled(() => Promise.reject());
    expect(await statusOf(receiver.handle(delivery()))).toBe(503);
    expect(errors.map(({ error, context }) => [error, context.event?.meetingId])).toEqual([[undefined, "mtg_1"]]);
  });
});
