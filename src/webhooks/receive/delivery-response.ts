import { WEBHOOK_SIGNATURE_HEADER } from "../../assumptions.js";
import { WebhookVerificationError, type WebhookVerificationReason } from "../../errors/webhook-verification-error.js";
import { BodyBrokenOff } from "../http/body.js";
import { statusResponse } from "../http/respond.js";

/** Faults of the application get 503: after a 4xx, the service would not deliver again. */
const STATUS_BY_RESULT = {
  handled: 200,
  handled_before: 200,
  ignored: 200,
  not_an_event: 400,
  broken_off: 400,
  missing_signature: 401,
  malformed_signature: 401,
  wrong_signature: 401,
  method_not_allowed: 405,
  too_large: 413,
  in_progress: 503,
  not_handled: 503,
  deadline_exceeded: 503,
  missing_secret: 503,
  parsed_body: 503,
} as const satisfies Record<WebhookVerificationReason, number> & Record<string, number>;

export type DeliveryResult = keyof typeof STATUS_BY_RESULT;

export function responseTo(result: DeliveryResult, message?: string): Response {
  const status = STATUS_BY_RESULT[result];
  return statusResponse(status, result, message, status === 405 ? { Allow: "POST" } : {});
}

export function resultOf(error: unknown): { reason: DeliveryResult; message?: string } {
  if (error instanceof BodyBrokenOff) return { reason: "broken_off" };
  if (!(error instanceof WebhookVerificationError)) return { reason: "not_handled" };
  const { reason, message } = error;
  return reason === "too_large" ? { reason } : { reason, message };
}

/** Why a delivery was refused. */
export type RefusalReason =
  | Exclude<WebhookVerificationReason, "missing_secret" | "parsed_body">
  | "broken_off"
  | "method_not_allowed";

/** A delivery that the sender got wrong: the argument of `onRefused`. */
export interface Refusal {
  /** The status of the response: 400, 401, 405 or 413. */
  status: number;
  /** A short name of the reason that will not change. */
  reason: RefusalReason;
  /** The request. Its body may have been read. */
  request: Request;
}

const warned = /* @__PURE__ */ new Set<RefusalReason>();

const MAX_NAMES = 5;
const MAX_NAME_LENGTH = 60;

/** The default `onRefused`: one warning for each reason. It shows names of headers only, because a value may be a secret. */
export function warnOfRefusal({ status, reason, request }: Refusal, header: string = WEBHOOK_SIGNATURE_HEADER): void {
  if (warned.has(reason)) return;
  warned.add(reason);
  const signatures = [...request.headers.keys()].filter((name) => /sign|hmac|digest|sha256/i.test(name));
  const names = signatures.slice(0, MAX_NAMES).map((name) => name.slice(0, MAX_NAME_LENGTH));
  console.warn(
    `notetaker-sdk: responded ${status} to a delivery: ${reason}. It is not delivered again. Expected the header ` +
      `${header}; headers that look like a signature: ${names.join(", ") || "none"}. Later ones are not logged: see onRefused`,
  );
}
