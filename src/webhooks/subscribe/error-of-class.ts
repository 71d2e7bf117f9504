import { ApiError, ForbiddenError, UnauthorizedError } from "../../errors/api-error.js";
import { ConfigurationError } from "../../errors/argument-errors.js";
import { ConnectionError } from "../../errors/call-errors.js";
import type { ErrorMaker } from "../../errors/error-of-name.js";
import { WebhookVerificationError } from "../../errors/webhook-verification-error.js";

const CLASSES = {
  ApiError,
  ConfigurationError,
  ConnectionError,
  ForbiddenError,
  UnauthorizedError,
  WebhookVerificationError,
};

/** The errors of a subscription, of their own classes. (In a page, `errorOfName` makes them.) */
export const errorOfClass: ErrorMaker = (name, message, fields) =>
  new (CLASSES[name as keyof typeof CLASSES] as unknown as new (fields: object) => Error)({ ...fields, message });
