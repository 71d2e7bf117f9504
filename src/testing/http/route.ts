import type * as z from "zod/mini";
import { type Endpoint, wireRoute } from "../../endpoints/endpoint.js";
import type { IdKind } from "../../schemas/ids.js";
import type { EmulatorSettings } from "../options.js";
import type { EmulatorContext } from "../state/state.js";
import type { Incoming, ServiceResponse } from "./exchange.js";
import { invalid, problem, type RefusedRequest } from "./refusals.js";

export interface Call<Query = unknown, Body = unknown> {
  route: Route;
  context: EmulatorContext;
  request: Incoming;
  storageUrl: string;
  params: Readonly<Record<string, string>>;
  /** The query parameters, by their names in this library. */
  query: Query;
  body: Body;
}

export interface Route extends Endpoint {
  /** The method and the path, with the ids as the API specification spells them. */
  name: string;
  pattern: RegExp;
  /** The schema of the JSON body, if it depends on the emulator's options. */
  bodyFor?: ((settings: EmulatorSettings) => z.ZodMiniType) | undefined;
  respond: (call: Call) => ServiceResponse;
}

type Output<Schema> = Schema extends z.core.$ZodType ? z.output<Schema> : unknown;
type QueryOf<E> = E extends { readonly query: infer Schema } ? Output<Schema> : object;
type BodyOf<E> = E extends { readonly body: infer Schema } ? Output<Schema> : unknown;

/** How the emulator responds to an endpoint of the client. A request is checked with the client's own schemas. */
export function answer<E extends Endpoint>(
  endpoint: E,
  respond: (call: Call<QueryOf<E>, BodyOf<E>>) => ServiceResponse,
  bodyFor?: Route["bodyFor"],
): Route {
  const pattern = new RegExp(`^${endpoint.path.replace(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`);
  return { ...endpoint, name: wireRoute(endpoint.route), pattern, bodyFor, respond: respond as Route["respond"] };
}

export function wireNameOf({ names }: Route, settings: EmulatorSettings, name: string): string {
  const group: Readonly<Record<string, string>> = names === undefined ? {} : settings.names[names];
  return group[name] ?? name;
}

/** Refuses a valid query parameter that means nothing to the service. */
export function invalidParameter({ route, context, query }: Call<object>, name: string, msg: string): RefusedRequest {
  const loc = ["query", wireNameOf(route, context.settings, name)];
  return invalid(route.invalid, [problem(loc, msg, Object(query)[name])]);
}

export const pathId = ({ params }: Pick<Call, "params">, kind: IdKind) => params[kind] as string;
