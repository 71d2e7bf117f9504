import { beforeEach, describe, expect, it, vi } from "vitest";
import { ConfigurationError, InvalidArgumentError } from "../../../src/errors/argument-errors.js";
import { TimeoutError } from "../../../src/errors/call-errors.js";
import { WebhookVerificationError } from "../../../src/errors/webhook-verification-error.js";
import type { WebhookEvent } from "../../../src/webhooks/event/event.js";
import { memoryDedupe } from "../../../src/webhooks/receive/dedupe.js";
import { createReceiver } from "../../../src/webhooks/receive/receiver.js";
import type { ReceiverOptions } from "../../../src/webhooks/receive/receiver-options.js";
import { held } from "../../support/held.js";
import { delivery, meetingBody, nodeSign, recordingReceiver, SECRET, streamedDelivery } from "../signed-delivery.js";

/** A handler that hangs until the test settles `work`. `begun` resolves when it is called. */
function hangingHandler() {
  const work = held();
  const begun = held();
  const signals: AbortSignal[] = [];
  const handler = vi.fn((_: WebhookEvent, { signal }: { signal: AbortSignal }) => {
    signals.push(signal);
    begun.release();
    return work.promise;
  });
  return { handler, work, begun: begun.promise, signals };
}

const throwing = (message: string) => () => {
  throw new Error(message);
};

const withoutBody = (signature: string) =>
  new Request("https://example.com/", { method: "POST", headers: { "x-webhook-signature": signature } });
const broken = () => new ReadableStream({ pull: (controller) => controller.error(new TypeError("terminated")) });

/** Requests, and the status and code of their responses. A 4xx is the sender's fault, and its code is the reason. */
const RESPONSES: readonly [what: string, request: () => Request, result: string][] = [
  ["an event", delivery, "200 handled"],
  ["an event without a handler", () => delivery(meetingBody({ event: "a" })), "200 ignored"],
  ["no signature", () => withoutBody(""), "401 missing_signature"],
  ["a malformed signature", () => delivery(undefined, { signature: "sha256=1" }), "401 malformed_signature"],
  ["another body", () => delivery(undefined, { signature: nodeSign("else") }), "401 wrong_signature"],
  ["no body", () => withoutBody(nodeSign("")), "400 not_an_event"],
  ["a body that is not JSON", () => delivery("hello"), "400 not_an_event"],
  ["a body that breaks off", () => streamedDelivery(broken()), "400 broken_off"],
  ["a body over the limit", () => delivery("x".repeat(1_001)), "413 too_large"],
  ["a GET", () => new Request("https://example.com/"), "405 method_not_allowed"],
  ["a PUT", () => new Request("https://example.com/", { method: "PUT" }), "405 method_not_allowed"],
];

