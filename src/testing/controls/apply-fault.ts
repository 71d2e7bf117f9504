/** Applies a simulated failure to a response. */
import { ASSUMED_VALIDATION_STATUS, RETRY_AFTER_HEADER } from "../../assumptions.js";
import { errorResponse, json, type ServiceResponse } from "../http/exchange.js";
import type { Fault } from "./faults.js";

/** The response that fails. `act` makes the service process the request; it is called only if `acts` allows that. */
export function applyFault(fault: Fault, act: () => ServiceResponse): ServiceResponse | "drop" {
  const { kind, status, acts, retryAfterSeconds } = fault;
  const actsByDefault = kind === "truncate" || kind === "malformed" || (kind === undefined && status === undefined);
  const serviceResponse = (acts ?? actsByDefault) ? act() : undefined;
  if (kind === "drop") return "drop";
  const response = faultResponse(fault, serviceResponse);
  return {
    ...response,
    headers: {
      ...serviceResponse?.headers,
      ...response.headers,
      ...fault.headers,
      ...(retryAfterSeconds === undefined ? {} : { [RETRY_AFTER_HEADER]: String(retryAfterSeconds) }),
    },
  };
}

function faultResponse({ kind, status, body }: Fault, serviceResponse: ServiceResponse | undefined): ServiceResponse {
  if (body !== undefined) {
    return typeof body === "string" ? { status: status ?? 200, body } : json(body, status ?? 200);
  }
  if (kind === "html") return htmlResponse(status ?? 502);
  if (kind === "validation") {
    const issue = { loc: ["query"], msg: "planned by the test", type: "simulated_failure", input: null };
    return json({ detail: [issue] }, status ?? ASSUMED_VALIDATION_STATUS);
  }
  if (kind === "malformed") return malformedResponse(serviceResponse, status);
  if (status === undefined) return serviceResponse ?? { status: 200 };
  return status < 400 ? { status } : errorResponse(status, `planned by the test: ${status}`);
}

function htmlResponse(status: number): ServiceResponse {
  const title = `${status} Bad Gateway`;
  return {
    status,
    headers: { "content-type": "text/html" },
    body: `<html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>`,
  };
}

/** A response whose body is the first half of the JSON. */
function malformedResponse(serviceResponse: ServiceResponse | undefined, status: number | undefined): ServiceResponse {
  const text = JSON.stringify(serviceResponse?.json ?? {});
  return {
    status: status ?? serviceResponse?.status ?? 200,
    headers: { "content-type": "application/json" },
    body: text.slice(0, Math.max(1, text.length >> 1)),
  };
}
