/** The options of `subscribe`, with their checks and defaults. */
import * as z from "zod/mini";
import type { AnyNotetakerError } from "../../errors/any-notetaker-error.js";
import { ConfigurationError, checkOptions } from "../../errors/argument-errors.js";
import { isLoopbackHost, parseUrl } from "../../schemas/http-url.js";
import { functionSchema, objectWith, optionsSchema, positiveNumber } from "../../schemas/primitives.js";
import type { HeadersInput, SubscribeFetch } from "./open-stream.js";

/** Why and when a subscription connects again. */
export interface Reconnection {
  /** The wait before the next connection, in milliseconds. */
  delayMs: number;
  /** Why the connection ended; `undefined` if the server closed it properly. */
  error: AnyNotetakerError | undefined;
}

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
  /**
   * If nothing arrives for this long, in milliseconds, the connection is closed and opened again. Default 45,000: three
   * heartbeats of the relay.
   */
  staleAfterMs?: number | undefined;
  /** The largest event, in bytes; a larger one is an error. Default 2 MiB. */
  maxEventBytes?: number | undefined;
  /** Called before each wait between two connections. */
  onReconnect?: ((reconnection: Reconnection) => void) | undefined;
  /**
   * Allows `http:` to hosts other than this machine: the headers and events then travel in the open. Default `false`.
   */
  allowInsecureHttp?: boolean | undefined;
}

const subscribeOptionsSchema = optionsSchema<SubscribeOptions>()({
  // Checked before each connection.
  headers: z.optional(z.unknown()),
  lastEventId: z.optional(z.string()),
  signal: z.optional(objectWith("addEventListener", "removeEventListener")),
  fetch: z.optional(functionSchema),
  staleAfterMs: z.optional(positiveNumber),
  maxEventBytes: z.optional(positiveNumber),
  onReconnect: z.optional(functionSchema),
  allowInsecureHttp: z.optional(z.boolean()),
});

/** The options of a subscription, with defaults. */
export type SubscribeSettings = SubscribeOptions & { staleAfterMs: number; maxEventBytes: number };

/** The options with defaults. Throws `ConfigurationError` if an option is unknown or invalid. */
export function subscribeSettings(options: SubscribeOptions): SubscribeSettings {
  checkOptions("subscribe", subscribeOptionsSchema, options);
  const { staleAfterMs = 45_000, maxEventBytes = 2_097_152 } = options;
  return { ...options, staleAfterMs, maxEventBytes };
}

/**
 * @throws {ConfigurationError} {@link ConfigurationError} if the URL is invalid, has credentials, or uses `http:` to
 * another machine. The message does not show the URL.
 */
export function checkedStreamUrl(url: string | URL, allowInsecureHttp = false): URL {
  // In a browser, a URL may be relative to the page.
  const base = globalThis.location?.href;
  const parsed = parseUrl(String(url), base);
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol)) {
    throw new ConfigurationError("subscribe: url: expected an absolute http(s) URL");
  }
  if (parsed.username !== "" || parsed.password !== "") {
    throw new ConfigurationError("subscribe: url: expected a URL without credentials; send them as headers");
  }
  if (parsed.protocol === "http:" && !allowInsecureHttp && !isLoopbackHost(parsed.hostname)) {
    throw new ConfigurationError(
      "subscribe: url uses http:, which is allowed only for localhost. Use https:, or set allowInsecureHttp",
    );
  }
  return parsed;
}
