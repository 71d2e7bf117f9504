import * as z from "zod/mini";
import { ASSUMED_QUERY, type AssumptionOverrides } from "../assumptions.js";
import { assumptionsSchema } from "../schemas/assumptions.js";
import type { Issue } from "../schemas/format-issues.js";
import { parseUrl } from "../schemas/http-url.js";
import { PAGE_SIZE_MAX, PAGE_SIZE_MIN } from "../schemas/page.js";
import { custom, enumOf, functionSchema, nonEmptyString, numberOf, optionsSchema } from "../schemas/primitives.js";
import { milliseconds, mistakesIn, stringOr } from "./emulator-error.js";
import type { RecordedRequest } from "./http/requests.js";
import type { Seed } from "./seed/seed.js";
import { type DialectOptions, ENFORCED_LIMITS, type HeldLimits, LIFE_TIMES, type LifeTimes } from "./state/settings.js";

/** The durations of steps that differ from the defaults. */
export type LifeOptions = { [T in keyof LifeTimes]?: LifeTimes[T] | undefined };

/** Options of `createEmulator`. */
export interface EmulatorOptions {
  /** The token that requests must have. Default: 64 hexadecimal characters made from the seed number. */
  token?: string | undefined;
  /**
   * The content of the account: a {@link Seed}, or a number that determines the ids of the default account. Two
   * emulators with the same seed give the same responses, byte for byte. Default: 1, in which `room_1`, its completed
   * meeting `mtg_1`, that meeting's summary `doc_1` and the calendar event `evt_1` exist.
   */
  seed?: Seed | number | undefined;
  /**
   * Several accounts, instead of `token` and `seed`: an object with the token of each account as the key and its seed
   * as the value. The controls of the emulator itself are those of the first account; `service.as(token)` has the
   * controls of each account.
   */
  accounts?: Readonly<Record<string, Seed | number>> | undefined;
  /**
   * The time at the start: a `Date`, milliseconds since 1970 or a timestamp. Then the clock moves only by
   * `clock.advance`. A function instead is a clock to follow, such as `Date.now` for real time. Default: 2 June 2025,
   * 09:00 UTC.
   */
  now?: Date | number | string | (() => number | Date) | undefined;
  /**
   * How many times faster than the function in `now` the emulator's clock runs. With 60, a minute takes a second.
   * Default: 1.
   */
  speed?: number | undefined;
  /** The base URL of the emulated service, ending in `/v1`. Default: `https://api.notetaker.test/v1`. */
  baseUrl?: string | undefined;
  /**
   * Whether unknown routes, parameters and fields are refused, with a message that says what was expected. Default:
   * true.
   */
  strict?: boolean | undefined;
  /**
   * Which rate limits are enforced. `"specified"` (default): those of the API specification (10 a minute and 60 an hour
   * for bots, 10 a minute for uploads). `"all"`: also those known from other public sources (60 requests a minute for
   * the other endpoints, 20 created webhooks a minute). `"none"`: no limit. The response headers report the limits in
   * any case.
   */
  limits?: HeldLimits | undefined;
  /**
   * How long each step of a bot and of a meeting takes. The steps happen when the clock reaches their time. With
   * `"manual"`, a step happens only when a test calls it.
   */
  life?: "manual" | LifeOptions | undefined;
  /**
   * Decides which webhook URLs are called. Default: those of this machine. Deliveries to other URLs are recorded as
   * skipped, unless `webhooks.deliverTo` handles them.
   */
  allowDeliveryTo?: ((url: URL) => boolean) | undefined;
  /** Called with each request, once its response is known. */
  onRequest?: ((request: RecordedRequest) => void) | undefined;
  /** The names that the API specification does not show, in the form of the client's `assumptions` option. */
  assumptions?: AssumptionOverrides | undefined;
  /** Differences from the documented service: page sizes, and how unknown or unsupported parameters are treated. */
  dialect?: DialectOptions | undefined;
}

