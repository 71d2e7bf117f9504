/** Every method that sends one request: how it is called, its request, its response, and whether it may be repeated. */
import type { Notetaker, RequestOptions } from "notetaker-sdk";
import { ENDPOINTS, type Endpoint } from "../interface/interface.js";
import { libraryName, METHODS } from "../interface/methods.js";
import { idsOf, paramsOf, pathOf, sampleOf } from "../interface/sample.js";

export interface Call {
  /** The method's name: `rooms.list`. */
  operation: string;
  /** Calls the method with valid arguments. */
  make(notetaker: Notetaker, options?: RequestOptions): PromiseLike<unknown>;
  method: string;
  path: string;
  /** The request of the call that `make` makes. */
  query: [name: string, value: string][];
  /** The body as JSON, or its media type if the body is sent unchanged. */
  sends?: { json: unknown } | { mediaType: string };
  /** The body of a success; `undefined` if there is none. */
  answer: unknown;
  status: number;
  /** Whether the method is retried after a 5xx, a lost connection or a timeout. Every method is retried after a 429. */
  repeatable: boolean;
}

/** Creating twice makes two; sending an upload or a bot twice does, too. A permission that is set twice is set. */
const isRepeatable = ({ operation, method }: Endpoint) =>
  operation === "setPermission" || (operation !== "upload" && method !== "POST");

function callOf(row: Endpoint): Call {
  const { operation, call } = METHODS[row.operation];
  const { status, type } = row.response;
  const query = row.query.map(({ name, type }) => [name, String(sampleOf(type))] as [string, string]);
  const inQuery = row.query.map(({ name, type, repeated }) => {
    const value = sampleOf(type);
    return [libraryName(name), repeated ? [value] : value];
  });
  return {
    operation,
    make: (notetaker, options) => call(notetaker, idsOf(row), paramsOf(row, Object.fromEntries(inQuery)), options),
    method: row.method,
    path: pathOf(row),
    query,
    ...(row.body.kind === "json" ? { sends: { json: paramsOf(row) } } : {}),
    ...(row.body.kind === "binary" ? { sends: { mediaType: "audio/wav" } } : {}),
    answer: type === "none" ? undefined : sampleOf(type),
    status,
    repeatable: isRepeatable(row),
  };
}

export const CALLS: readonly Call[] = ENDPOINTS.map(callOf);

export const success = (call: Call): Response =>
  call.answer === undefined
    ? new Response(null, { status: call.status })
    : new Response(JSON.stringify(call.answer), {
        status: call.status,
        headers: { "content-type": "application/json" },
      });
