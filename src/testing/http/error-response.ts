/** Interface, "Errors": the two envelopes, and which status carries which code. */
import { UNSHOWN_ERROR_CODES, UNSHOWN_VALIDATION_STATUS } from "../../unshown.js";
import { json, type ServiceResponse } from "./exchange.js";

/** One thing that is wrong with a request. */
export interface Problem {
  /** From the outside in: `["query", "limit"]`. */
  loc: string[];
  msg: string;
  /** The kind of mistake, in the validator's own words: `missing`, `too_long`. */
  type: string;
  input?: unknown;
  ctx?: Record<string, unknown>;
}

/** Which of the two envelopes an endpoint answers an invalid request with. */
export type Envelope = "error" | "validation";

/** Thrown by a route to answer with an error. */
export class Refusal {
  constructor(readonly answer: ServiceResponse) {}
}

interface Detail {
  field: string;
  message: string;
}

/** An answer in the error envelope. */
export function errorResponse(status: number, message: string, details?: Detail[], code?: string): ServiceResponse {
  const known = UNSHOWN_ERROR_CODES[status as keyof typeof UNSHOWN_ERROR_CODES];
  return json(
    { error: { code: code ?? known ?? "error", message, ...(details === undefined ? {} : { details }) } },
    status,
  );
}

export const notFound = (message = "resource not found") => new Refusal(errorResponse(404, message));

/** The answer to an invalid request, in the endpoint's own envelope. */
export function invalid(envelope: Envelope, problems: readonly Problem[]): Refusal {
  if (envelope === "validation") return new Refusal(json({ detail: problems }, UNSHOWN_VALIDATION_STATUS));
  const details = problems.map(({ loc, msg }) => ({ field: loc.slice(1).join(".") || loc.join("."), message: msg }));
  const message = details.map((detail) => `${detail.field}: ${detail.message}`).join("; ");
  return new Refusal(errorResponse(400, message, details));
}
