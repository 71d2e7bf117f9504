/** The results of deliveries, and their responses. */
import { WebhookVerificationError, type WebhookVerificationReason } from "../../errors/webhook-verification-error.js";
import { BodyBrokenOff } from "../http/body.js";
import { jsonResponse } from "../http/respond.js";

/** How a delivery ended. It becomes the response. */
export interface DeliveryResult {
  status: number;
  code: string;
  message?: string | undefined;
}

export const IGNORED: DeliveryResult = { status: 200, code: "ignored" };
export const HANDLED: DeliveryResult = { status: 200, code: "handled" };
export const HANDLED_BEFORE: DeliveryResult = { status: 200, code: "handled_before" };
export const IN_PROGRESS: DeliveryResult = { status: 503, code: "in_progress" };
export const NOT_HANDLED: DeliveryResult = { status: 503, code: "not_handled" };
export const DEADLINE_EXCEEDED: DeliveryResult = { status: 503, code: "deadline_exceeded" };
const BROKEN_OFF: DeliveryResult = { status: 400, code: "broken_off" };

/**
 * A missing secret and a parsed body are faults of the application. They get 503, because the service does not retry
 * after a 4xx.
 */
const STATUS_BY_REASON: Readonly<Record<WebhookVerificationReason, number>> = {
  missing_signature: 401,
  malformed_signature: 401,
  wrong_signature: 401,
  not_an_event: 400,
  too_large: 413,
  missing_secret: 503,
  parsed_body: 503,
};

/** The result of a delivery that could not be verified. */
export function refusalOf(error: unknown): DeliveryResult {
  if (error instanceof BodyBrokenOff) return BROKEN_OFF;
  if (!(error instanceof WebhookVerificationError)) return NOT_HANDLED;
  // A body over the limit gets no message: the code explains it.
  const message = error.reason === "too_large" ? undefined : error.message;
  return { status: STATUS_BY_REASON[error.reason], code: error.reason, message };
}

export const toResponse = ({ status, code, message }: DeliveryResult): Response => jsonResponse(status, code, message);
