/** A subscription whose connections get the answers of a test, in turn. */
import { vi } from "vitest";
import type { WebhookEvent } from "../../../src/webhooks/event/event.js";
import { eventFrame } from "../../../src/webhooks/relay/event-stream-format.js";
import { subscribe } from "../../../src/webhooks/subscribe/subscribe.js";
import type { Reconnection, SubscribeOptions } from "../../../src/webhooks/subscribe/subscribe-options.js";
import { eventOf, fetchFrom } from "../events.js";

export const URL = "https://app.example.com/events?token=topsecret";
export const STREAM = { headers: { "content-type": "text/event-stream" } };

/** Makes the pauses before reconnections as short as possible. */
export const FAST = "retry: 0\n\n";

/** The event with this number, and the id `id-…`. */
export const frame = (number: number) => eventFrame({ id: `id-${number}`, event: eventOf(number) });

export function stream(...pieces: (string | Uint8Array)[]) {
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

export const whole = (...pieces: (string | Uint8Array)[]) => {
  const { response, end } = stream(...pieces);
  end();
  return response;
};

/** Answers of a server that has nothing to send, that is busy, that cannot be reached. */
export const noMore = () => new Response(null, { status: 204 });
export const busy = (status = 503) => new Response("busy", { status });
export const away = () => {
  throw new TypeError("fetch failed");
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
export async function hear(
  answers: (Response | (() => Response | Promise<Response>))[],
  options: SubscribeOptions = {},
) {
  const remaining = [...answers];
  const reconnections: Reconnection[] = [];
  const answering = fetchFrom(() => {
    const next = remaining.shift() ?? noMore();
    return typeof next === "function" ? next() : next;
  });
  // If a test has stopped the clock, the test advances it itself.
  const isClockOfTest = vi.isFakeTimers();
  if (!isClockOfTest) vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
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
  const delays = reconnections.map(({ delayMs }) => delayMs);
  return { heard, error, reconnections, delays, asked, requests: answering.requests, events };
}