const seedSchema = custom<Seed | number>(
  (value) => Number.isInteger(value) || (typeof value === "object" && value !== null),
  "an object or an integer",
);

const pageSize = z.optional(
  numberOf(
    (size) => Number.isInteger(size) && size >= PAGE_SIZE_MIN && size <= PAGE_SIZE_MAX,
    `an integer from ${PAGE_SIZE_MIN} to ${PAGE_SIZE_MAX}`,
  ),
);

/** A schema for each key of `table`. */
const anyOf = <V>(table: Readonly<Record<string, V>>, schemaOf: (value: V) => z.ZodMiniType) =>
  Object.fromEntries(Object.entries(table).map(([key, value]) => [key, z.optional(schemaOf(value))]));

const dialectSchema = optionsSchema<DialectOptions>()({
  unknownParameters: z.optional(
    custom((value) => value === "ignore" || value === 400 || value === 422, '"ignore", 400 or 422'),
  ),
  maxPageSize: pageSize,
  defaultPageSize: pageSize,
  ignoredParameters: z.optional(z.strictObject(anyOf(ASSUMED_QUERY, (names) => z.array(enumOf(Object.keys(names)))))),
});

const isTime = (value: unknown) =>
  typeof value === "function" || !Number.isNaN(new Date(value as string | number | Date).getTime());

const isBaseUrl = (value: unknown) => typeof value === "string" && baseUrlOf(value) !== undefined;

/** The base URL without a trailing slash, or `undefined` if `text` is not a base URL. */
export function baseUrlOf(text: string): string | undefined {
  const url = text.replace(/\/$/, "");
  return /^https?:\/\/[^?#]*\/v1$/.test(url) && parseUrl(url) !== undefined ? url : undefined;
}

const received = (expected: string) => ({
  error: ({ input }: { input?: unknown }) => `expected ${expected}, received ${String(input)}`,
});

const emulatorOptionsSchema = optionsSchema<EmulatorOptions>()({
  token: z.optional(nonEmptyString()),
  seed: z.optional(seedSchema),
  accounts: z.optional(z.record(z.string(), seedSchema)),
  now: z.optional(z.custom<unknown>(isTime, received("a Date, milliseconds, a timestamp or a function"))),
  speed: z.optional(numberOf((speed) => Number.isFinite(speed) && speed > 0, "a number above 0")),
  baseUrl: z.optional(z.custom<string>(isBaseUrl, received("an absolute URL that ends in /v1"))),
  strict: z.optional(z.boolean()),
  limits: z.optional(enumOf(ENFORCED_LIMITS)),
  life: z.optional(
    stringOr(enumOf(["manual"]), z.strictObject(anyOf({ ...LIFE_TIMES }, () => milliseconds)), "option"),
  ),
  allowDeliveryTo: z.optional(functionSchema),
  onRequest: z.optional(functionSchema),
  assumptions: assumptionsSchema,
  dialect: z.optional(dialectSchema),
});

/**
 * Finds the mistakes in an emulator's options. Tests are often JavaScript, where a misspelt option would have no effect
 * without this check.
 */
export function optionMistakes(options: EmulatorOptions): Issue[] {
  const mistakes = mistakesIn(emulatorOptionsSchema, options, "option");
  if (mistakes.length > 0) return mistakes;
  const { accounts, now, speed } = options;
  if (speed !== undefined && typeof now !== "function") {
    mistakes.push({ path: "speed", message: "needs a clock to follow, such as now: Date.now" });
  }
  if (accounts === undefined) return mistakes;
  for (const path of ["token", "seed"] as const) {
    if (options[path] !== undefined) mistakes.push({ path, message: "cannot be combined with accounts" });
  }
  const tokens = Object.keys(accounts);
  if (tokens.length === 0) mistakes.push({ path: "accounts", message: "expected at least one account" });
  if (tokens.includes("")) mistakes.push({ path: "accounts", message: "expected a token, received an empty string" });
  return mistakes;
}
