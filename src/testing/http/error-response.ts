/** Makes error responses: the two envelopes of the API specification ("Errors"), with the code of each status. */
import { ASSUMED_ERROR_CODES, ASSUMED_VALIDATION_STATUS } from "../../assumptions.js";
import { json, type ServiceResponse } from "./exchange.js";

/** One mistake in a request. */
export interface Problem {
  /** The path of the wrong value, for example `["query", "limit"]`. */
  loc: string[];
  msg: string;
  /** The kind of mistake, with the names of the service's validator, for example `missing` or `too_long`. */
  type: string;
  input?: unknown;
  ctx?: Record<string, unknown>;
}

/** The envelope with which an endpoint responds to an invalid request. */
export type Envelope = "error" | "validation";

/** Thrown by a route to respond with an error. */
export class Refusal {
  constructor(readonly response: ServiceResponse) {}
}

interface Detail {
  field: string;
  message: string;
}

const ERROR_CODES: Readonly<Record<number, string>> = ASSUMED_ERROR_CODES;

/** A response in the error envelope. */
export function errorResponse(status: number, message: string, details?: Detail[]): ServiceResponse {
  const code = ERROR_CODES[status] ?? "error";
  return json({ error: { code, message, ...(details === undefined ? {} : { details }) } }, status);
}

export const notFound = (message = "resource not found") => new Refusal(errorResponse(404, message));

/** The response to an invalid request, in the endpoint's envelope. */
export function invalid(envelope: Envelope, problems: readonly Problem[]): Refusal {
  if (envelope === "validation") return new Refusal(json({ detail: problems }, ASSUMED_VALIDATION_STATUS));
  const details = problems.map(({ loc, msg }) => ({ field: loc.slice(1).join(".") || loc.join("."), message: msg }));
  const message = details.map((detail) => `${detail.field}: ${detail.message}`).join("; ");
  return new Refusal(errorResponse(400, message, details));
}
