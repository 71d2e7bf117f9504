import * as z from "zod/mini";
import {
  ASSUMED_PAGE_SIZE,
  ASSUMED_QUERY,
  type AssumptionOverrides,
  documentTitles,
  type WireNames,
  wireNames,
} from "../assumptions.js";
import type { IssueInit } from "../checks/format-issues.js";
import { orUndefined } from "../json/or-undefined.js";
import { textOf } from "../json/text-of.js";
import { isLoopbackHost, parseUrl } from "../links/http-url.js";
import { assumptionsSchema } from "../schemas/assumptions-option.js";
import { conferenceHost } from "../schemas/bot.js";
import { PAGE_SIZE_MAX, pageParams } from "../schemas/page.js";
import {
  custom,
  enumOf,
  functionSchema,
  nonEmptyString,
  numberOf,
  optionsSchema,
  parseTimestamp,
} from "../schemas/primitives.js";
import { emulatorMilliseconds, mistakesIn, stringOr } from "./emulator-error.js";
import type { RecordedRequest } from "./http/requests.js";
import { type Seed, type WebhookSeed, webhookSeedSchema } from "./seed/seed.js";

/** How long steps of a bot and a meeting take, in milliseconds of the emulator's clock. */
export interface StepTimes {
  /** From the request for a bot until the bot is created and its meeting appears. Default: 2,000. */
  createMs?: number | undefined;
  /** From the creation of the bot until it is admitted to the call. Default: 5,000. */
  admitMs?: number | undefined;
  /** The length of a call. Default: 60,000. */
  callMs?: number | undefined;
  /** From the end of the call, or from the upload, until the transcript is ready. Default: 20,000. */
  transcribeMs?: number | undefined;
  /** From the transcript until the initial summary is ready. Default: 10,000. */
  summariseMs?: number | undefined;
  /** From the request to cancel a bot until it is cancelled. Default: 2,000. */
  cancelMs?: number | undefined;
}

export const STEP_TIMES: { readonly [T in keyof StepTimes]-?: number } = {
  createMs: 2_000,
  admitMs: 5_000,
  callMs: 60_000,
  transcribeMs: 20_000,
  summariseMs: 10_000,
  cancelMs: 2_000,
};

export const ENFORCED_LIMITS = ["specified", "all", "none"] as const;

/** Which rate limits are enforced: see {@link EmulatorOptions.limits}. */
export type EnforcedLimits = (typeof ENFORCED_LIMITS)[number];

/** The parameters that a service ignores, by their meaning in the groups of the `assumptions` option. */
export type IgnoredParameters = {
  readonly [G in keyof WireNames]?: readonly (keyof WireNames[G])[] | undefined;
};

/** How the emulator treats page sizes and parameters that the API specification does not define. */
export interface ServiceVariant {
  /**
   * How an unknown query parameter is treated: `"ignore"`, or refused with status 400 (error envelope) or 422
   * (validation envelope). Default: with `strict`, refused with the endpoint's own envelope; otherwise ignored.
   */
  unknownParameters?: "ignore" | 400 | 422 | undefined;
  /** The largest page that the service sends, also if a request asks for a larger one. Default: 100. */
  maxPageSize?: number | undefined;
  /** The page size of a request without one. Default: 25, or `maxPageSize` if that is smaller. */
  defaultPageSize?: number | undefined;
  /** Parameters that the service does not know under any name, such as `{ rooms: ["search"] }`. Default: none. */
  ignoredParameters?: IgnoredParameters | undefined;
}

/** Options of `createEmulator`. */
export interface EmulatorOptions {
  /** The token that requests must have. Default: 64 hexadecimal characters made from the seed number. */
  token?: string | undefined;
  /**
   * The content of the account: a {@link Seed}, or a number, from which the ids of the default account are made. The
   * same seed gives the same responses, byte for byte. Default: 1, in which `room_1`, its completed meeting `mtg_1`,
   * that meeting's summary `doc_1` and the calendar event `evt_1` exist.
   */
  seed?: Seed | number | undefined;
  /** Several accounts, instead of `token` and `seed`: the seed of each account, by its token. */
  accounts?: Readonly<Record<string, Seed | number>> | undefined;
  /** Webhooks of each account, in addition to those of its seed. Default: none. */
  webhooks?: readonly WebhookSeed[] | undefined;
  /**
   * The time at the start: a `Date`, milliseconds since 1970 or a timestamp. The clock then moves only by
   * `clock.advance`. Or a clock to follow, such as `Date.now` for real time. Default: 2 June 2025, 09:00 UTC.
   */
  now?: Date | number | string | (() => number | Date) | undefined;
  /**
   * How many times faster than the function in `now` the emulator's clock runs: with 60, a minute takes a second. What
   * a response says in seconds (`Retry-After`) is in real ones. Default: 1.
   */
  speed?: number | undefined;
  /** The base URL of the emulated service, ending in `/v1`. Default: `https://api.notetaker.test/v1`. */
  baseUrl?: string | undefined;
  /**
   * Whether what the API specification neither states nor the client assumes is refused: unknown routes, parameters,
   * fields, statuses, cursors, recipients and roles, JSON without its `Content-Type`, bots for events that have ended.
   * Default: true.
   */
  strict?: boolean | undefined;
  /**
   * Which rate limits are enforced, and reported in response headers. `"specified"` (default): those of the API
   * specification (10 a minute and 60 an hour for bots, 10 a minute for uploads). `"all"`: also those of other public
   * sources (60 requests a minute for the other endpoints, 20 created webhooks a minute). `"none"`: no limit.
   */
  limits?: EnforcedLimits | undefined;
  /** How long each step of a bot and of a meeting takes. With `"manual"`, it happens only when a test calls it. */
  stepTimes?: "manual" | StepTimes | undefined;
  /**
   * What a finished call or upload has made can be read only so many milliseconds after its event or status, by the
   * emulator's clock: the transcript, the recording of a call, the documents, and a new meeting in the list. Default: 0.
   */
  lagMs?: number | undefined;
  /**
   * Which webhook URLs are called. Default: those of this machine. A delivery to any other URL is recorded as skipped,
   * unless `webhooks.deliverTo` handles it.
   */
  allowDeliveryTo?: ((url: URL) => boolean) | undefined;
  /** Further hosts whose links `sendBot` accepts, like the client's option. Default: none. */
  conferenceHosts?: readonly string[] | undefined;
  /** Called with each request, once its response is known. */
  onRequest?: ((request: RecordedRequest) => void) | undefined;
  /** Other names of parameters, like the client's option. */
  assumptions?: AssumptionOverrides | undefined;
  /** Differences from the documented service. */
  serviceVariant?: ServiceVariant | undefined;
}

