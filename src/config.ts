/** From the options of a client to its configuration. */
import * as z from "zod/mini";
import { ConfigurationError } from "./errors/configuration-error.js";
import { issuesText } from "./errors/message.js";
import type { ClientOptions, Logger } from "./options.js";
import { formatIssues } from "./schemas/format-issues.js";
import { custom, enumOf, nonEmptyString, numberOf, requestObject } from "./schemas/primitives.js";
import { checkedBaseUrl } from "./transport/base-url.js";
import type { TransportConfig } from "./transport/config.js";
import { aFunction, isObject, limits } from "./transport/request-options-schema.js";
import { UNSHOWN_QUERY, wireNames } from "./unshown.js";

const levels = ["debug", "info", "warn", "error"] as const;
const isLogger = (value: unknown) =>
  levels.every((level) => typeof (value as Partial<Logger> | null | undefined)?.[level] === "function");

/** An object with any of the keys of `table`, each held to what `schema` makes of its value. */
const anyOf = (table: object, schema: (value: object) => z.ZodMiniType) =>
  z.optional(z.strictObject(Object.fromEntries(Object.entries(table).map(([key, value]) => [key, schema(value)]))));

const clientOptionsSchema = requestObject({
  ...limits,
  baseUrl: z.optional(z.unknown()),
  token: z.optional(z.unknown()),
  maxRetryDelayMs: z.optional(numberOf((value) => value >= 0, "milliseconds, 0 or more")),
  fetch: z.optional(aFunction),
  headers: z.optional(custom(isObject, "an object of strings")),
  logger: z.optional(custom(isLogger, `an object with the methods ${levels.join(", ")}`)),
  middleware: z.optional(z.array(aFunction)),
  validation: z.optional(enumOf(["strict", "warn", "off"])),
  unshown: anyOf(UNSHOWN_QUERY, (names) => anyOf(names, () => z.optional(nonEmptyString()))),
});

const DEFAULTS: Omit<TransportConfig, "baseUrl" | "token" | "names"> = {
  timeoutMs: 30_000,
  deadlineMs: undefined,
  maxRetries: 2,
  maxRetryDelayMs: 60_000,
  fetch: undefined,
  headers: {},
  logger: undefined,
  middleware: [],
  validation: "strict",
};

/** Reads an environment variable where the runtime has such; an empty one counts as missing. */
function environment(name: string): string | undefined {
  try {
    return (globalThis as { process?: { env?: Record<string, string | undefined> } }).process?.env?.[name] || undefined;
  } catch {
    // Deno asks for a permission, and throws where it is denied.
    return undefined;
  }
}

/** Throws `ConfigurationError` for options with which no call could succeed. */
export function configuration(options: ClientOptions): TransportConfig {
  const result = z.safeParse(clientOptionsSchema, options);
  if (!result.success) {
    throw new ConfigurationError(
      `The client's options: ${issuesText(formatIssues(result.error.issues, options, clientOptionsSchema))}`,
    );
  }
  const baseUrl = checkedBaseUrl(options.baseUrl ?? environment("NOTETAKER_BASE_URL"));
  const token = options.token ?? environment("NOTETAKER_TOKEN");
  if ((typeof token !== "string" && typeof token !== "function") || token === "") {
    throw new ConfigurationError("The token is missing. Set the token option or NOTETAKER_TOKEN.");
  }
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  return { ...DEFAULTS, ...given, baseUrl, token, names: wireNames(options.unshown) };
}
