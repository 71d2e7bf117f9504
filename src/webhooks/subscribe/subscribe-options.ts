import * as z from "zod/mini";
import type { AnyNotetakerError } from "../../errors/error-classes.js";
import {
  enumOf,
  functionOf,
  type Infer,
  objectWith,
  positiveNumber,
  type Schema,
  unchecked,
} from "../../schemas/primitives.js";

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
  /** The option of `subscribe`, if it was given. */
  credentials?: "omit" | "same-origin" | "include";
  /** No cached response is used. Absent in runtimes that do not support the option. */
  cache?: "no-store";
}

/** Any `fetch` whose bodies are streams of the web. Called with a URL, never with a `Request`. */
export type SubscribeFetch = (url: string, init: StreamRequestInit) => Promise<StreamResponse>;

/** Why and when a subscription connects again. */
export interface Reconnection {
  /** The wait before the next connection, in milliseconds. */
  delayMs: number;
  /** Why the connection ended; `undefined` if the server closed it properly. */
  error: AnyNotetakerError | undefined;
}

/** It opens a connection, has an open one, waits before the next, or has ended and will not connect again. */
export type SubscriptionState = "connecting" | "open" | "waiting" | "ended";

const subscribeOptions = {
  /** Sent with every connection. A function is called before each, for a token that expires. */
  headers: unchecked<HeadersInput | (() => HeadersInput | Promise<HeadersInput>)>(),
  /** `"include"` sends cookies to another origin, too, which the relay's `cors` has to allow. Default `"same-origin"`. */
  credentials: z.optional(enumOf(["omit", "same-origin", "include"])),
  /**
   * Resume after this event: {@link Subscription.lastEventId} of an earlier subscription. Default: begin with the next
   * event. An id of more than 8,000 characters, or with others than printable ASCII, is ignored.
   */
  lastEventId: z.optional(z.string()),
  /** Ends the subscription at once: the next step rejects with the signal's reason. */
  signal: z.optional(objectWith("addEventListener", "removeEventListener") as Schema<AbortSignal>),
  /** Called with the URL (a string) and an init. Default: the global `fetch` at the time of each connection. */
  fetch: z.optional(functionOf<SubscribeFetch>()),
  /** After so many milliseconds without data, it connects again. Default 45,000: five heartbeats of the relay. */
  staleAfterMs: z.optional(positiveNumber),
  /** Called before each wait between two connections. */
  onReconnect: z.optional(functionOf<(reconnection: Reconnection) => void>()),
  /** Called with each new state; with `"ended"`, also with the error that the loop throws, if there is one. */
  onState: z.optional(functionOf<(state: SubscriptionState, error?: unknown) => void>()),
  /** Allows `http:` to other machines: headers and events then travel in the open. Default `false`. */
  allowInsecureHttp: z.optional(z.boolean()),
};

export interface SubscribeOptions extends Infer<typeof subscribeOptions> {}

export const subscribeOptionsSchema = z.strictObject(subscribeOptions);
