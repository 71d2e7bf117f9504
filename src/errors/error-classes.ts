/** The table of the error classes: which exist, and which of them is made for a response of the service. */

import type * as apiErrors from "./api-error.js";
import {
  ApiError,
  BadRequestError,
  ForbiddenError,
  InvalidRequestError,
  NotFoundError,
  RateLimitedError,
  ServerError,
  UnauthorizedError,
} from "./api-error.js";
import type * as argumentErrors from "./argument-errors.js";
import type { ConfigurationError, InvalidArgumentError } from "./argument-errors.js";
import type * as callErrors from "./call-errors.js";
import type {
  ConnectionError,
  MeetingFailedError,
  PaginationError,
  ResponseValidationError,
  TimeoutError,
  WaitTimeoutError,
} from "./call-errors.js";
import type { NotetakerError } from "./notetaker-error.js";
import type * as webhookErrors from "./webhook-verification-error.js";
import type { WebhookVerificationError } from "./webhook-verification-error.js";

/** Every error of this library. `switch (error.name)` narrows to one class and its fields. */
export type AnyNotetakerError =
  | ConfigurationError
  | InvalidArgumentError
  | (ApiError & {
      /** The name of the class, for a status without a class of its own. */
      readonly name: "ApiError";
    })
  | BadRequestError
  | UnauthorizedError
  | ForbiddenError
  | NotFoundError
  | InvalidRequestError
  | RateLimitedError
  | ServerError
  | ConnectionError
  | TimeoutError
  | ResponseValidationError
  | PaginationError
  | MeetingFailedError
  | WaitTimeoutError
  | WebhookVerificationError;

export type NotetakerErrorName = AnyNotetakerError["name"];

type ClassesOf<Module> = {
  [N in keyof Module as Module[N] extends new (...args: never[]) => NotetakerError ? N : never]: Module[N];
};

/** The classes for responses of the service. The union above and this table name the same classes. */
export const API_ERROR_CLASSES = {
  ApiError,
  BadRequestError,
  UnauthorizedError,
  ForbiddenError,
  NotFoundError,
  InvalidRequestError,
  RateLimitedError,
  ServerError,
} satisfies { [N in NotetakerErrorName]?: unknown } satisfies ClassesOf<typeof apiErrors>;

/** The names of the classes for what the library itself finds. The union above and this type name the same classes. */
type OwnFinding = keyof ClassesOf<typeof argumentErrors & typeof callErrors & typeof webhookErrors>;

/** The status with which `errorResponse` passes an error on, and a fixed message if its own is not for pages. */
export const SHOWN_AS = {
  InvalidArgumentError: [400],
  WebhookVerificationError: [401],
  MeetingFailedError: [409],
  ConnectionError: [502, "the service could not be reached"],
  ResponseValidationError: [502, "the response of the service could not be used"],
  PaginationError: [502, "the list cannot be continued"],
  TimeoutError: [504, "the service did not respond in time"],
  WaitTimeoutError: [504, "the meeting was not ready in time"],
} satisfies Record<Exclude<OwnFinding, "ConfigurationError">, readonly [status: number, message?: string]> satisfies {
  [N in Exclude<NotetakerErrorName, keyof typeof API_ERROR_CLASSES>]?: unknown;
};

/** A class has its status and its code on its prototype: `errorClass` sets them. */
const classWith = (field: "status" | "code", value: unknown): typeof ApiError | undefined =>
  Object.values<typeof ApiError>(API_ERROR_CLASSES).find(({ prototype }) => prototype[field] === value);

export const errorCodeOf = (status: number): string | undefined => classWith("status", status)?.prototype.code;

/** A known code decides the class; without a known code, the status does. */
export function errorClassFor(status: number, code: string | undefined): typeof ApiError {
  const known = code === undefined ? undefined : classWith("code", code);
  const ErrorClass = known ?? classWith("status", status) ?? (status >= 500 ? ServerError : ApiError);
  // This class belongs to the validation envelope, which alone has its issues.
  return ErrorClass === InvalidRequestError ? ApiError : ErrorClass;
}
