/** The settings of an emulator: durations, limits, and differences from the documented service. */
import { ASSUMED_PAGE_SIZE, type WireNames } from "../../assumptions.js";
import { PAGE_SIZE_MAX } from "../../schemas/page.js";

/** How long each step of a bot and a meeting takes, in milliseconds of the emulator's clock. */
export interface LifeTimes {
  /** From the request for a bot until the bot is created and its meeting appears. Default: 2,000. */
  createMs: number;
  /** From the creation of the bot until it is admitted to the call. Default: 5,000. */
  admitMs: number;
  /** The length of a call. Default: 60,000. */
  callMs: number;
  /** From the end of the call, or from the upload, until the transcript is ready. Default: 20,000. */
  transcribeMs: number;
  /** From the transcript until the initial summary is ready. Default: 10,000. */
  summariseMs: number;
  /** From the request to cancel a bot until it is cancelled. Default: 2,000. */
  cancelMs: number;
}

export const LIFE_TIMES: LifeTimes = {
  createMs: 2_000,
  admitMs: 5_000,
  callMs: 60_000,
  transcribeMs: 20_000,
  summariseMs: 10_000,
  cancelMs: 2_000,
};

/** The defaults with `overrides`; an override of `undefined` keeps the default. */
export function lifeTimes(overrides: object): LifeTimes {
  return { ...LIFE_TIMES, ...Object.fromEntries(Object.entries(overrides).filter(([, ms]) => ms !== undefined)) };
}

export const ENFORCED_LIMITS = ["specified", "all", "none"] as const;

/**
 * Which rate limits are enforced. `specified`: those of the API specification. `all`: also those known from other
 * public sources (60 requests a minute for most endpoints, 20 webhooks created a minute). `none`: no limit.
 */
export type HeldLimits = (typeof ENFORCED_LIMITS)[number];

/** The parameters that a service ignores, by their meaning in the groups of the `assumptions` option. */
export type IgnoredParameters = {
  readonly [G in keyof WireNames]?: readonly (keyof WireNames[G])[] | undefined;
};

/** How the emulator treats page sizes and parameters that the API specification does not define. */
export interface DialectOptions {
  /**
   * How an unknown query parameter is treated: `"ignore"`, or refused with status 400 (error envelope) or 422
   * (validation envelope). Default: with `strict`, refused with the endpoint's own envelope; otherwise ignored.
   */
  unknownParameters?: "ignore" | 400 | 422 | undefined;
  /**
   * The largest page that the service sends. A request for a larger page gets a page of this size, without an error.
   * Default: 100.
   */
  maxPageSize?: number | undefined;
  /** The page size of a request without one. Default: 25, or `maxPageSize` if that is smaller. */
  defaultPageSize?: number | undefined;
  /**
   * Parameters that the service does not support under any name, such as `{ rooms: ["search"], documents: ["format"]
   * }`. Default: none.
   */
  ignoredParameters?: IgnoredParameters | undefined;
}

/** The options with their defaults. */
export interface Dialect {
  readonly unknownParameters: "refuse" | "ignore" | 400 | 422;
  readonly maxPageSize: number;
  readonly defaultPageSize: number;
}

export function resolveDialect(options: DialectOptions, strict: boolean): Dialect {
  const { maxPageSize = PAGE_SIZE_MAX, unknownParameters = strict ? "refuse" : "ignore" } = options;
  const defaultPageSize = Math.min(options.defaultPageSize ?? ASSUMED_PAGE_SIZE, maxPageSize);
  return { unknownParameters, maxPageSize, defaultPageSize };
}

/** The wire names of the parameters in each group; `undefined` for a parameter that the service ignores. */
export type SupportedNames = Readonly<Record<keyof WireNames, Readonly<Record<string, string | undefined>>>>;

export function supportedNames(names: WireNames, ignoredParameters: IgnoredParameters = {}): SupportedNames {
  const groups = Object.entries(names).map(([group, wireNames]) => {
    const ignored: readonly string[] = ignoredParameters[group as keyof IgnoredParameters] ?? [];
    return [group, { ...wireNames, ...Object.fromEntries(ignored.map((name) => [name, undefined])) }];
  });
  return Object.fromEntries(groups);
}
