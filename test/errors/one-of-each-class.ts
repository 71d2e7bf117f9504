import type * as sdk from "notetaker-sdk";

export type Sdk = typeof sdk;

/** One error of each class that is not abstract, from one copy of the package. */
export const oneOfEachClass = (from: Sdk): sdk.NotetakerError[] => [
  new from.ConfigurationError(),
  new from.InvalidArgumentError(),
  new from.ApiError({ status: 418 }),
  new from.BadRequestError(),
  new from.UnauthorizedError(),
  new from.ForbiddenError(),
  new from.NotFoundError(),
  new from.InvalidRequestError(),
  new from.RateLimitedError(),
  new from.ServerError(),
  new from.ConnectionError(),
  new from.TimeoutError({ timeoutMs: 1 }),
  new from.ResponseValidationError(),
  new from.PaginationError(),
  new from.MeetingFailedError({ meetingId: "mtg_1" }),
  new from.WaitTimeoutError({ meetingId: "mtg_1", waitedMs: 1 }),
  new from.WebhookVerificationError({ reason: "too_large" }),
];
