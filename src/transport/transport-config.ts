import type { DocumentTitles, WireNames } from "../assumptions.js";
import type { Throttle } from "../throttle/throttle.js";
import type { CheckedOptions } from "./client-options.js";
import type { Logger } from "./logger.js";
import type { AroundCall, Token } from "./option-types.js";

/** The options whose values are not used as they are. */
type OtherForm =
  | "baseUrl"
  | "token"
  | "headers"
  | "logger"
  | "throttle"
  | "allowInsecureHttp"
  | "appInfo"
  | "assumptions";

/** The configuration of a client. All values are checked, and all defaults are filled in. */
export interface TransportConfig extends Readonly<Omit<CheckedOptions, OtherForm>> {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly token: Token;
  readonly tokenSource: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly logger: Logger | undefined;
  readonly throttle: Throttle | undefined;
  readonly aroundCall: AroundCall | undefined;
  /** The names of the query parameters that the API specification does not show. */
  readonly names: WireNames;
  /** The texts by which `documents.find` recognises titles, which the API specification does not show. */
  readonly documentTitles: DocumentTitles;
}
