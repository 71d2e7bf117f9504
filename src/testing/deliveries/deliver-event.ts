import * as z from "zod/mini";
import { DELIVERY_RETRY_DELAYS_MS } from "../../assumptions.js";
import { throwIfAborted } from "../../async/abort.js";
import { pause } from "../../async/timers.js";
import { httpUrl, isLoopbackHost } from "../../links/http-url.js";
import type { EventKind } from "../../schemas/event.js";
import { idParam } from "../../schemas/id-schemas.js";
import {
  abortSignal,
  functionOf,
  type Infer,
  nonEmptyString,
  readonlyArray,
  type Schema,
} from "../../schemas/primitives.js";
import { EmulatorError, emulatorMilliseconds } from "../emulator-error.js";
import { webhookSecret } from "../seed/seed.js";
import type { DeliveryAttempt } from "../state/records.js";
import { attemptDelivery, isRetried, isSuccess, signDelivery } from "./attempt-delivery.js";

/** What follows an attempt to deliver an event. */
export interface NextAttempt {
  /** The wait before the next attempt, in milliseconds; `undefined` if there is none. */
  nextDelayMs: number | undefined;
}

/** One attempt to deliver an event. */
export interface EventAttempt extends Omit<DeliveryAttempt, "at"> {
  /** How long the endpoint took, in milliseconds. */
  durationMs: number;
}

const sendEventOptions = {
  /** The kind of event: one of `EVENT_KINDS`. */
  kind: nonEmptyString() as z.ZodMiniType as Schema<EventKind>,
  /** The secret of the webhook, with which the delivery is signed. */
  secret: webhookSecret,
  /** The id in the event, `mtg_…`. Default: `mtg_1`, which the emulator's default account has. */
  meetingId: z.optional(idParam("meetingId")),
  /** Whether the event may be sent to another host than this machine. Default: false. */
  allow: z.optional(z.boolean()),
  /** The wait before each retry, in milliseconds. Default: 1,000, 10,000 and 60,000, like the service (documented). */
  retryDelaysMs: z.optional(readonlyArray(emulatorMilliseconds)),
  /** How long the endpoint may take, in milliseconds. Default: 10,000, like the service (documented). */
  timeoutMs: z.optional(emulatorMilliseconds),
  /** Aborts the delivery, during an attempt or between two attempts. */
  signal: z.optional(abortSignal()),
  /** Called after each attempt, with the wait before the next attempt, if there is one. */
  onAttempt: z.optional(functionOf<(attempt: EventAttempt, next: NextAttempt) => void>()),
};

export interface SendEventOptions extends Infer<typeof sendEventOptions> {}

export const sendEventSchema = z.strictObject(sendEventOptions);

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

/** `undefined` for a URL that no event can be sent to: `fetch` refuses credentials, and its message repeats them. */
export function endpointOf(url: string): URL | undefined {
  const endpoint = httpUrl(url);
  return endpoint?.username || endpoint?.password ? undefined : endpoint;
}

/** @throws {EmulatorError} for an invalid URL, or another host than this machine without `allow` */
export function ownEndpoint(name: string, url: string, allow: boolean | undefined): string {
  const target = endpointOf(url);
  if (target === undefined) throw new EmulatorError(`${name}: expected an http: or https: URL without credentials`);
  if (!isLoopbackHost(target.hostname) && allow !== true) {
    throw new EmulatorError(
      `${name}: ${target.hostname} is not this machine; to send a signed event to it, set allow: true (--allow)`,
    );
  }
  return target.href;
}

export async function deliverEvent(
  url: string,
  body: string,
  options: Omit<SendEventOptions, "kind">,
): Promise<SentEvent> {
  const { secret, signal, onAttempt, timeoutMs, retryDelaysMs = DELIVERY_RETRY_DELAYS_MS } = options;
  const signed = await signDelivery({ body, corrupt: null }, secret);
  const attempts: EventAttempt[] = [];
  for (let retry = 0; ; retry += 1) {
    throwIfAborted(signal);
    // The clock of the system may be set while the endpoint works.
    const startedAt = performance.now();
    const result = await attemptDelivery(url, signed, signal, { timeoutMs });
    throwIfAborted(signal);
    const attempt = { ...result, durationMs: Math.round(performance.now() - startedAt) };
    attempts.push(attempt);
    const nextDelayMs = isRetried(attempt) ? retryDelaysMs[retry] : undefined;
    onAttempt?.(attempt, { nextDelayMs });
    if (nextDelayMs === undefined) return { accepted: isSuccess(attempt), attempts, ...signed };
    await pause(nextDelayMs, signal);
  }
}
