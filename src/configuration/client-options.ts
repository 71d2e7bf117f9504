/** The options of a client: their types, what is checked of them, and their defaults. */
import * as z from "zod/mini";
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
import type { Fetch, FetchOptions, HeadersOption } from "../transport/fetch.js";
import { fetchOptionsSchema, headersOptionSchema } from "../transport/fetch.js";
import type { LogFunction, Logger } from "../transport/logger.js";
import type { Middleware } from "../transport/middleware.js";
import { limitsShape } from "../transport/request-options.js";
import type { RetryReport } from "../transport/retry-policy.js";
import type { ThrottleReport } from "../transport/throttle/throttle.js";
import { type ThrottleOption, throttleSchema } from "../transport/throttle/throttle-options.js";
import type { Token } from "../transport/token.js";
import type { ValidationMode } from "../transport/transport-config.js";
import { UNSHOWN_DOCUMENT_TITLES, UNSHOWN_QUERY, type UnshownOverrides } from "../unshown.js";

/** Options of the client. Each is optional; `baseUrl` and `token` may come from the environment. */
export interface ClientOptions {
  /**
   * The service's base URL: absolute, ends in `/v1`, without query, hash or credentials; `http:` only for a loopback
   * host, unless `allowInsecureHttp` is true. Default: the environment variable `NOTETAKER_BASE_URL`.
   */
  baseUrl?: string | undefined;
  /** The API token from the account dashboard. Default: the environment variable `NOTETAKER_TOKEN`. */
  token?: Token | undefined;
  /**
   * The time that one attempt may take in milliseconds, from the first byte sent to the last byte read. For uploads and
   * downloads: the longest time without progress. It also bounds a token function. Default 30,000.
   */
  timeoutMs?: number | undefined;
  /** The time that a whole call may take in milliseconds: every attempt, every wait, the body. Default: no limit. */
  deadlineMs?: number | undefined;
  /** The maximum number of retries per call. Default 2. */
  maxRetries?: number | undefined;
  /**
   * The longest wait between two attempts, in milliseconds. If the service asks for a longer one, the error is thrown
   * at once. Default 60,000.
   */
  maxRetryDelayMs?: number | undefined;
  /**
   * The longest response body in bytes, counted after decompression. A longer one ends in a `ResponseValidationError`,
   * which is never retried; an error response still throws the error class of its status. Recordings may be longer.
   * Default 67,108,864 (64 MiB).
   */
  maxResponseBytes?: number | undefined;
  /** Allows `http:` for hosts other than loopback ones: an emulator in another container. Default `false`. */
  allowInsecureHttp?: boolean | undefined;
  /**
   * Called with a URL (a string) and an init, whose `signal` is a new one for each attempt. Default: the global `fetch`
   * as it is at the time of the call.
   */
  fetch?: Fetch | undefined;
  /** Further members of the init that `fetch` gets. See {@link FetchOptions}. */
  fetchOptions?: FetchOptions | undefined;
  /** Sent with every request. */
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
   * Receives one record per attempt ({@link AttemptRecord}), never with a token, a body or a recording link: an object
   * with the methods `debug`, `info`, `warn` and `error`, or one function. Default: silent.
   */
  logger?: Logger | LogFunction | undefined;
  /**
   * Functions around each attempt, the first one outermost: for tracing, recording, extra headers. `next` sends the
   * request; what a function returns replaces the response.
   */
  middleware?: readonly Middleware[] | undefined;
  /**
   * Holds calls back before they are sent, so that the limits of the account are kept: `true` for the service's own, an
   * object for others, `redisThrottle(…)` of `notetaker-sdk/redis` for several processes. The wait is not part of
   * `timeoutMs`, but of `deadlineMs`. Default: off.
   */
  throttle?: ThrottleOption | undefined;
  /** Called before each wait of the throttle. What it throws ends the call. */
  onThrottle?: ((report: ThrottleReport) => void) | undefined;
  /** Called before each wait for a retry. What it throws ends the call. */
  onRetry?: ((report: RetryReport) => void) | undefined;
  /**
   * Further hosts whose links `meetings.sendBot` accepts, with their subdomains: `["meet.example.com"]`. Default: those
   * of Zoom, Google Meet, Microsoft Teams and Webex alone.
   */
  conferenceHosts?: readonly string[] | undefined;
  /** Default `strict`. See {@link ValidationMode}. */
  validation?: ValidationMode | undefined;
  /** Other names for the query parameters that the interface does not show. */
  unshown?: UnshownOverrides | undefined;
}

const LOG_LEVELS = ["debug", "info", "warn", "error"] as const;

const isLogger = (value: unknown) =>
  typeof value === "function" ||
  LOG_LEVELS.every((level) => typeof (value as Partial<Logger> | null | undefined)?.[level] === "function");

const isHostName = (value: string) => /^[a-z0-9-]+([.][a-z0-9-]+)+$/i.test(value);

/** A schema for each key of `table`. */
const shapeFor = (table: object, schema: (value: object) => z.ZodMiniType) =>
  Object.fromEntries(Object.entries(table).map(([key, value]) => [key, schema(value)]));

const name = z.optional(nonEmptyString());
const queryNames = shapeFor(UNSHOWN_QUERY, (names) => z.optional(z.strictObject(shapeFor(names, () => name))));
const documentNames = {
  ...shapeFor(UNSHOWN_QUERY.documents, () => name),
  titles: z.optional(z.strictObject(shapeFor(UNSHOWN_DOCUMENT_TITLES, () => name))),
};

export const clientOptionsSchema = optionsSchema<ClientOptions>()({
  // Checked apart: they may come from the environment, and their messages say what to set.
  baseUrl: z.optional(z.unknown()),
  token: z.optional(z.unknown()),
  ...limitsShape,
  maxRetryDelayMs: z.optional(numberOf((value) => value >= 0, "milliseconds, 0 or more")),
  maxResponseBytes: z.optional(numberOf((value) => value >= 1, "bytes, 1 or more")),
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
  unshown: z.optional(z.strictObject({ ...queryNames, documents: z.optional(z.strictObject(documentNames)) })),
});

export const CLIENT_DEFAULTS = {
  timeoutMs: 30_000,
  maxRetries: 2,
  maxRetryDelayMs: 60_000,
  maxResponseBytes: 67_108_864,
  allowInsecureHttp: false,
  validation: "strict",
} as const;
