/** Sends a signed event to the user's own endpoint, as the service does. */
import * as z from "zod/mini";
import { DELIVERY_RETRY_DELAYS_MS, DELIVERY_TIMEOUT_MS } from "../assumptions.js";
import { followSignal } from "../async/abort.js";
import { pause, startTimer } from "../async/timers.js";
import type { EventKind } from "../schemas/event.js";
import { httpUrl, isLoopbackHost } from "../schemas/http-url.js";
import { idParam } from "../schemas/ids.js";
import { functionSchema, nonEmptyString, optionsSchema } from "../schemas/primitives.js";
import { requestOptionsShape } from "../transport/request-options.js";
import {
  attemptDelivery,
  eventPayload,
  isRetried,
  isSuccess,
  type SignedDelivery,
  signDelivery,
} from "./deliveries/attempt-delivery.js";
import { createEmulator } from "./emulator.js";
import { checkValue, EmulatorError, milliseconds } from "./emulator-error.js";
import { aMeeting } from "./seed/seed-builders.js";
import type { DeliveryAttempt } from "./state/records.js";

/** The next step after an attempt to deliver an event. */
export interface NextAttempt {
  /** The wait before the next attempt, in milliseconds; `undefined` if there is no further attempt. */
  nextDelayMs: number | undefined;
}

/** One attempt to deliver an event. */
export interface EventAttempt extends Omit<DeliveryAttempt, "at"> {
  /** How long the endpoint took, in milliseconds. */
  durationMs: number;
}

/** Options of `sendEvent`. */
export interface SendEventOptions {
  /** The kind of event: `meeting.transcript_ready` or `meeting.initial_summary_ready`. */
  kind: EventKind;
  /** The secret of the webhook, with which the delivery is signed. */
  secret: string;
  /** The id in the event, `mtg_…`. Default: `mtg_1`, which the emulator's default account has. */
  meetingId?: string | undefined;
  /** Whether the event may be sent to another host than this machine. Default: false. */
  allow?: boolean | undefined;
  /** The wait before each retry, in milliseconds. Default: 1,000, 10,000 and 60,000, like the service (documented). */
  retryDelaysMs?: readonly number[] | undefined;
  /** How long the endpoint may take, in milliseconds. Default: 10,000, like the service (documented). */
  timeoutMs?: number | undefined;
  /** Aborts the delivery, during an attempt or between two attempts. */
  signal?: AbortSignal | undefined;
  /** Called after each attempt, with the wait before the next attempt, if there is one. */
  onAttempt?: ((attempt: EventAttempt, next: NextAttempt) => void) | undefined;
}

/** The result of sending an event. */
export interface SentEvent {
  /** True if the endpoint responded with 2xx. */
  accepted: boolean;
  /** All attempts, the oldest first. */
  attempts: EventAttempt[];
  /** The body, byte for byte as it was signed. */
  body: string;
  /** The headers that were sent, with the signature. */
  headers: Record<string, string>;
}

const sendEventSchema = optionsSchema<SendEventOptions>()({
  kind: nonEmptyString(),
  secret: nonEmptyString(),
  meetingId: z.optional(idParam("meetingId")),
  allow: z.optional(z.boolean()),
  retryDelaysMs: z.optional(z.array(milliseconds)),
  timeoutMs: z.optional(milliseconds),
  signal: requestOptionsShape.signal,
  onAttempt: z.optional(functionSchema),
});

/**
 * Sends one event to your own endpoint: signed, with the fields of a meeting, and retried as the service does (after
 * 5xx, 429 and no response). Resolves when the endpoint has accepted it or the retries are used up.
 *
 * @throws {EmulatorError} {@link EmulatorError} for an invalid option, or a host that is not this machine without
 * `allow`.
 * @example
 * const { accepted } = await sendEvent("http://localhost:3000/hooks", {
 *   kind: "meeting.transcript_ready",
 *   meetingId: "mtg_1",
 *   secret: "whsec_…",
 * });
 */
export async function sendEvent(url: string | URL, options: SendEventOptions): Promise<SentEvent> {
  const target = checkedTarget(String(url), options);
  const { kind, secret, meetingId = "mtg_1", signal, onAttempt } = options;
  const { retryDelaysMs = DELIVERY_RETRY_DELAYS_MS, timeoutMs = DELIVERY_TIMEOUT_MS } = options;
  const signed = await signDelivery({ body: payload(kind, meetingId), corrupt: null }, secret);
  const attempts: EventAttempt[] = [];
  for (let retry = 0; ; retry += 1) {
    const attempt = await timedAttempt(target, signed, timeoutMs, signal);
    attempts.push(attempt);
    const accepted = isSuccess(attempt);
    const nextDelayMs = !accepted && isRetried(attempt) ? retryDelaysMs[retry] : undefined;
    onAttempt?.(attempt, { nextDelayMs });
    if (nextDelayMs === undefined) return { accepted, attempts, ...signed };
    await pause(nextDelayMs, signal);
  }
}

function checkedTarget(url: string, options: SendEventOptions): string {
  checkValue("sendEvent", sendEventSchema, options, "option");
  const target = httpUrl(url);
  if (target === undefined) throw new EmulatorError(`sendEvent: expected an http: or https: URL, received ${url}`);
  if (!isLoopbackHost(target.hostname) && options.allow !== true) {
    throw new EmulatorError(
      `sendEvent: ${target.hostname} is not this machine; to send a signed event to it, set allow: true (--allow)`,
    );
  }
  return target.href;
}

function payload(kind: EventKind, meetingId: string): string {
  const service = createEmulator({ now: Date.now(), seed: { meetings: [aMeeting({ id: meetingId })] } });
  const meeting = service.meetings.get(meetingId);
  if (meeting === undefined) throw new EmulatorError(`sendEvent: there is no meeting ${meetingId}`);
  return eventPayload(kind, meeting);
}

async function timedAttempt(
  url: string,
  signed: SignedDelivery,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<EventAttempt> {
  signal?.throwIfAborted();
  const attempt = followSignal(signal);
  const stopTimer = startTimer(timeoutMs, () => attempt.abort(new Error(`no response within ${timeoutMs} ms`)));
  // The clock of the system may be set while the endpoint works.
  const startedAt = performance.now();
  try {
    const result = await attemptDelivery(url, signed, undefined, attempt.signal);
    signal?.throwIfAborted();
    return { ...result, durationMs: Math.round(performance.now() - startedAt) };
  } finally {
    stopTimer();
    attempt.release();
  }
}
