import { ASSUMED_VALIDATION_STATUS } from "../../assumptions.js";
import type { Endpoint } from "../../endpoints/endpoint.js";
import { errorCodeOf } from "../../errors/error-classes.js";
import { jsonResponse, type ServiceResponse } from "./exchange.js";

export interface Problem {
  /** The path of the wrong value, for example `["query", "limit"]`. */
  loc: string[];
  msg: string;
  /** The kind of mistake, with the names of the service's validator, for example `missing` or `too_long`. */
  type: string;
  input?: unknown;
}

export const problem = (loc: string[], msg: string, input: unknown, type = "value_error"): Problem => ({
  ...{ loc, msg, type, input },
});

export const mediaTypeProblem = (sent: string | null, expected: string): Problem =>
  problem(["header", "content-type"], `expected ${expected}`, sent, sent === null ? "missing" : "value_error");

/** Thrown by a route to respond with an error. */
export class RefusedRequest {
  constructor(readonly response: ServiceResponse) {}
}

export function refusal(
  status: number,
  message: string,
  details?: { field: string; message: string }[],
): ServiceResponse {
  return jsonResponse({ error: { code: errorCodeOf(status) ?? "error", message, details } }, status);
}

export const notFound = () => new RefusedRequest(refusal(404, "resource not found"));

export function invalid(envelope: Endpoint["invalid"], problems: readonly Problem[]): RefusedRequest {
  if (envelope === "validation")
    return new RefusedRequest(jsonResponse({ detail: problems }, ASSUMED_VALIDATION_STATUS));
  const details = problems.map(({ loc, msg }) => ({ field: loc.slice(1).join(".") || loc.join("."), message: msg }));
  const message = details.map((detail) => `${detail.field}: ${detail.message}`).join("; ");
  return new RefusedRequest(refusal(400, message, details));
}
