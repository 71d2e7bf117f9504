import { type ErrorInit, NotetakerError, named } from "./notetaker-error.js";

/** Why a delivery was refused: a short name that will not change. */
export type WebhookVerificationReason =
  | "missing_signature"
  | "malformed_signature"
  | "wrong_signature"
  | "missing_secret"
  | "parsed_body"
  | "not_an_event"
  | "too_large";

/** The fields of a {@link WebhookVerificationError}. */
export interface WebhookVerificationErrorInit extends ErrorInit {
  /** Why the delivery was refused. */
  reason: WebhookVerificationReason;
}

/** A delivery that cannot be trusted, or is not an event. */
export class WebhookVerificationError extends /* @__PURE__ */ named(NotetakerError, "WebhookVerificationError") {
  declare readonly name: "WebhookVerificationError";
  /** Why the delivery was refused: a short name that will not change. */
  readonly reason: WebhookVerificationReason;

  constructor(reason: WebhookVerificationReason, message: string, fields?: ErrorInit);
  constructor(fields: WebhookVerificationErrorInit);
  constructor(
    first: WebhookVerificationReason | Partial<WebhookVerificationErrorInit> = {},
    message?: string,
    others?: ErrorInit,
  ) {
    const { reason = "not_an_event", ...fields } =
      typeof first === "string" ? { ...others, reason: first, message } : first;
    super(fields.message ?? `The delivery was refused: ${reason}`, { outcome: "rejected", ...fields });
    this.reason = reason;
  }
}
