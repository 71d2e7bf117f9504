import { type ErrorFields, errorClass, NotetakerError } from "./notetaker-error.js";

/** Why a delivery was refused: a short name that will not change. */
export type WebhookVerificationReason =
  | "missing_signature"
  | "malformed_signature"
  | "wrong_signature"
  | "missing_secret"
  | "parsed_body"
  | "not_an_event"
  | "too_large";

/** A delivery that cannot be trusted, or is not an event. */
export class WebhookVerificationError extends /* @__PURE__ */ errorClass(NotetakerError, "WebhookVerificationError") {
  declare readonly name: "WebhookVerificationError";
  /** Why the delivery was refused: a short name that will not change. */
  readonly reason: WebhookVerificationReason;

  constructor(fields: ErrorFields<WebhookVerificationError> = {}) {
    const { reason = "not_an_event" } = fields;
    super({ outcome: "rejected", ...fields, message: fields.message ?? `The delivery was refused: ${reason}` });
    this.reason = reason;
  }
}
