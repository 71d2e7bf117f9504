/** An endpoint of the emulator: the description that the client has, and the function that responds. */
import type * as z from "zod/mini";
import type { IdKind } from "../../schemas/ids.js";
import { type Endpoint, wireRoute } from "../../transport/endpoint.js";
import type { EmulatorContext } from "../state/state.js";
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
  /** The path, with a group for each id. */
  pattern: RegExp;
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
  const pattern = new RegExp(`^${endpoint.path.replace(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`);
  return { ...endpoint, name: wireRoute(endpoint.route), pattern, respond: respond as Route["respond"] };
}

/** An id in the path of the endpoint. */
export const pathId = ({ params }: Pick<Call, "params">, kind: IdKind) => params[kind] as string;
