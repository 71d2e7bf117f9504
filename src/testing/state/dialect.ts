/**
 * The behaviour of a service that differs from the documented one in points that the API specification does not show.
 */

import { ASSUMED_PAGE_SIZE, type WireNames } from "../../assumptions.js";
import { PAGE_SIZE_MAX } from "../../schemas/page.js";

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
