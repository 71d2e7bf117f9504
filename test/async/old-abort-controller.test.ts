/** React Native before 0.86 has an `AbortController` whose signals have neither `reason` nor `throwIfAborted`. */
import { beforeEach, describe, expect, it, vi } from "vitest";
import { json, refusal, rejection } from "../support/recorder.js";

class OldSignal extends EventTarget {
  aborted = false;
  /** ky looks for it when it is loaded, which here is before this class takes the place of Node's. */
  static any = ([signal]: OldSignal[]) => signal;
}

class OldController {
  readonly #signal = new OldSignal();
  get signal() {
    return this.#signal;
  }
  abort() {
    this.#signal.aborted = true;
    this.#signal.dispatchEvent(new Event("abort"));
  }
}

/** Node's own class accepts no other signals than its own. */
class OldRequest extends Request {
  constructor(input: string | Request, init?: RequestInit) {
    super(input, { ...init, signal: null });
  }
}

const never = () => new Promise<Response>(() => {});
const later = (response: () => Response) => vi.fn(async () => response());

beforeEach(() => {
  vi.resetModules();
  vi.useFakeTimers();
  vi.stubGlobal("AbortController", OldController);
  vi.stubGlobal("AbortSignal", OldSignal);
  vi.stubGlobal("Request", OldRequest);
});

async function clientWith(fetch: () => Promise<Response>) {
  const { Notetaker } = await import("../../src/index.js");
  return new Notetaker({ baseUrl: "https://api.example.com/v1", token: "tok_1", fetch, maxRetries: 1 });
}

async function errorOfAborted(call: (signal: AbortSignal) => PromiseLike<unknown>, controller = new AbortController()) {
  const error = rejection(call(controller.signal));
  await vi.advanceTimersByTimeAsync(50);
  controller.abort();
  return error;
}

describe("without AbortSignal.reason, a call", () => {
  it("rejects with a TimeoutError after timeoutMs, and after deadlineMs", async () => {
    const notetaker = await clientWith(never);
    for (const options of [{ timeoutMs: 50, maxRetries: 0 }, { deadlineMs: 50 }]) {
      const error = rejection(notetaker.webhooks.list(options));
      await vi.advanceTimersByTimeAsync(50);
      expect(await error).toMatchObject({ name: "TimeoutError", timeoutMs: 50 });
    }
  });

  it.each([
    ["during an attempt", never],
    ["between two attempts", later(() => refusal(503, "unavailable", { "retry-after": "9" }))],
  ])("rejects with an AbortError if the caller aborts %s", async (_, fetch) => {
    const notetaker = await clientWith(fetch);
    const controller = new AbortController();
    const list = (signal: AbortSignal) => notetaker.webhooks.list({ signal });
    expect(await errorOfAborted(list, controller)).toMatchObject({ name: "AbortError" });
    expect(await rejection(list(controller.signal))).toMatchObject({ name: "AbortError" });
  });

  it("is retried", async () => {
    const fetch = later(() => json([])).mockResolvedValueOnce(refusal(503, "unavailable"));
    const notetaker = await clientWith(fetch);
    const call = notetaker.webhooks.list({ signal: new AbortController().signal });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await call).toEqual([]);
    expect(fetch).toHaveBeenCalledTimes(2);
  });

  it("ends a subscription and the events of a receiver with an AbortError, and close() ends them without an error", async () => {
    const { createReceiver, subscribe } = await import("../../src/webhooks/index.js");
    const readers = [
      (signal?: AbortSignal) => subscribe("https://app.example.com/events", { fetch: never, signal }),
      (signal?: AbortSignal) => createReceiver({ secrets: "whsec_1" }).events({ signal }),
    ];
    for (const open of readers) {
      expect(await errorOfAborted((signal) => open(signal).next())).toMatchObject({ name: "AbortError" });
      const events = open();
      const next = events.next();
      await vi.advanceTimersByTimeAsync(50);
      await events.return?.();
      expect(await next).toMatchObject({ done: true });
    }
  });

  it("ends a wait with an AbortError", async () => {
    const notetaker = await clientWith(never);
    const wait = (signal: AbortSignal) => notetaker.meetings.waitForTranscript("mtg_1", { signal });
    expect(await errorOfAborted(wait)).toMatchObject({ name: "AbortError" });
  });
});
