import { RETRY_AFTER_HEADER, UNSHOWN_VALIDATION_STATUS } from "../../unshown.js";
import { errorResponse } from "../http/error-response.js";
import { json, type ServiceResponse } from "../http/exchange.js";
import type { Fault } from "./fault.js";

/** What a fault makes of an answer. `act` is the service's own answer, asked for only when the fault lets it act. */
export function applyFault(fault: Fault, act: () => ServiceResponse): ServiceResponse | "drop" {
  const { kind, status, acts } = fault;
  const lets = acts ?? (kind === "truncate" || kind === "malformed" || (kind === undefined && status === undefined));
  const own = lets ? act() : undefined;
  if (kind === "drop") return "drop";
  const answer = madeUp(fault, own);
  const extra: Record<string, string> = { ...fault.headers };
  if (fault.retryAfter !== undefined) extra[RETRY_AFTER_HEADER] = String(fault.retryAfter);
  return { ...answer, headers: { ...own?.headers, ...answer.headers, ...extra } };
}

function madeUp({ kind, status, body }: Fault, own: ServiceResponse | undefined): ServiceResponse {
  if (body !== undefined) {
    return typeof body === "string" ? { status: status ?? 200, body } : json(body, status ?? 200);
  }
  if (kind === "html") {
    const title = `${status ?? 502} Bad Gateway`;
    return {
      status: status ?? 502,
      headers: { "content-type": "text/html" },
      body: `<html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>`,
    };
  }
  if (kind === "validation") {
    const issue = { loc: ["query", "fault"], msg: "planned by the test", type: "fault", input: null };
    return json({ detail: [issue] }, status ?? UNSHOWN_VALIDATION_STATUS);
  }
  if (kind === "malformed") {
    const text = JSON.stringify(own?.json ?? {});
    const headers = { "content-type": "application/json" };
    return { status: status ?? own?.status ?? 200, headers, body: text.slice(0, Math.max(1, text.length >> 1)) };
  }
  if (status !== undefined) return status < 400 ? { status } : errorResponse(status, `planned by the test: ${status}`);
  return own ?? { status: 200 };
}
