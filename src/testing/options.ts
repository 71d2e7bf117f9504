import * as z from "zod/mini";
import { documentTitles, wireNames } from "../assumptions.js";
import type { IssueInit } from "../checks/format-issues.js";
import { orUndefined } from "../json/or-undefined.js";
import { parseUrl } from "../links/http-url.js";
import { assumptionsSchema } from "../schemas/assumptions-option.js";
import { conferenceHost } from "../schemas/bot.js";
import {
  custom,
  enumOf,
  functionOf,
  type Infer,
  nonEmptyString,
  numberOf,
  parseTimestamp,
  readonlyArray,
  type Schema,
  stringOf,
} from "../schemas/primitives.js";
import { emulatorMilliseconds, mistakesIn, shapeOf } from "./emulator-error.js";
import type { RecordedRequest } from "./http/requests.js";
import { type Seed, type WebhookSeed, webhookSeedSchema } from "./seed/seed.js";

const stepTimes = {
  /** From the request for a bot until the bot is created and its meeting appears. Default: 2,000. */
  createMs: z._default(emulatorMilliseconds, 2_000),
  /** From the creation of the bot until it is admitted to the call. Default: 5,000. */
  admitMs: z._default(emulatorMilliseconds, 5_000),
  /** The length of a call. Default: 60,000. */
  callMs: z._default(emulatorMilliseconds, 60_000),
  /** From the end of the call, or from the upload, until the transcript is ready. Default: 20,000. */
  transcribeMs: z._default(emulatorMilliseconds, 20_000),
  /** From the transcript until the initial summary is ready. Default: 10,000. */
  summariseMs: z._default(emulatorMilliseconds, 10_000),
  /** From the request to cancel a bot until it is cancelled. Default: 2,000. */
  cancelMs: z._default(emulatorMilliseconds, 2_000),
};

const stepTimesSchema = z.strictObject(stepTimes);

/** How long steps of a bot and a meeting take, in milliseconds of the emulator's clock. */
export interface StepTimes extends Infer<typeof stepTimes> {}

export const ENFORCED_LIMITS = ["specified", "all", "none"] as const;

/** Which rate limits are enforced: see {@link EmulatorOptions.limits}. */
export type EnforcedLimits = (typeof ENFORCED_LIMITS)[number];

type StartTime = Date | number | string | (() => number | Date);

/** The option `now` in milliseconds since 1970; `NaN` if it is not a time. */
export const clockTime = (now: Date | number | string) =>
  new Date(typeof now === "string" ? parseTimestamp(now) : now).getTime();

// `new Date(null)` and `new Date(true)` are in 1970.
const isTime = (value: unknown) =>
  typeof value === "function" ||
  (value !== null &&
    typeof value !== "boolean" &&
    !Number.isNaN(orUndefined(() => clockTime(value as Date)) ?? Number.NaN));

