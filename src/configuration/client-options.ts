/** The options of a client: their types and their checks. */
import * as z from "zod/mini";
import type { AssumptionOverrides } from "../assumptions.js";
import { assumptionsSchema } from "../schemas/assumptions.js";
import {
  custom,
  enumOf,
  functionSchema,
  nonEmptyString,
  numberOf,
  optionsSchema,
  readonlyArray,
  requestObject,
  stringOf,
} from "../schemas/primitives.js";
import type { ThrottleReport } from "../throttle/throttle.js";
import { type ThrottleOption, throttleSchema } from "../throttle/throttle-options.js";
import type { Fetch, FetchOptions, HeadersOption } from "../transport/fetch.js";
import { fetchOptionsSchema, headersOptionSchema } from "../transport/fetch.js";
import type { LogFunction, Logger } from "../transport/logger.js";
import { limitsShape } from "../transport/request-options.js";
import type { RetryReport } from "../transport/retry-policy.js";
import type { Middleware, Token, ValidationMode } from "../transport/transport-config.js";

/** Options of the client. Each is optional; `baseUrl` and `token` may come from the environment. */
export interface ClientOptions {
  /**
   * The service's base URL: absolute, ends in `/v1`, without query, hash or credentials. `http:` is allowed only for a
   * loopback host, unless `allowInsecureHttp` is true. Default: the environment variable `NOTETAKER_BASE_URL`.
   */
  baseUrl?: string | undefined;
  /** The API token from the account dashboard. Default: the environment variable `NOTETAKER_TOKEN`. */
  token?: Token | undefined;
  /**
   * The time that one attempt may take, in milliseconds, from the first byte sent to the last byte read. For uploads
   * and downloads: the longest time without progress. It also limits each call of a token function. Default 30,000.
   */
  timeoutMs?: number | undefined;
  /** The time that a whole call may take, in milliseconds, with all its attempts and waits. Default: no limit. */
  deadlineMs?: number | undefined;
  /** The maximum number of retries per call. Default 2. */
  maxRetries?: number | undefined;
  /**
   * The longest wait between two attempts, in milliseconds. If the service asks for a longer wait, the error is thrown
   * at once. Default 60,000.
   */
  maxRetryDelayMs?: number | undefined;
  /**
   * The longest response body in bytes, counted after decompression. A longer body ends in a `ResponseValidationError`,
   * which is never retried. An error response of any length throws the error class of its status. The limit does not
   * apply to recordings. Default 67,108,864 (64 MiB).
   */
  maxResponseBytes?: number | undefined;
  /**
   * Allows `http:` for hosts that are not loopback hosts, such as an emulator in another container. Default `false`.
   */
  allowInsecureHttp?: boolean | undefined;
  /**
   * Called with a URL (a string) and an init, which has a new `signal` for each attempt. Default: the global `fetch`,
   * which is read for each request.
   */
  fetch?: Fetch | undefined;
  /** Further members of the init that `fetch` gets. See {@link FetchOptions}. */
  fetchOptions?: FetchOptions | undefined;
  /** Headers that are sent with every request. */
  headers?: HeadersOption | undefined;
  /** The name and version of your application, added to `User-Agent` outside of browsers. */
  appInfo?:
    | {
        /** The name of your application. */
        readonly name: string;
        /** Its version. */
        readonly version?: string | undefined;
      }
    | undefined;
  /**
   * Receives one record per attempt ({@link AttemptRecord}): an object with the methods `debug`, `info`, `warn` and
   * `error`, or one function. A record never contains a token, a body or a recording link. Default: nothing is logged.
   */
  logger?: Logger | LogFunction | undefined;
  /**
   * Functions around each attempt, for tracing, recording or extra headers; the first is the outermost. `next` sends
   * the request, and the function returns the response that the client then reads.
   */
  middleware?: readonly Middleware[] | undefined;
  /**
   * Delays calls before they are sent, so that the limits of the account are not exceeded. `true` enforces the
   * service's own limits, and an object sets other limits. `redisThrottle(…)` of `notetaker-sdk/redis` enforces them
   * across several processes. `deadlineMs` includes the wait; `timeoutMs` does not. Default: off.
   */
  throttle?: ThrottleOption | undefined;
  /**
   * Called before each wait of the throttle, and again if the wait becomes longer. An error that it throws ends the
   * call.
   */
  onThrottle?: ((report: ThrottleReport) => void) | undefined;
  /** Called before each wait for a retry. An error that it throws ends the call. */
  onRetry?: ((report: RetryReport) => void) | undefined;
  /**
   * Further hosts whose links `meetings.sendBot` accepts, with their subdomains: `["meet.example.com"]`. Default: none
   * besides the hosts of Zoom, Google Meet, Microsoft Teams and Webex.
   */
  conferenceHosts?: readonly string[] | undefined;
  /** How responses are checked: see {@link ValidationMode}. Default `strict`. */
  validation?: ValidationMode | undefined;
  /**
   * Replacements for names that the API specification does not show: query parameters, and texts in titles of
   * documents.
   */
  assumptions?: AssumptionOverrides | undefined;
}

const LOG_LEVELS = ["debug", "info", "warn", "error"] as const;

const isLogger = (value: unknown) =>
  typeof value === "function" ||
  LOG_LEVELS.every((level) => typeof (value as Partial<Logger> | null | undefined)?.[level] === "function");

const isHostName = (value: string) => /^[a-z0-9-]+([.][a-z0-9-]+)+$/i.test(value);

export const clientOptionsSchema = optionsSchema<ClientOptions>()({
  // `configuration.ts` checks these two: they may come from the environment, and their messages say what to set.
  baseUrl: z.optional(z.unknown()),
  token: z.optional(z.unknown()),
  ...limitsShape,
  maxRetryDelayMs: z.optional(numberOf((value) => value >= 0, "milliseconds, 0 or more", [0])),
  maxResponseBytes: z.optional(numberOf((value) => value >= 1, "bytes, 1 or more", [1])),
  allowInsecureHttp: z.optional(z.boolean()),
  fetch: z.optional(functionSchema),
  fetchOptions: fetchOptionsSchema,
  headers: headersOptionSchema,
  appInfo: z.optional(requestObject({ name: nonEmptyString(), version: z.optional(nonEmptyString()) })),
  logger: z.optional(custom(isLogger, `a function, or an object with the methods ${LOG_LEVELS.join(", ")}`)),
  middleware: z.optional(readonlyArray(functionSchema)),
  throttle: z.optional(throttleSchema),
  onThrottle: z.optional(functionSchema),
  onRetry: z.optional(functionSchema),
  conferenceHosts: z.optional(readonlyArray(stringOf(isHostName, "a host name such as meet.example.com"))),
  validation: z.optional(enumOf(["strict", "warn", "off"])),
  assumptions: assumptionsSchema,
});
