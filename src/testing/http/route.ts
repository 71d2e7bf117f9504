/** How an endpoint is described. */
import type { EmulatorContext } from "../state/context.js";
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
  /** Relative to the base URL, parameters in braces. */
  path: string;
  /** The envelope of the response to an invalid request. */
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
  /** A rule on several fields at once. */
  together?: (body: Record<string, unknown>) => Problem | undefined;
  answer: (call: Call) => ServiceResponse;
}

/** A request that follows the rules of its route. */
export interface Call {
  /** The account that sent the request. */
  context: EmulatorContext;
  request: Incoming;
  /** The URL under which recordings are served. */
  storageUrl: string;
  params: Record<string, string>;
  query: URLSearchParams;
  body: Record<string, unknown>;
}

/** A path parameter of the route. */
export function pathParam({ params }: Call, name: string): string {
  const value = params[name];
  if (value === undefined) throw new TypeError(`the route has no parameter ${name}`);
  return value;
}
