/** Errors from the names of their classes, without the classes: small enough for a web page. */
import type { AnyNotetakerError } from "./error-classes.js";

interface RecordFields {
  readonly message: string;
  readonly [field: string]: unknown;
}

const markerOf = (name: string) => Symbol.for(`notetaker-sdk.${name}`);

/**
 * Whether `value` is an error of this library: also one that `errorResponse` described on a server, or of another copy
 * of the package. Afterwards, `name` narrows its type.
 * @example
 * if (isNotetakerError(error) && error.name === "RateLimitedError") wait(error.retryAfterMs);
 */
export const isNotetakerError = (value: unknown): value is AnyNotetakerError =>
  markerOf("NotetakerError") in Object(value);

export const isRetryable = (error: unknown): boolean => isNotetakerError(error) && error.retryable;

/** The members of each class with their defaults, by the beginnings of names: a table would be too large for pages. */
function membersOf(name: string): Record<string, unknown> {
  const isResponse = !/^(?:Conf|InvalidA|Conn|Time|Pag|Meet|Wait|Web)/.test(name);
  return {
    outcome: "unknown",
    retryable: false,
    attempts: 0,
    ...(isResponse && { status: 0, headers: new Headers(), request: { method: "", url: "" } }),
    ...(isResponse && !/^Res/.test(name) && { fromService: true }),
    ...(/^(?:Inv|Res)/.test(name) && { issues: [] }),
    ...(/^Time/.test(name) && { timeoutMs: 0 }),
    ...(/^(?:Meet|Wait)/.test(name) && { meetingId: "", waitedMs: 0 }),
    ...(/^Web/.test(name) && { reason: "not_an_event" }),
  };
}

const typeName = (value: unknown) => (Array.isArray(value) ? "array" : typeof value);

/** An error of the class `name` for `instanceof`. A field that is absent or of another type gets its default. */
export function errorOfRecord({ name, message, cause, ...fields }: RecordFields & { readonly name: string }): Error {
  const members = membersOf(name);
  // A class of that name, because devtools and error trackers may show `constructor.name` or the stack.
  class Named extends Error {}
  Object.defineProperty(Named, "name", { value: name });
  Object.assign(Named.prototype, {
    name,
    toJSON(this: Error) {
      return { ...this, name, message, headers: undefined };
    },
    [markerOf("NotetakerError")]: true,
    [markerOf(name)]: true,
    ...("fromService" in members && { [markerOf("ApiError")]: true }),
  });
  const kinds: Record<string, unknown> = { code: "", retryAfterMs: 0, ...members };
  const given = Object.entries(fields).filter(([field, value]) =>
    value === undefined ? !(field in members) : !(field in kinds) || typeName(value) === typeName(kinds[field]),
  );
  const error = new Named(message, cause === undefined ? undefined : { cause });
  return Object.assign(error, members, Object.fromEntries(given));
}

/** Without 422: an `InvalidRequestError` has issues, which are not known here. */
const STATUS_NAMES: Readonly<Record<number, string>> = {
  400: "BadRequest",
  401: "Unauthorized",
  403: "Forbidden",
  404: "NotFound",
  429: "RateLimited",
};

/** The error for a response with this status, of which no more is known. */
export const errorOfStatus = (status: number, fields: RecordFields): Error =>
  errorOfRecord({
    name: `${STATUS_NAMES[status] ?? (status < 500 ? "Api" : "Server")}Error`,
    status,
    attempts: 1,
    outcome: status < 500 ? "rejected" : "unknown",
    fromService: false,
    ...fields,
  });
