/** The description of an endpoint: its path, its rules, and the function that responds. */
import type { EmulatorContext } from "../state/context.js";
import type { Envelope, Problem } from "./error-response.js";
import type { Incoming, ServiceResponse } from "./exchange.js";
import type { LimitGroup } from "./rate-limits.js";
import type { Rule } from "./rules.js";

export interface QueryRule {
  rule: Rule;
  /** Whether the parameter may occur several times, as in `?id=a&id=b`. */
  repeated?: true;
}

export interface FieldRule {
  rule: Rule;
  required?: true;
}

export interface Route {
  method: string;
  /** The path, relative to the base URL, with parameters in braces. */
  path: string;
  /** The envelope of the response to an invalid request. */
  invalid: Envelope;
  limit?: LimitGroup;
  params?: Record<string, Rule>;
  query?: Record<string, QueryRule>;
  /** The rules for the request's headers. */
  headers?: Record<string, Rule>;
  /** The rules for the fields of a JSON body. */
  fields?: Record<string, FieldRule>;
  /** Whether the body is a file. */
  binary?: true;
  /** A rule for several fields together. */
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
