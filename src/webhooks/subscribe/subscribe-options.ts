import * as z from "zod/mini";
import type { AnyNotetakerError } from "../../errors/error-classes.js";
import { functionSchema, objectWith, optionsSchema, positiveNumber } from "../../schemas/primitives.js";

/** The headers that `fetch` accepts. */
export type HeadersInput = NonNullable<RequestInit["headers"]>;

/** The used part of a response. */
export interface StreamResponse {
  /** The HTTP status. */
  readonly status: number;
  /** Whether the status is a success, 200 to 299. */
  readonly ok: boolean;
  /** The headers. */
  readonly headers: {
    /** The value of a header, or `null` if the response does not have it. */
    get(name: string): string | null;
  };
  /** A `ReadableStream`. */
  readonly body?: unknown;
}

/** The options that `fetch` is called with. */
export interface StreamRequestInit {
  /** Every header, by its name. */
  headers: Record<string, string>;
  /** A new one for each connection. */
  signal: AbortSignal;
  /** Redirects are not followed. */
  redirect: "manual";
  /** No cached response is used. Absent in runtimes that do not support the option. */
  cache?: "no-store";
}

/**
 * Any implementation of `fetch` whose bodies are streams of the web, such as npm's undici: it is called with a URL,
 * never with a `Request`.
 */
export type SubscribeFetch = (url: string, init: StreamRequestInit) => Promise<StreamResponse>;

/** Why and when a subscription connects again. */
export interface Reconnection {
  /** The wait before the next connection, in milliseconds. */
  delayMs: number;
  /** Why the connection ended; `undefined` if the server closed it properly. */
  error: AnyNotetakerError | undefined;
}

/** What a subscription is doing: it opens a connection, has an open one, or waits before the next. */
export type SubscriptionState = "connecting" | "open" | "waiting";

/** Options of `subscribe`. */
export interface SubscribeOptions {
  /** Sent with every connection. A function is called before each, for a token that expires. */
  headers?: HeadersInput | (() => HeadersInput | Promise<HeadersInput>) | undefined;
  /**
   * Resume after this event: {@link Subscription.lastEventId} of an earlier subscription. Default: begin with the next
   * event. An id that a header cannot hold (more than 8,000 bytes, control characters) is ignored.
   */
  lastEventId?: string | undefined;
  /** Ends the subscription at once: the next step rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Called with the URL (a string) and an init. Default: the global `fetch` at the time of each connection. */
  fetch?: SubscribeFetch | undefined;
  /** After so many milliseconds without data, it connects again. Default 45,000: three heartbeats of the relay. */
  staleAfterMs?: number | undefined;
  /**
   * The largest event, in bytes. A larger one ends the loop with a `WebhookVerificationError` (`too_large`);
   * `lastEventId` is then its id, so that the next subscription continues after it. Default 2 MiB.
   */
  maxEventBytes?: number | undefined;
  /** Called before each wait between two connections. */
  onReconnect?: ((reconnection: Reconnection) => void) | undefined;
  /** Called with each new state. */
  onState?: ((state: SubscriptionState) => void) | undefined;
  /** Allows `http:` to other machines: headers and events then travel in the open. Default `false`. */
  allowInsecureHttp?: boolean | undefined;
}

export const subscribeOptionsSchema = optionsSchema<SubscribeOptions>()({
  // Checked before each connection.
  headers: z.optional(z.unknown()),
  lastEventId: z.optional(z.string()),
  signal: z.optional(objectWith("addEventListener", "removeEventListener")),
  fetch: z.optional(functionSchema),
  staleAfterMs: z.optional(positiveNumber),
  maxEventBytes: z.optional(positiveNumber),
  onReconnect: z.optional(functionSchema),
  onState: z.optional(functionSchema),
  allowInsecureHttp: z.optional(z.boolean()),
});
