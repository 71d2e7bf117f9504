import type { ClientOptions } from "../transport/client-options.js";
import type { AroundCall, Middleware } from "../transport/option-types.js";

/** Observes whole calls, and each of their attempts. It is called before any middleware. */
export interface Instrumentation {
  readonly aroundCall: AroundCall;
  readonly aroundAttempt: Middleware;
}

/** Registered globally, because client and instrumentation may come from two copies of the package. */
export const INSTRUMENTATION: unique symbol = /* @__PURE__ */ Symbol.for("notetaker-sdk.instrumentation");

export interface InstrumentedOptions extends ClientOptions {
  [INSTRUMENTATION]?: Instrumentation;
}
