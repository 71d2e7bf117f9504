import { documentTitles, wireNames } from "../assumptions.js";
import type { IssueInit } from "../checks/format-issues.js";
import { ConfigurationError } from "../errors/argument-errors.js";
import { checkOptions } from "../errors/check-arguments.js";
import { issuesText } from "../errors/one-line.js";
import { isRecord } from "../json/is-record.js";
import { orUndefined } from "../json/or-undefined.js";
import { localThrottle } from "../throttle/local-throttle.js";
import type { Throttle } from "../throttle/throttle.js";
import { isThrottle } from "../throttle/throttle-options.js";
import { mergeHeaders, tokenProblem } from "../transport/allowed-headers.js";
import { type ClientOptions, clientOptionsSchema, LOG_LEVELS } from "../transport/client-options.js";
import type { LogFields, Logger } from "../transport/logger.js";
import type { Token } from "../transport/option-types.js";
import type { TransportConfig } from "../transport/transport-config.js";
import { checkedBaseUrl } from "./base-url.js";
import { INSTRUMENTATION, type InstrumentedOptions } from "./instrumentation.js";
import { userAgent } from "./user-agent.js";

export function configuration(options: InstrumentedOptions): TransportConfig {
  if (isRecord(options) && "clientOptions" in options) throw new ConfigurationError({ message: EMULATOR_ITSELF });
  const { allowInsecureHttp, appInfo, assumptions, headers, logger, throttle, ...checked } = checkOptions(
    CLIENT_OPTIONS,
    clientOptionsSchema,
    options,
  );
  const instrumentation = options[INSTRUMENTATION];
  const baseUrl = checked.baseUrl ?? environment("NOTETAKER_BASE_URL");
  const token = checked.token ?? environment("NOTETAKER_TOKEN");
  if (isMissing(baseUrl) && isMissing(token)) throw new ConfigurationError({ message: NOTHING_SET });
  return {
    ...checked,
    baseUrl: checkedBaseUrl(baseUrl, allowInsecureHttp),
    token: checkedToken(token),
    tokenSource: token === environment("NOTETAKER_TOKEN") ? "NOTETAKER_TOKEN" : "the token option",
    headers: clientHeaders(appInfo, headers),
    logger: toLogger(logger),
    middleware: [...(instrumentation ? [instrumentation.aroundAttempt] : []), ...checked.middleware],
    throttle: toThrottle(throttle),
    aroundCall: instrumentation?.aroundCall,
    names: wireNames(assumptions),
    documentTitles: documentTitles(assumptions),
  };
}

const isMissing = (value: unknown) => value === undefined || value === null || value === "";

const CLIENT_OPTIONS = "The client's options";

const EMULATOR_ITSELF = "Pass the emulator's clientOptions: new Notetaker(service.clientOptions).";

const NOTHING_SET =
  "baseUrl and token are missing. Set these options, or NOTETAKER_BASE_URL and NOTETAKER_TOKEN. Without an account, " +
  "use the emulator: new Notetaker(createEmulator().clientOptions), from notetaker-sdk/testing.";

const HOW_TO_SET_TOKEN = "Set the token option or NOTETAKER_TOKEN.";

function checkedToken(token: unknown): Token {
  if (isMissing(token)) throw new ConfigurationError({ message: `The token is missing. ${HOW_TO_SET_TOKEN}` });
  if (typeof token === "function") return token as Token;
  const problem = tokenProblem(token);
  if (problem !== undefined)
    throw new ConfigurationError({ message: `The token is invalid: ${problem}. ${HOW_TO_SET_TOKEN}` });
  return token as string;
}

/** Invalid headers are refused when the client is constructed, not at the first call. */
function clientHeaders(
  appInfo: ClientOptions["appInfo"],
  headers: ClientOptions["headers"],
): Readonly<Record<string, string>> {
  const issues: IssueInit[] = [];
  const agent = userAgent(appInfo);
  const defaults = { accept: "application/json", ...(agent === undefined ? {} : { "user-agent": agent }) };
  const merged = mergeHeaders(defaults, headers, issues);
  if (issues.length > 0) throw new ConfigurationError({ message: `${CLIENT_OPTIONS}: ${issuesText(issues)}` });
  return merged;
}

function toThrottle(throttle: ClientOptions["throttle"]): Throttle | undefined {
  if (!throttle) return undefined;
  return isThrottle(throttle) ? throttle : localThrottle(throttle === true ? {} : throttle);
}

function toLogger(logger: ClientOptions["logger"]): Logger | undefined {
  if (typeof logger !== "function") return logger;
  const methodFor = (level: keyof Logger) => (message: string, fields: LogFields) => logger(level, message, fields);
  return Object.fromEntries(LOG_LEVELS.map((level) => [level, methodFor(level)])) as unknown as Logger;
}

const environment = (name: string): string | undefined =>
  // Deno asks for a permission, and throws if it is denied.
  orUndefined(
    () => (globalThis as { process?: { env?: Record<string, string | undefined> } }).process?.env?.[name] || undefined,
  );
