/** The description of an endpoint: its name, the schemas of its requests, and the function that responds. */
import type * as z from "zod/mini";
import type { WireNames } from "../../assumptions.js";
import type { EmulatorContext } from "../state/context.js";
import type { Envelope } from "./error-response.js";
import type { Incoming, ServiceResponse } from "./exchange.js";
import type { LimitGroup } from "./rate-limits.js";

/** The names of all routes, so that editors can complete them. A test compares the list with the routes. */
export const ROUTE_NAMES = [
  "POST /meetings/bot",
  "DELETE /meetings/{event_id}/bot",
  "POST /meetings/{event_id}/bot",
  "PUT /settings/notetaker-automation",
  "GET /settings/notetaker-automation",
  "GET /meetings",
  "GET /meetings/upcoming",
  "GET /meetings/{meeting_id}/transcript",
  "GET /meetings/{meeting_id}/recording",
  "PUT /meetings/upload",
  "GET /rooms",
  "POST /meetings/{meeting_id}/permissions",
  "GET /meetings/{meeting_id}/permissions",
  "DELETE /meetings/{meeting_id}/permissions/{permission_id}",
  "GET /documents/{document_id}",
  "GET /webhooks",
  "POST /webhooks",
  "PATCH /webhooks/{webhook_id}",
  "DELETE /webhooks/{webhook_id}",
  "GET /recordings/{key}",
] as const;

/** The name of a route, such as `GET /rooms`. Its parameters may have any name: `GET /documents/:id`. */
export type RouteName = (typeof ROUTE_NAMES)[number];

/** What a request must fulfil before the endpoint acts. */
export interface RequestRules<Query, Body> {
  /** The envelope of the response to an invalid request. */
  invalid: Envelope;
  /** Default: `other`. */
  limit?: LimitGroup;
  /** The schema of the query parameters. Default: the endpoint has none. */
  query?: z.ZodMiniType<Query>;
  /** The group of wire names for the query. Default: the parameters have the names in the schema. */
  names?: keyof WireNames;
  /** The schema of the JSON body. Default: the body is not checked here. */
  body?: z.ZodMiniType<Body>;
}

/** A request that fulfils the rules of its endpoint. */
export interface Call<Query = unknown, Body = unknown> {
  /** The account that sent the request. */
  context: EmulatorContext;
  request: Incoming;
  /** The URL under which recordings are served. */
  storageUrl: string;
  /** The values of the path's parameters. */
  params: Readonly<Record<string, string>>;
  /** The query parameters, by their names in this library. */
  query: Query;
  body: Body;
}

export interface Route extends RequestRules<unknown, unknown> {
  name: RouteName;
  method: string;
  /** The path, relative to the base URL, with parameters in braces. */
  path: string;
  respond: (call: Call) => ServiceResponse;
}

/** An endpoint, and how the emulator responds to it. */
export function answer<Query = object, Body = unknown>(
  name: RouteName,
  rules: RequestRules<Query, Body>,
  respond: (call: Call<Query, Body>) => ServiceResponse,
): Route {
  const [method = "", path = ""] = name.split(" ");
  return { ...rules, name, method, path, respond: respond as Route["respond"] };
}

/** A path parameter of the endpoint. */
export function pathParam({ params }: Pick<Call, "params">, name: string): string {
  const value = params[name];
  if (value === undefined) throw new TypeError(`the route has no parameter ${name}`);
  return value;
}
