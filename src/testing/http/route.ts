/**
 * The endpoints of the emulator: the description that the client has, and the function that responds. The router finds
 * the endpoint of a request, and says what was expected if there is none.
 */
import type * as z from "zod/mini";
import type { IdKind } from "../../schemas/ids.js";
import { type Endpoint, wireRoute } from "../../transport/endpoint.js";
import type { EmulatorContext } from "../state/context.js";
import type { Incoming, ServiceResponse } from "./exchange.js";

/** A request that fulfils the rules of its endpoint. */
export interface Call<Query = unknown, Body = unknown> {
  /** The account that sent the request. */
  context: EmulatorContext;
  request: Incoming;
  /** The URL under which recordings are served. */
  storageUrl: string;
  /** The ids in the path. */
  params: Readonly<Record<string, string>>;
  /** The query parameters, by their names in this library. */
  query: Query;
  body: Body;
}

export interface Route extends Endpoint {
  /** The method and the path, with the ids as the API specification spells them. */
  name: string;
  respond: (call: Call) => ServiceResponse;
}

type Output<Schema> = Schema extends z.core.$ZodType ? z.output<Schema> : unknown;
type QueryOf<E> = E extends { readonly query: infer Schema } ? Output<Schema> : object;
type BodyOf<E> = E extends { readonly body: infer Schema } ? Output<Schema> : unknown;

/** How the emulator responds to an endpoint of the client. A request is checked with the client's own schemas. */
export function answer<E extends Endpoint>(
  endpoint: E,
  respond: (call: Call<QueryOf<E>, BodyOf<E>>) => ServiceResponse,
): Route {
  return { ...endpoint, name: wireRoute(endpoint.route), respond: respond as Route["respond"] };
}

/** An id in the path of the endpoint. */
export function pathId({ params }: Pick<Call, "params">, kind: IdKind): string {
  const value = params[kind];
  if (value === undefined) throw new TypeError(`the route has no ${kind}`);
  return value;
}

export interface RouteMatch {
  route: Route;
  params: Record<string, string>;
}

export class Router {
  readonly #routes: readonly { route: Route; pattern: RegExp }[];

  constructor(routes: readonly Route[]) {
    this.#routes = routes.map((route) => ({ route, pattern: patternOf(route.path) }));
  }

  /** `path` begins with a slash and is still percent-encoded. */
  find(method: string, path: string): RouteMatch | undefined {
    for (const { route, pattern } of this.#routes) {
      const match = route.method === method ? pattern.exec(path) : null;
      if (match === null) continue;
      const params = Object.entries(match.groups ?? {}).map(([name, value]) => [name, decode(value)]);
      return { route, params: Object.fromEntries(params) };
    }
    return undefined;
  }

  /** The message of a 404. It names the routes that exist. */
  explain(method: string, path: string): string {
    const methods = this.#routes.filter(({ pattern }) => pattern.test(path)).map(({ route }) => route.method);
    if (methods.length > 0) return `${noRoute(method, path)}; expected ${methods.join(" or ")}`;
    if (method === "GET" && /^\/meetings\/[^/]+$/.test(path)) {
      return `${noRoute(method, path)}: to read one meeting, use GET /meetings?id=mtg_…`;
    }
    return `${noRoute(method, path)}; expected one of ${this.#routes.map(({ route }) => route.name).join(", ")}`;
  }
}

/** The beginning of the message of a 404. */
export const noRoute = (method: string, path: string) => `no route ${method} ${path} in the emulator`;

/** `/documents/{documentId}` as a pattern with a group for each id. */
const patternOf = (path: string) => new RegExp(`^${path.replace(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`);

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
