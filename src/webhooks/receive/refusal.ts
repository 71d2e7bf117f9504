import { WEBHOOK_SIGNATURE_HEADER } from "../../assumptions.js";
import type { WebhookVerificationReason } from "../../errors/webhook-verification-error.js";

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

/** The reasons of which this process has warned. */
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
