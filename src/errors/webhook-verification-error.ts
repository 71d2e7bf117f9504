import { brand } from "./brand.js";
import { NotetakerError } from "./notetaker-error.js";

/** A delivery that cannot be trusted, or is no event. */
export class WebhookVerificationError extends NotetakerError {
  static {
    brand(this, "WebhookVerificationError");
  }
  declare readonly name: "WebhookVerificationError";
  /** What was wrong: a short name that does not change. */
  declare readonly reason: WebhookVerificationReason;

  constructor(reason: WebhookVerificationReason, message: string) {
    super(message, { outcome: "rejected", reason });
  }
}

export type WebhookVerificationReason =
  | "missing_signature"
  | "malformed_signature"
  | "wrong_signature"
  | "missing_secret"
  | "parsed_body"
  | "not_an_event"
  | "too_large";