const seedOptionSchema = custom<Seed | number>(
  (value) => Number.isInteger(value) || (typeof value === "object" && value !== null),
  "an object or an integer",
);

/** A schema for each key of `table`. */
const anyOf = <V>(table: Readonly<Record<string, V>>, schemaOf: (value: V) => z.ZodMiniType) =>
  Object.fromEntries(Object.entries(table).map(([key, value]) => [key, z.optional(schemaOf(value))]));

const serviceVariantSchema = optionsSchema<ServiceVariant>()({
  unknownParameters: z.optional(
    custom((value) => value === "ignore" || value === 400 || value === 422, '"ignore", 400 or 422'),
  ),
  maxPageSize: pageParams.limit,
  defaultPageSize: pageParams.limit,
  ignoredParameters: z.optional(z.strictObject(anyOf(ASSUMED_QUERY, (names) => z.array(enumOf(Object.keys(names)))))),
});

/** The option `now` in milliseconds since 1970; `NaN` if it is not a time. */
export const clockTime = (now: Date | number | string) =>
  new Date(typeof now === "string" ? parseTimestamp(now) : now).getTime();

// `new Date(null)` and `new Date(true)` are in 1970.
const isTime = (value: unknown) =>
  typeof value === "function" ||
  (value !== null &&
    typeof value !== "boolean" &&
    !Number.isNaN(orUndefined(() => clockTime(value as Date)) ?? Number.NaN));

const isBaseUrl = (value: unknown) =>
  typeof value === "string" && /^https?:\/\/[^?#]*\/v1\/?$/.test(value) && parseUrl(value) !== undefined;

const received = (expected: string) => ({
  error: ({ input }: { input?: unknown }) => `expected ${expected}, received ${textOf(input)}`,
});

const emulatorOptionsSchema = optionsSchema<EmulatorOptions>()({
  token: z.optional(nonEmptyString()),
  seed: z.optional(seedOptionSchema),
  accounts: z.optional(z.record(z.string(), seedOptionSchema)),
  webhooks: z.optional(z.array(webhookSeedSchema)),
  now: z.optional(z.custom<unknown>(isTime, received("a Date, milliseconds, a timestamp or a function"))),
  speed: z.optional(numberOf((speed) => Number.isFinite(speed) && speed > 0, "a number above 0")),
  baseUrl: z.optional(z.custom<string>(isBaseUrl, received("an absolute URL that ends in /v1"))),
  strict: z.optional(z.boolean()),
  limits: z.optional(enumOf(ENFORCED_LIMITS)),
  stepTimes: z.optional(
    stringOr(enumOf(["manual"]), z.strictObject(anyOf(STEP_TIMES, () => emulatorMilliseconds)), "option"),
  ),
  lagMs: z.optional(emulatorMilliseconds),
  allowDeliveryTo: z.optional(functionSchema),
  conferenceHosts: z.optional(z.array(conferenceHost())),
  onRequest: z.optional(functionSchema),
  assumptions: assumptionsSchema,
  serviceVariant: z.optional(serviceVariantSchema),
});

export function optionMistakes(options: EmulatorOptions): IssueInit[] {
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

/** The options of an emulator with their defaults. */
export type EmulatorSettings = ReturnType<typeof settingsOf>;

export function settingsOf({
  strict = true,
  limits = "specified",
  stepTimes = {},
  assumptions,
  ...rest
}: EmulatorOptions) {
  const { lagMs = 0, webhooks = [], conferenceHosts = [], serviceVariant = {}, onRequest } = rest;
  const { allowDeliveryTo = ({ hostname }: URL) => isLoopbackHost(hostname) } = rest;
  const { maxPageSize = PAGE_SIZE_MAX, defaultPageSize = ASSUMED_PAGE_SIZE, ignoredParameters = {} } = serviceVariant;
  return {
    ...{ strict, limits, stepTimes, lagMs, webhooks, conferenceHosts, ignoredParameters, maxPageSize },
    ...{ allowDeliveryTo, onRequest },
    /** The wire names of the parameters in each group. */
    names: wireNames(assumptions),
    /** The texts in the titles of generated documents. */
    titles: documentTitles(assumptions),
    unknownParameters: serviceVariant.unknownParameters ?? (strict ? "refuse" : "ignore"),
    defaultPageSize: Math.min(defaultPageSize, maxPageSize),
  } as const;
}
