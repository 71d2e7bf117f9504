import type { Issue, IssueInit } from "../checks/format-issues.js";
import { toRecord } from "./error-record.js";

/**
 * What the client knows of what a call did at the service:
 * - `not_sent`: nothing reached the service
 * - `rejected`: the service answered and did nothing
 * - `accepted`: the service accepted the call, but its JSON is not as promised
 * - `unknown`: the service may have acted (5xx, a lost connection, a timeout, a success that is not JSON)
 */
export type Outcome = "not_sent" | "rejected" | "accepted" | "unknown";

/** All outcomes, from the most certain to the least. */
export const OUTCOMES: readonly Outcome[] = ["not_sent", "rejected", "accepted", "unknown"];

/**
 * The fields of the error class `E` that its constructor takes. Each can be left out. By default, the message is a
 * sentence made from the other fields, a number is 0, and a text is empty; a class for a status has its status and code.
 */
export type ErrorFields<E extends NotetakerError = NotetakerError> = {
  readonly [N in keyof E as Exclude<N, "name" | "stack" | "toJSON">]?:
    | (E[N] extends readonly Issue[] ? readonly IssueInit[] : E[N])
    | undefined;
};

export type CallFacts = Pick<NotetakerError, "outcome" | "retryable" | "attempts">;

/**
 * The class that an error class of the library extends instead of `base`. It sets the name of the errors, which stays
 * the same after a minifier has renamed the class, and the default `fields`. `instanceof` also works across two copies
 * of the package (ESM beside CommonJS, or two versions): a class recognises its errors by a symbol from the global
 * registry.
 *
 * Call it with `@__PURE__`, so that bundlers can drop the classes that a program does not use.
 */
export function errorClass<Base extends abstract new (...args: never[]) => Error>(
  base: Base,
  name: string,
  fields?: object,
): Base {
  const marker = Symbol.for(`notetaker-sdk.${name}`);
  class Named extends (base as unknown as new () => Error) {
    static override [Symbol.hasInstance](value: unknown) {
      // A user's own subclass inherits this method. For a subclass, the usual rule of `instanceof` applies.
      if (Object.getPrototypeOf(this) !== Named) return Function.prototype[Symbol.hasInstance].call(this, value);
      return Object(value) === value && marker in (value as object);
    }
  }
  Object.assign(Named.prototype, { [marker]: true, name, ...fields });
  return Named as unknown as Base;
}

/** The base of every error of this library. */
export abstract class NotetakerError extends /* @__PURE__ */ errorClass(Error, "NotetakerError") {
  /** The name of the class, for logs and for `switch`. */
  declare readonly name: string;
  /** What the client knows of what the call did at the service: see {@link Outcome}. */
  readonly outcome: Outcome;
  /** Whether it is safe to make the same call again, and it may then succeed. */
  readonly retryable: boolean;
  /** How many requests were made, including those that did not reach the service. */
  readonly attempts: number;
  /** On an error that ended a walk over a list: the cursor from which `list({ cursor })` continues. */
  declare readonly cursor?: string | undefined;

  constructor({ message, outcome = "unknown", retryable = false, attempts = 0, cause, cursor }: ErrorFields = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.outcome = outcome;
    this.retryable = retryable;
    this.attempts = attempts;
    if (cursor !== undefined) this.cursor = cursor;
  }

  /** A record for a log: plain JSON of less than 64 KB, without `headers` and secrets; long texts are cut. */
  toJSON(): Record<string, unknown> {
    return toRecord(this);
  }
}

/** Adds facts about a whole call to the error of its last attempt. */
export function addCallFacts<E extends NotetakerError>(
  error: E,
  facts: Partial<CallFacts> & { readonly cursor?: string },
): E {
  return Object.assign(error, facts);
}
