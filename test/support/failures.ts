/** The ways in which an attempt fails, as results of `fetch`. */
import { refusal } from "./recorder.js";

/** The error of Node's `fetch`: a `TypeError` whose cause is the system error. */
export const lostConnection = (code: string, message = `read ${code}`) =>
  new TypeError("fetch failed", { cause: Object.assign(new Error(message), { code }) });

/** A successful response whose body breaks off after `text`. */
export const cutBody = (text: string, status = 200): Response => {
  let sent = false;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (sent)
        controller.error(
          new TypeError("terminated", {
            cause: Object.assign(new Error("other side closed"), { code: "UND_ERR_SOCKET" }),
          }),
        );
      else controller.enqueue(new TextEncoder().encode(text));
      sent = true;
    },
  });
  return new Response(body, { status, headers: { "content-type": "application/json" } });
};

export const stalledBody = (text: string, status = 200): Response =>
  new Response(
    new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(text));
      },
    }),
    { status },
  );

/** A promise that never settles and ignores every signal. */
export const never = <T = Response>() => new Promise<T>(() => {});

export interface Failure {
  name: string;
  answer(): Response | Promise<Response>;
  /** Whether each operation is retried after this failure, not only those that may be repeated. */
  always: boolean;
  error: string;
  outcome: "rejected" | "unknown" | "not_sent";
}

const LIMITED = { always: true, error: "RateLimitedError", outcome: "rejected" } as const;
const FAILED = { always: false, error: "ServerError", outcome: "unknown" } as const;

export const FAILURES: readonly Failure[] = [
  { ...LIMITED, name: "a 429", answer: () => refusal(429, "rate_limited") },
  { ...LIMITED, name: "a 429 with seconds", answer: () => refusal(429, "rate_limited", { "retry-after": "2" }) },
  {
    ...LIMITED,
    name: "a 429 with a Retry-After date",
    answer: () => refusal(429, "rate_limited", { "retry-after": new Date(Date.now() + 3_000).toUTCString() }),
  },
  {
    ...LIMITED,
    name: "a 429 with X-RateLimit-Reset",
    answer: () => refusal(429, "rate_limited", { "x-ratelimit-reset": String(Math.ceil(Date.now() / 1000) + 4) }),
  },
  { ...LIMITED, name: "a 429 without envelope", answer: () => new Response("slow down", { status: 429 }) },
  { ...FAILED, name: "a 500", answer: () => refusal(500, "internal_error") },
  { ...FAILED, name: "a 503 with that code", answer: () => refusal(503, "rate_limited"), error: "RateLimitedError" },
  { ...FAILED, name: "a 502 of a proxy", answer: () => new Response("<html>", { status: 502 }) },
  { ...FAILED, name: "a 503 with Retry-After", answer: () => refusal(503, "unavailable", { "retry-after": "1" }) },
  {
    name: "a lost connection",
    answer: () => Promise.reject(lostConnection("ECONNRESET")),
    always: false,
    error: "ConnectionError",
    outcome: "unknown",
  },
  {
    name: "a connection that is never made",
    answer: () => Promise.reject(lostConnection("ECONNREFUSED", "connect ECONNREFUSED 127.0.0.1:1")),
    always: true,
    error: "ConnectionError",
    outcome: "not_sent",
  },
  { name: "no answer in time", answer: () => never(), always: false, error: "TimeoutError", outcome: "unknown" },
];
