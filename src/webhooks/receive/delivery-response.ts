import { WebhookVerificationError, type WebhookVerificationReason } from "../../errors/webhook-verification-error.js";
import { BodyBrokenOff } from "../http/body.js";
import { jsonResponse } from "../http/respond.js";

/**
 * The status for each result of a delivery. A missing secret and a parsed body are faults of the application. They get
 * 503, because the service does not retry after a 4xx.
 */
const STATUS_BY_RESULT = {
  handled: 200,
  handled_before: 200,
  ignored: 200,
  not_an_event: 400,
  broken_off: 400,
  missing_signature: 401,
  malformed_signature: 401,
  wrong_signature: 401,
  too_large: 413,
  in_progress: 503,
  not_handled: 503,
  deadline_exceeded: 503,
  missing_secret: 503,
  parsed_body: 503,
} as const satisfies Record<WebhookVerificationReason, number> & Record<string, number>;

/** How a delivery ended. */
export type DeliveryResult = keyof typeof STATUS_BY_RESULT;

export const responseTo = (result: DeliveryResult, message?: string): Response =>
  jsonResponse(STATUS_BY_RESULT[result], result, message);

export function refusalOf(error: unknown): { reason: DeliveryResult; message: string | undefined } {
  if (error instanceof BodyBrokenOff) return { reason: "broken_off", message: undefined };
  if (!(error instanceof WebhookVerificationError)) return { reason: "not_handled", message: undefined };
  const { reason, message } = error;
  return { reason, message: reason === "too_large" ? undefined : message };
}