describe("an event that a receiver gets", () => {
  it("an event is passed only to the handler of its kind", async () => {
    const seen: string[] = [];
    const handle = ({ kind, meetingId }: WebhookEvent) => void seen.push(`${kind} ${meetingId}`);
    const { receiver, send } = recordingReceiver({
      handlers: { "meeting.transcript_ready": handle, "meeting.initial_summary_ready": undefined },
    });
    receiver.on("meeting.initial_summary_ready", handle);
    receiver.onUnhandled(({ kind, meetingId }) => void seen.push(`other ${kind} ${meetingId}`));
    for (const fields of [
      {},
      { event: "meeting.initial_summary_ready" },
      { event: "room.created", id: "room_1" },
      { event: "meeting.deleted" },
      { event: undefined, id: undefined },
    ]) {
      expect(await send(delivery(meetingBody(fields)))).toBe("200 handled");
    }
    expect(seen).toEqual([
      "meeting.transcript_ready mtg_1",
      "meeting.initial_summary_ready mtg_1",
      "other room.created undefined",
      "other meeting.deleted mtg_1",
      "other unknown undefined",
    ]);
  });

  it("an event without a handler is answered with 200, and the console names each such kind once", async () => {
    const warned = vi.spyOn(console, "warn").mockImplementation(() => {});
    const { receiver, send } = recordingReceiver();
    receiver.on("meeting.initial_summary_ready", () => {});
    const kinds = ["meeting.transcript_ready", "room.created", "line\nbreak"];
    for (const id of ["mtg_1", "mtg_2"]) {
      for (const event of kinds) expect(await send(delivery(meetingBody({ event, id })))).toBe("200 ignored");
      await send(delivery(meetingBody({ event: "meeting.initial_summary_ready", id })));
    }
    const named = (kind: string) =>
      `notetaker-sdk: no handler for events of the kind ${JSON.stringify(kind)}; they get 200 and are dropped`;
    expect(warned.mock.calls.flat()).toEqual(kinds.map(named));
    // A sender with the secret could invent ever new kinds.
    for (let i = 0; i < 200; i += 1) await send(delivery(meetingBody({ event: `kind ${i}` })));
    expect(warned).toHaveBeenCalledTimes(100);
  });

  it.each([
    ["meeting.transcript_redy", "; did you mean meeting.transcript_ready?"],
    ["transcript_ready", "; did you mean meeting.transcript_ready?"],
    ["meeting.summary_ready", "; did you mean meeting.initial_summary_ready?"],
    ["room.created", " ("],
    ["", " ("],
    [5, " ("],
  ])("a kind that is not known is refused by on and handlers: %j", (kind, suggestion) => {
    const handlers = { [kind]: () => {} };
    for (const register of [
      () => recordingReceiver().receiver.on(kind as never, () => {}),
      () => createReceiver({ secrets: SECRET, handlers }),
    ]) {
      expect(register).toThrow(InvalidArgumentError);
      expect(register).toThrow("kind: unknown kind");
      expect(register).toThrow(suggestion);
      expect(register).toThrow("onUnhandled");
    }
  });

  it("an event of a known kind without a meeting id goes to onUnhandled, and gets 503 if there is none", async () => {
    const { receiver, errors, send } = recordingReceiver();
    const handler = vi.fn();
    receiver.on("meeting.transcript_ready", handler);
    const body = meetingBody({ id: undefined });
    expect(await send(delivery(body))).toBe("503 not_handled");
    expect(errors).toMatchObject([{ error: { name: "ConfigurationError" } }]);
    const others: WebhookEvent[] = [];
    receiver.onUnhandled((event) => void others.push(event));
    expect(await send(delivery(body))).toBe("200 handled");
    expect(others).toMatchObject([{ kind: "meeting.transcript_ready", payload: JSON.parse(body) }]);
    expect(handler).not.toHaveBeenCalled();
  });

  it("options set the header and the fields of an event", async () => {
    const options = { signatureHeader: "x-signature", assumptions: { kind: "type", meetingId: "meeting" } };
    const { receiver, send } = recordingReceiver(options);
    const handler = vi.fn();
    receiver.on("meeting.transcript_ready", handler);
    const body = JSON.stringify({ type: "meeting.transcript_ready", meeting: "mtg_7" });
    expect(await send(delivery(body, { signature: "", headers: { "x-signature": nodeSign(body) } }))).toBe(
      "200 handled",
    );
    expect(handler.mock.calls[0]?.[0]).toMatchObject({ kind: "meeting.transcript_ready", meetingId: "mtg_7" });
  });

  it("a handler that is not a function, or the second of its kind, is refused", () => {
    const kind = "meeting.transcript_ready";
    const { receiver } = recordingReceiver({ handlers: { [kind]: () => {} } });
    receiver.onUnhandled(() => {});
    const unused = recordingReceiver().receiver;
    for (const register of [
      () => receiver.on(kind, () => {}),
      () => receiver.onUnhandled(() => {}),
      () => unused.on(kind, undefined as never),
      () => unused.onUnhandled(5 as never),
      () => recordingReceiver({ handlers: { [kind]: 5 as never } }),
    ]) {
      expect(register).toThrow(ConfigurationError);
    }
  });
});

