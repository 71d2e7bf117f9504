/** How an endpoint is described. */
import type { EmulatorContext } from "../state/world.js";
import type { Envelope, Problem } from "./error-response.js";
import type { Incoming, ServiceResponse } from "./exchange.js";
import type { LimitGroup } from "./rate-limits.js";
import type { Rule } from "./rules.js";

export interface QueryRule {
  rule: Rule;
  /** `?id=a&id=b` */
  repeated?: true;
}

export interface FieldRule {
  rule: Rule;
  required?: true;
}

export interface Route {
  method: string;
  /** Relative to the base address, parameters in braces. */
  path: string;
  /** The envelope of the answer to an invalid request. */
  invalid: Envelope;
  limit?: LimitGroup;
  params?: Record<string, Rule>;
  query?: Record<string, QueryRule>;
  /** The request's headers. */
  headers?: Record<string, Rule>;
  /** The fields of a JSON body. */
  fields?: Record<string, FieldRule>;
  /** The body is a file. */
  binary?: true;
  /** A rule that takes several fields together. */
  together?: (body: Record<string, unknown>) => Problem | undefined;
  answer: (call: Call) => ServiceResponse;
}

/** A request that has passed the rules of its route. */
export interface Call {
  world: EmulatorContext;
  request: Incoming;
  /** Where the recordings are served. */
  storageUrl: string;
  params: Record<string, string>;
  query: URLSearchParams;
  body: Record<string, unknown>;
}