const isBaseUrl = (url: string) => /^https?:\/\/[^?#]*\/v1\/?$/.test(url) && parseUrl(url) !== undefined;

const seedOption = custom<Seed | number>(
  (value) => Number.isInteger(value) || (typeof value === "object" && value !== null),
  "an object or an integer",
);

/** The mistakes of a name are those of a text, the mistakes of an object those of its fields. */
const stepTimesOption = z.unknown().check(({ value, issues }) => {
  const schema = typeof value === "string" ? enumOf(["manual"]) : stepTimesSchema;
  for (const { path, message } of mistakesIn(schema, value, "option")) {
    issues.push({ code: "custom", input: value, path: path === "" ? [] : [path], message });
  }
}) as z.ZodMiniType as Schema<"manual" | StepTimes>;

const emulatorOptions = {
  /** The token that requests must have. Default: 64 hexadecimal characters made from the seed number. */
  token: z.optional(nonEmptyString()),
  /**
   * The content of the account: a {@link Seed}, or a number, from which the ids of the default account are made. The
   * same seed gives the same responses, byte for byte. Default: 1, in which `room_1`, its completed meeting `mtg_1`,
   * that meeting's summary `doc_1` and the calendar event `evt_1` exist.
   */
  seed: z.optional(seedOption),
  /** Several accounts, instead of `token` and `seed`: the seed of each account, by its token. */
  accounts: z.optional(
    z.record(z.string(), seedOption) as z.ZodMiniType as Schema<Readonly<Record<string, Seed | number>>>,
  ),
  /** Webhooks in addition to those of the seeds. Default: none. */
  webhooks: z._default(
    readonlyArray(
      z.strictObject({
        ...shapeOf(webhookSeedSchema),
        token: z.optional(z.string()),
      }) as z.ZodMiniType as Schema<
        WebhookSeed & {
          /** The token of its account. Default: every account gets one. */
          token?: string | undefined;
        }
      >,
    ),
    [],
  ),
  /**
   * The time at the start: a `Date`, milliseconds since 1970 or a timestamp. The clock then moves only by
   * `clock.advance`. Or a clock to follow, such as `Date.now` for real time. Default: 2 June 2025, 09:00 UTC.
   */
  now: z.optional(custom<StartTime>(isTime, "a Date, milliseconds, a timestamp or a function")),
  /** How many times faster the clock of `now` runs; `Retry-After` is in real seconds. Default 1. */
  speed: z.optional(numberOf((speed) => Number.isFinite(speed) && speed > 0, "a number above 0")),
  /** The base URL of the emulated service, ending in `/v1`. Default: `https://api.notetaker.test/v1`. */
  baseUrl: z.optional(stringOf(isBaseUrl, "an absolute URL that ends in /v1")),
  /**
   * Whether what the API specification neither states nor the client assumes is refused: unknown routes, parameters,
   * fields, statuses, cursors, recipients and roles, JSON without its `Content-Type`, bots for events that have ended.
   * Default: true.
   */
  strict: z._default(z.boolean(), true),
  /**
   * Which rate limits are enforced, and reported in response headers. `"specified"` (default): those of the API
   * specification (10 a minute and 60 an hour for bots, 10 a minute for uploads). `"all"`: also those of other public
   * sources (60 requests a minute for the other endpoints, 20 created webhooks a minute). `"none"`: no limit.
   */
  limits: z._default(enumOf(ENFORCED_LIMITS), "specified"),
  /** How long each step of a bot and of a meeting takes. With `"manual"`, it happens only when a test calls it. */
  stepTimes: z.optional(stepTimesOption),
  /** Further hosts whose links `sendBot` accepts, like the client's option. Default: none. */
  conferenceHosts: z._default(readonlyArray(conferenceHost()), []),
  /** Called with each request, once its response is known. */
  onRequest: z.optional(functionOf<(request: RecordedRequest) => void>()),
  /** Other names of parameters, like the client's option. */
  assumptions: assumptionsSchema,
};

export interface EmulatorOptions extends Infer<typeof emulatorOptions> {}

const emulatorOptionsSchema = z.strictObject(emulatorOptions);

export function optionMistakes(options: EmulatorOptions): IssueInit[] {
  const mistakes = mistakesIn(emulatorOptionsSchema, options, "option");
  if (mistakes.length > 0) return mistakes;
  const { accounts, now, speed, webhooks = [] } = options;
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
  for (const [index, { token }] of webhooks.entries()) {
    if (token !== undefined && !tokens.includes(token)) {
      mistakes.push({ path: `webhooks[${index}].token`, message: "no account has this token" });
    }
  }
  return mistakes;
}

export type EmulatorSettings = ReturnType<typeof settingsOf>;

export function settingsOf(options: EmulatorOptions) {
  const { stepTimes = {}, assumptions, ...settings } = z.parse(emulatorOptionsSchema, options);
  return {
    ...settings,
    stepTimes: stepTimes === "manual" ? ("manual" as const) : z.parse(stepTimesSchema, stepTimes),
    names: wireNames(assumptions),
    titles: documentTitles(assumptions),
  } as const;
}
