import * as z from "zod/mini";
import { ASSUMED_VALIDATION_STATUS, RETRY_AFTER_HEADER } from "../../assumptions.js";
import { isRecord } from "../../json/is-record.js";
import { orUndefined } from "../../json/or-undefined.js";
import { custom, enumOf, type Infer, numberOf } from "../../schemas/primitives.js";
import { emulatorMilliseconds } from "../emulator-error.js";
import { jsonResponse, type ServiceResponse } from "./exchange.js";
import { problem, refusal } from "./refusals.js";

export const FAULT_KINDS = ["drop", "truncate", "malformed", "html", "validation"] as const;

/**
 * - `drop`: the connection breaks before a response
 * - `truncate`: the connection breaks after the first half of the response's body
 * - `malformed`: the response is complete, but not JSON
 * - `html`: a proxy responds instead of the service, with 502 or the given status
 * - `validation`: the service responds with a validation envelope
 */
export type FaultKind = (typeof FAULT_KINDS)[number];

const isHeaders = (value: unknown) =>
  isRecord(value) && orUndefined(() => new Headers(value as Record<string, string>)) !== undefined;
const isCount = (value: number) => Number.isInteger(value) && value >= 0;

const faultFields = {
  /** What goes wrong: see {@link FaultKind}. */
  kind: z.optional(enumOf(FAULT_KINDS)),
  /** The status of the response, from 200 to 599. With an error status, the body is the error envelope. */
  status: z.optional(
    numberOf((status) => isCount(status) && status >= 200 && status <= 599, "an integer from 200 to 599"),
  ),
  /** The `Retry-After` header, in seconds. A date can be set in `headers`. */
  retryAfterSeconds: z.optional(numberOf((seconds) => Number.isFinite(seconds) && seconds >= 0, "seconds from 0 up")),
  /** Further headers of the response. */
  headers: z.optional(custom<Record<string, string>>(isHeaders, "an object of valid header names and values")),
  /** The body of the response: JSON, or a string that is sent unchanged. */
  body: z.optional(z.unknown()),
  /** Delays the response by this many milliseconds of real time (or of the test runner's mocked timers). */
  delayMs: z.optional(emulatorMilliseconds),
  /** How many requests to the route it spares before that. Default: 0. */
  after: z.optional(numberOf(isCount, "an integer from 0 up")),
  /** How many requests it affects. Default: 1. `Infinity`: all requests until `clear`. */
  times: z.optional(
    numberOf((times) => (isCount(times) && times > 0) || times === Number.POSITIVE_INFINITY, "an integer from 1 up"),
  ),
  /** Whether the service acts all the same. Default: only for `truncate`, `malformed` and a mere delay. */
  acts: z.optional(z.boolean()),
};

export interface Fault extends Infer<typeof faultFields> {}

export const faultSchema = z.strictObject(faultFields).check(
  z.refine(({ kind, status, delayMs }) => kind !== undefined || status !== undefined || Boolean(delayMs), {
    error: `expected a status, a delayMs above 0 or one of ${FAULT_KINDS.join(", ")}`,
  }),
);

/** A planned failure that has not yet affected all its requests. */
export interface PlannedFault {
  /** The route as the test wrote it, for example `GET /meetings/:id/transcript`. */
  readonly route: string;
  /** What the emulator will do. */
  readonly fault: Fault;
  /** How many more requests it will spare. */
  readonly spared: number;
  /** How many more requests it will affect. */
  readonly left: number;
}

/** The route with `{}` in place of each parameter, so that names of parameters do not matter. */
const faultKey = (route: string) => route.trim().replace(/\{[^/]*\}|:[^/]+/g, "{}");

/** Whether a failure that is planned for the route `planned`, or for `*`, affects a request to `route`. */
export const isPlannedFor = (planned: string, route: string) =>
  planned.trim() === "*" || faultKey(planned) === faultKey(route);

export function takeFault(faults: PlannedFault[], route = ""): Fault | undefined {
  const index = faults.findIndex((planned) => isPlannedFor(planned.route, route));
  const planned = faults[index];
  if (planned === undefined) return undefined;
  const { spared, left } = planned;
  const next = spared > 0 ? { ...planned, spared: spared - 1 } : { ...planned, left: left - 1 };
  faults.splice(index, 1, ...(next.left > 0 ? [next] : []));
  return spared > 0 ? undefined : planned.fault;
}

/** The response that fails. `act` makes the service process the request. */
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
    return typeof body === "string" ? { status: status ?? 200, body } : jsonResponse(body, status ?? 200);
  }
  if (kind === "html") {
    const title = `${status ?? 502} Bad Gateway`;
    const html = `<html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>`;
    return { status: status ?? 502, headers: { "content-type": "text/html" }, body: html };
  }
  if (kind === "validation") {
    const issue = problem(["query"], "planned by the test", null, "simulated_failure");
    return jsonResponse({ detail: [issue] }, status ?? ASSUMED_VALIDATION_STATUS);
  }
  if (kind === "malformed") return malformedResponse(serviceResponse, status);
  if (status === undefined) return serviceResponse ?? { status: 200 };
  return status < 400 ? { status } : refusal(status, `planned by the test: ${status}`);
}

function malformedResponse(serviceResponse: ServiceResponse | undefined, status: number | undefined): ServiceResponse {
  const text = JSON.stringify(serviceResponse?.json ?? {});
  return {
    status: status ?? serviceResponse?.status ?? 200,
    headers: { "content-type": "application/json" },
    body: text.slice(0, Math.max(1, text.length >> 1)),
  };
}
