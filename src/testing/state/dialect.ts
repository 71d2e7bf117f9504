/** How a service that is not quite the documented one behaves: what the interface does not show may differ. */
import { PAGE_SIZE_MAX } from "../../schemas/page.js";
import { UNSHOWN_PAGE_SIZE, type WireNames } from "../../unshown.js";

/** The meanings that a service ignores, by the groups of the `unshown` option. */
export type UnheededMeanings = {
  readonly [G in keyof WireNames]?: readonly (keyof WireNames[G])[] | undefined;
};

/** Which of the names that the interface leaves open the emulator uses. */
export interface DialectOptions {
  /**
   * What happens to a query parameter that the service does not know: `"ignore"`, or a refusal with status 400 (error
   * envelope) or 422 (validation envelope). Default: refused in the endpoint's own envelope if `strict`, else ignored.
   */
  unknownParameters?: "ignore" | 400 | 422 | undefined;
  /** The largest page that the service sends: a larger page size is cut to it without a word. Default: 100. */
  maxPageSize?: number | undefined;
  /** The page size if the request has none. Default: 25, or `maxPageSize` if that is smaller. */
  defaultPageSize?: number | undefined;
  /**
   * Parameters that the service does not know under any name, such as `{ rooms: ["search"], documents: ["format"] }`.
   * Default: none.
   */
  unheeded?: UnheededMeanings | undefined;
}

/** The options with their defaults. */
export interface Dialect {
  readonly unknownParameters: "refuse" | "ignore" | 400 | 422;
  readonly maxPageSize: number;
  readonly defaultPageSize: number;
}

export function resolveDialect(options: DialectOptions, strict: boolean): Dialect {
  const { maxPageSize = PAGE_SIZE_MAX, unknownParameters = strict ? "refuse" : "ignore" } = options;
  const defaultPageSize = Math.min(options.defaultPageSize ?? UNSHOWN_PAGE_SIZE, maxPageSize);
  return { unknownParameters, maxPageSize, defaultPageSize };
}

/** No request has such a name. */
const UNHEEDED = "\u0000";

export const isHeeded = (wireName: string) => !wireName.startsWith(UNHEEDED);

/** The wire names, with a name that no request has for each meaning that the service ignores. */
export function heededNames(names: WireNames, unheeded: UnheededMeanings = {}): WireNames {
  const groups = Object.entries(names).map(([group, wireNames]) => {
    const ignored: readonly string[] = unheeded[group as keyof UnheededMeanings] ?? [];
    const heeded = Object.entries(wireNames).map(([meaning, name]) => [
      meaning,
      ignored.includes(meaning) ? `${UNHEEDED}${meaning}` : name,
    ]);
    return [group, Object.fromEntries(heeded)];
  });
  return Object.fromEntries(groups);
}