describe("the response of a receiver", () => {
  it.each(RESPONSES)("the response is JSON with the result of the delivery: %s", async (_, request, result) => {
    vi.spyOn(console, "warn").mockImplementation(() => {});
    const { receiver, errors, send } = recordingReceiver({ maxBodyBytes: 1_000 });
    const handler = vi.fn();
    receiver.on("meeting.transcript_ready", handler);
    expect(await send(request())).toBe(result);
    const { headers } = await receiver.handle(request());
    expect(headers.get("content-type")).toBe("application/json");
    expect(headers.get("allow")).toBe(result.startsWith("405") ? "POST" : null);
    expect(handler).toHaveBeenCalledTimes(result === "200 handled" ? 1 : 0);
    // Anybody can cause these, so they are not errors of the application.
    expect(errors).toEqual([]);
  });

  it("a body may have exactly maxBodyBytes, and the rest of a longer body is not read", async () => {
    const body = meetingBody({ filler: "" });
    const whole = meetingBody({ filler: "x".repeat(1000 - Buffer.byteLength(body)) });
    const { receiver, send } = recordingReceiver({ maxBodyBytes: 1000 });
    receiver.onUnhandled(() => {});
    expect(await send(delivery(whole))).toBe("200 handled");
    expect(await send(delivery(`${whole} `))).toBe("413 too_large");
    let sent = 0;
    const cancelled = vi.fn();
    const endless = new ReadableStream({
      pull(controller) {
        sent += 100;
        controller.enqueue(new Uint8Array(100));
      },
      cancel: cancelled,
    });
    expect(await send(streamedDelivery(endless))).toBe("413 too_large");
    expect(sent).toBeLessThan(1500);
    expect(cancelled).toHaveBeenCalledOnce();
  });

  it.each([
    ["Node's own request, whose headers are a plain object", { method: "POST", headers: { host: "a" } }],
    ["null", null],
  ])("%s gets 503, so that it is delivered again, and the error names toNodeListener", async (_, request) => {
    const { errors, send } = recordingReceiver();
    expect(await send(request)).toBe("503 not_handled");
    expect(errors).toEqual([{ error: expect.any(ConfigurationError), context: { status: 503 } }]);
    expect(String(errors[0]?.error)).toContain("toNodeListener(receiver.handle)");
  });

  it("a body that was read before, or is locked, gets 503", async () => {
    const read = delivery();
    await read.json();
    const locked = delivery();
    locked.body?.getReader();
    for (const request of [read, locked]) {
      const { errors, send } = recordingReceiver();
      expect(await send(request)).toBe("503 parsed_body");
      expect(errors).toMatchObject([{ error: { name: "WebhookVerificationError", reason: "parsed_body" } }]);
    }
  });

  it("a receiver starts no timer before a delivery, and leaves none after it", async () => {
    vi.useFakeTimers();
    const { receiver, send } = recordingReceiver();
    receiver.onUnhandled(() => {});
    expect(vi.getTimerCount()).toBe(0);
    await send();
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("a delivery that comes again", () => {
  it("a delivery that is being handled gets 503, and later 200 without being handled again", async () => {
    const { receiver, errors, send } = recordingReceiver();
    const { handler, work, begun } = hangingHandler();
    receiver.onUnhandled(handler);
    const first = send();
    await begun;
    expect(await send()).toBe("503 in_progress");
    work.release();
    expect(await first).toBe("200 handled");
    expect(await send()).toBe("200 handled_before");
    expect(handler).toHaveBeenCalledOnce();
    expect(errors).toEqual([]);
  });

  it("a delivery whose handler failed is handled again, and its error is not shown in the response", async () => {
    const { receiver, errors, send } = recordingReceiver();
    const failure = new WebhookVerificationError({ reason: "wrong_signature", message: "postgres://user:password@db" });
    const handler = vi
      .fn()
      .mockRejectedValueOnce(failure)
      .mockImplementationOnce(() => {
        throw failure;
      })
      .mockRejectedValueOnce(undefined);
    receiver.onUnhandled(handler);
    const response = await receiver.handle(delivery());
    expect([response.status, (await response.text()).includes("password")]).toEqual([503, false]);
    const results = [await send(), await send(), await send(), await send()];
    expect(results).toEqual(["503 not_handled", "503 not_handled", "200 handled", "200 handled_before"]);
    expect(handler).toHaveBeenCalledTimes(4);
    expect(errors.map(({ error, context }) => [error, context.status, context.event?.meetingId])).toEqual(
      [failure, failure, undefined].map((error) => [error, 503, "mtg_1"]),
    );
  });
});

describe("the deadline of a receiver", () => {
  beforeEach(() => void vi.useFakeTimers());

  async function expectDeadline(answer: Promise<string>, deadlineMs: number) {
    await vi.advanceTimersByTimeAsync(deadlineMs);
    expect(await answer).toBe("503 deadline_exceeded");
  }

  /** A delivery whose handler hangs beyond a deadline of 50 ms. */
  async function overdue(options: Partial<ReceiverOptions> = {}) {
    const { receiver, errors, send } = recordingReceiver({ deadlineMs: 50, ...options });
    const { handler, work, begun } = hangingHandler();
    receiver.onUnhandled(handler);
    const answer = send(delivery(), "context");
    await begun;
    await expectDeadline(answer, 50);
    return { errors, send, handler, work };
  }

  it("the response is 503 at the deadline, the signal aborts, and the claim is kept until the handler settles", async () => {
    const { receiver, errors, send } = recordingReceiver();
    const { handler, work, begun, signals } = hangingHandler();
    receiver.onUnhandled(handler);
    const first = send();
    await begun;
    await vi.advanceTimersByTimeAsync(7_999);
    expect(signals[0]?.aborted).toBe(false);
    await expectDeadline(first, 1);
    expect(signals[0]?.reason).toBeInstanceOf(TimeoutError);
    expect(errors.map(({ error, context }) => [error, context.event?.meetingId])).toEqual([
      [signals[0]?.reason, "mtg_1"],
    ]);
    expect(await send()).toBe("503 in_progress");
    work.release();
    await vi.advanceTimersByTimeAsync(0);
    expect(await send()).toBe("200 handled_before");
    expect(signals).toHaveLength(1);
  });

  it("a delivery whose handler the runtime has stopped is handled again by a later retry", async () => {
    const { send, handler } = await overdue();
    // Workers stop a request some time after its response: its promises never settle, its timers never fire.
    vi.clearAllTimers();
    handler.mockResolvedValueOnce(undefined);
    const retries: string[] = [];
    for (const seconds of [1, 10]) {
      await vi.advanceTimersByTimeAsync(seconds * 1_000);
      retries.push(await send());
    }
    expect(retries).toEqual(["503 in_progress", "200 handled"]);
    expect(handler).toHaveBeenCalledTimes(2);
  });

  it("a handler that has finished is a 200 at the deadline, although the store hangs, and its failure is reported", async () => {
    const [asked, slow] = [held(), held()];
    const store = memoryDedupe();
    const complete = () => {
      asked.release();
      return slow.promise;
    };
    const { receiver, errors, send } = recordingReceiver({ deadlineMs: 50, dedupe: { ...store, complete } });
    receiver.onUnhandled(() => {});
    const answer = send();
    await asked.promise;
    await vi.advanceTimersByTimeAsync(50);
    expect([await answer, errors]).toEqual(["200 handled", []]);
    const failure = new Error("the store is away");
    slow.fail(failure);
    await vi.advanceTimersByTimeAsync(0);
    expect(errors).toMatchObject([{ error: failure, context: { status: 200, event: { meetingId: "mtg_1" } } }]);
  });

  it("a handler that fails after the deadline is reported, and the delivery is handled again", async () => {
    const { errors, send, handler, work } = await overdue();
    const failure = new Error("late");
    work.fail(failure);
    await vi.advanceTimersByTimeAsync(0);
    expect(errors.map(({ error }) => error)).toEqual([expect.any(TimeoutError), failure]);
    handler.mockResolvedValueOnce(undefined);
    expect(await send()).toBe("200 handled");
  });

  it("a handler that rejects with the signal's reason is reported once", async () => {
    const { receiver, errors, send } = recordingReceiver({ deadlineMs: 50 });
    const begun = held();
    receiver.onUnhandled((_, { signal }) => {
      begun.release();
      return new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    });
    const first = send();
    // The signature is verified in real time: the deadline must not come before the handler is called.
    await begun.promise;
    await expectDeadline(first, 50);
    expect(errors.map(({ error }) => error)).toEqual([expect.any(TimeoutError)]);
  });

  it("waitUntil gets the handler's promise and the context, so that the work can continue after the response", async () => {
    const waiting: [work: Promise<unknown>, context: unknown][] = [];
    const { work } = await overdue({ waitUntil: (work, context) => waiting.push([work, context]) });
    expect(waiting).toEqual([[expect.any(Promise), "context"]]);
    let settled = false;
    void waiting[0]?.[0].then(() => {
      settled = true;
    });
    await vi.advanceTimersByTimeAsync(1000);
    expect(settled).toBe(false);
    work.release();
    await waiting[0]?.[0];
  });

  it("the time for a slow body counts for the deadline, and the handler is not called after it", async () => {
    const { receiver, errors, send } = recordingReceiver();
    receiver.onUnhandled(() => expect.fail("handled"));
    const cancelled = vi.fn();
    const answer = send(streamedDelivery(new ReadableStream({ cancel: cancelled })));
    await expectDeadline(answer, 8_000);
    expect(cancelled).toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(0);
    expect(errors.map(({ error }) => error)).toEqual([expect.any(TimeoutError)]);
  });

  it("an error of the secrets function after the deadline is reported, too", async () => {
    const failure = new Error("vault is sealed");
    const vault = held();
    const { errors, send } = recordingReceiver({ secrets: () => vault.promise.then(() => SECRET), deadlineMs: 50 });
    const answer = send();
    await expectDeadline(answer, 50);
    vault.fail(failure);
    await vi.advanceTimersByTimeAsync(0);
    const deadline = new TimeoutError({ message: "not handled within 50 ms (deadlineMs)", timeoutMs: 50 });
    expect(errors).toEqual([deadline, failure].map((error) => ({ error, context: { status: 503 } })));
    expect(errors[0]?.error).toMatchObject({ timeoutMs: 50 });
  });

  it("a claim that is granted after the deadline is released, and the handler is not called", async () => {
    const store = memoryDedupe();
    const [asked, slow, released] = [held(), held(), held()];
    const { receiver, errors, send } = recordingReceiver({
      dedupe: {
        ...store,
        async claim(key, holder) {
          asked.release();
          await slow.promise;
          return store.claim(key, holder);
        },
        release(key, holder) {
          store.release(key, holder);
          released.release();
        },
      },
    });
    const handler = vi.fn();
    receiver.onUnhandled(handler);
    const answer = send();
    await asked.promise;
    await expectDeadline(answer, 8_000);
    slow.release();
    await released.promise;
    await vi.advanceTimersByTimeAsync(0);
    expect(handler).not.toHaveBeenCalled();
    expect(errors.map(({ error }) => error)).toEqual([expect.any(TimeoutError)]);
    expect(await send()).toBe("200 handled");
  });
});

it.each<[string, object, handler: () => unknown, result: string, errors: string[]]>([
  ["claim rejects", { claim: throwing("away") }, () => expect.fail("handled"), "503 not_handled", ["503 away"]],
  [
    "claim returns something else",
    { claim: () => true },
    () => expect.fail("handled"),
    "503 not_handled",
    ["503 dedupe.claim: unknown result true"],
  ],
  // Finished work must not be done twice.
  ["complete rejects", { complete: async () => throwing("away")() }, () => {}, "200 handled", ["200 away"]],
  [
    "release rejects",
    { release: async () => throwing("away")() },
    throwing("handler"),
    "503 not_handled",
    ["503 away", "503 handler"],
  ],
])(
  "the response says whether the work was done if the dedupe store fails: %s",
  async (_, failing, handler, result, reported) => {
    const { receiver, errors, send } = recordingReceiver({ dedupe: { ...memoryDedupe(), ...failing } });
    receiver.onUnhandled(handler);
    expect(await send()).toBe(result);
    expect(errors.map(({ error, context }) => `${context.status} ${(error as Error).message}`)).toEqual(reported);
  },
);

describe("a delivery that the sender got wrong", () => {
  const wrong = RESPONSES.filter(([, , result]) => result.startsWith("4"));

  it("is reported to onRefused, and nothing else is", async () => {
    const onRefused = vi.fn(throwing("callback"));
    const logged = vi.spyOn(console, "error").mockImplementation(() => {});
    const { receiver, errors } = recordingReceiver({ onRefused, maxBodyBytes: 1_000 });
    for (const [, request, result] of wrong) {
      const sent = request();
      const { status } = await receiver.handle(sent);
      const [code, reason] = result.split(" ");
      expect(onRefused).toHaveBeenLastCalledWith({ status: Number(code), reason, request: sent });
      expect(status).toBe(Number(code));
    }
    expect(errors).toEqual([]);
    expect(logged).toHaveBeenCalledTimes(wrong.length);
    const unset = createReceiver({ secrets: undefined, onRefused, onError: () => {} });
    expect((await unset.handle(delivery())).status).toBe(503);
    expect(onRefused).toHaveBeenCalledTimes(wrong.length);
  });

  it("is a warning without onRefused, once for each reason, that never shows the value of a header", async () => {
    vi.resetModules();
    const fresh = await import("../../../src/webhooks/receive/receiver.js");
    const warned = vi.spyOn(console, "warn").mockImplementation(() => {});
    const headers = { "X-Hub-Signature": "sha256=value" };
    for (const secrets of [SECRET, "whsec_other"]) {
      const receiver = fresh.createReceiver({ secrets, maxBodyBytes: 1_000 });
      await receiver.handle(delivery("x", { headers, signature: "" }));
      for (const [, request] of wrong) await receiver.handle(request());
    }
    const lines = warned.mock.calls.map(([line]) => String(line));
    expect(lines).toHaveLength(new Set(wrong.map(([, , result]) => result)).size);
    expect(lines[0]).toMatch(/401 .* missing_signature.* header x-webhook-signature; .* x-hub-signature, x-webhook-/);
    expect(lines.join()).not.toContain("sha256=");
  });
});

describe("the errors of a receiver", () => {
  it("the console shows each error with the kind, the meeting and the delivery key", async () => {
    const logged = vi.spyOn(console, "error").mockImplementation(() => {});
    const receiver = createReceiver({ secrets: SECRET });
    const failure = new Error("database is away");
    let key = "";
    receiver.onUnhandled((_, { deliveryKey }) => {
      key = deliveryKey;
      throw failure;
    });
    const shown = async (request: Request) => {
      await receiver.handle(request);
      return logged.mock.lastCall;
    };
    const kindAndKey = (kind: string, meeting: string) =>
      expect.stringContaining(`${kind} of ${meeting}, delivery ${key}`);
    expect(await shown(delivery())).toEqual([kindAndKey('"meeting.transcript_ready"', '"mtg_1"'), failure]);
    const request = delivery(meetingBody({ event: "a\nb", id: undefined }));
    expect(await shown(request)).toEqual([kindAndKey('"a\\nb"', "no meeting"), failure]);
    await request.text().catch(() => {});
    expect(await shown(request)).toEqual([expect.any(String), expect.objectContaining({ reason: "parsed_body" })]);
  });

  it.each<[string, Partial<ReceiverOptions>]>([
    ["onError throws", { onError: throwing("callback") }],
    ["onError rejects", { onError: async () => throwing("callback")() }],
    ["waitUntil throws", { onError: () => {}, waitUntil: throwing("callback") }],
    ["waitUntil rejects", { onError: () => {}, waitUntil: async () => throwing("callback")() }],
  ])("an error of a callback is logged, and does not change the response: %s", async (_, options) => {
    const logged = vi.spyOn(console, "error").mockImplementation(() => {});
    const { receiver, send } = recordingReceiver(options);
    receiver.onUnhandled(throwing("handler"));
    expect(await send()).toBe("503 not_handled");
    await vi.waitFor(() => expect(logged.mock.calls).toEqual([["notetaker-sdk:", new Error("callback")]]), 60_000);
  });
});
