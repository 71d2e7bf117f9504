import * as z from "zod/mini";
import { assumptionsSchema } from "../schemas/assumptions-option.js";
import { conferenceHost } from "../schemas/bot.js";
import {
  custom,
  enumOf,
  functionOf,
  type Infer,
  nonEmptyString,
  numberOf,
  readonlyArray,
  requestObject,
  type Schema,
  unchecked,
} from "../schemas/primitives.js";
import type { Throttle, ThrottleReport } from "../throttle/throttle.js";
import { type ThrottleLimits, throttleSchema } from "../throttle/throttle-options.js";
import { type Fetch, fetchOptionsSchema, headersOptionSchema } from "./fetch.js";
import type { LogFunction, Logger } from "./logger.js";
import type { Middleware, Token, ValidationMode } from "./option-types.js";
import { requestOptionsShape } from "./request-options.js";
import type { RetryReport } from "./retry-policy.js";

export const LOG_LEVELS = ["debug", "info", "warn", "error"] as const;

const isLogger = (value: unknown) =>
  typeof value === "function" ||
  LOG_LEVELS.every((level) => typeof (value as Partial<Logger> | null | undefined)?.[level] === "function");

const clientOptions = {
  /**
   * The service's URL: absolute, ends in `/v1`, without query, hash or credentials. `http:` only for loopback hosts,
   * unless `allowInsecureHttp` is true. Default: the environment variable `NOTETAKER_BASE_URL`.
   */
  // `configuration.ts` checks it, and the token: they may come from the environment.
  baseUrl: unchecked<string>(),
  /** The API token, or a function that returns it. Default: the environment variable `NOTETAKER_TOKEN`. */
  token: unchecked<Token>(),
  /** The limit of one attempt, in ms, token function included; of a transfer, without progress. Default 30,000. */
  timeoutMs: z._default(requestOptionsShape.timeoutMs, 30_000),
  /** The time that a whole call may take, in milliseconds, with all its attempts and waits. Default: no limit. */
  deadlineMs: requestOptionsShape.deadlineMs,
  /** The maximum number of retries per call. Default 2. */
  maxRetries: z._default(requestOptionsShape.maxRetries, 2),
  /** The longest wait for a retry, in ms; if the service asks for more, its error is thrown. Default 60,000. */
  maxRetryDelayMs: z._default(
    numberOf((value) => value >= 0, "milliseconds, 0 or more", [0]),
    60_000,
  ),
  /** Longest body in bytes, decompressed, but for recordings; else `ResponseValidationError`. Default 67,108,864. */
  maxResponseBytes: z._default(
    numberOf((value) => value >= 1, "bytes, 1 or more", [1]),
    67_108_864,
  ),
  /** Allows `http:` for other than loopback hosts, such as an emulator in another container. Default `false`. */
  allowInsecureHttp: z._default(z.boolean(), false),
  /** Called with a URL and an init with a new `signal` each time. Default: the global `fetch` of that moment. */
  fetch: z.optional(functionOf<Fetch>()),
  /** Further members of the init that `fetch` gets. See {@link FetchOptions}. */
  fetchOptions: z._default(fetchOptionsSchema, () => ({})),
  /** Headers that are sent with every request. */
  headers: headersOptionSchema,
  /** The name and version of your application, added to `User-Agent` outside of browsers. */
  appInfo: z.optional(
    requestObject<{
      /** The name of your application. */
      readonly name: string;
      /** Its version. */
      readonly version?: string | undefined;
    }>({ name: nonEmptyString(), version: z.optional(nonEmptyString()) }),
  ),
  /**
   * Receives one record per attempt, without tokens, bodies and recording links: an object with the methods `debug`,
   * `info`, `warn` and `error`, or one function. Default: nothing is logged.
   */
  logger: z.optional(
    custom<Logger | LogFunction>(isLogger, `a function, or an object with the methods ${LOG_LEVELS.join(", ")}`),
  ),
  /** Around each attempt, the first outermost: `next` sends the request; the client reads what is returned. */
  middleware: z._default(readonlyArray(functionOf<Middleware>()), []),
  /**
   * Delays calls before they are sent, so that the limits of the account are not exceeded: `true` for the service's own
   * limits, an object for others, `redisThrottle(…)` of `notetaker-sdk/redis` for several processes. `deadlineMs`
   * includes the wait; `timeoutMs` does not. Default: off.
   */
  throttle: z.optional(throttleSchema as z.ZodMiniType as Schema<boolean | ThrottleLimits | Throttle>),
  /** Called before each wait of the throttle, and if it becomes longer. An error that it throws ends the call. */
  onThrottle: z.optional(functionOf<(report: ThrottleReport) => void>()),
  /** Called before each wait for a retry. An error that it throws ends the call. */
  onRetry: z.optional(functionOf<(report: RetryReport) => void>()),
  /** Further hosts of join links for `meetings.sendBot`, with subdomains: `["meet.example.com"]`. Default: none. */
  conferenceHosts: z._default(readonlyArray(conferenceHost()), []),
  /** How responses are checked: see {@link ValidationMode}. Default `strict`. */
  validation: z._default(enumOf<readonly ValidationMode[]>(["strict", "warn", "off"]), "strict"),
  /** Replacements for names that the API specification leaves open: query parameters, texts in titles of documents. */
  assumptions: assumptionsSchema,
};

export interface ClientOptions extends Infer<typeof clientOptions> {}

export const clientOptionsSchema = z.strictObject(clientOptions);

export type CheckedOptions = z.output<typeof clientOptionsSchema>;
