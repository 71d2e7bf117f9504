/** The client's method for each endpoint of the transcription. */
import type { Notetaker } from "notetaker-sdk";
import type * as z from "zod/mini";
import { type Endpoint as Description, wireRoute } from "../../src/endpoints/endpoint.js";
import { ENDPOINTS as DESCRIBED } from "../../src/endpoints/endpoints.js";
import { ENDPOINTS, type OperationName } from "./interface.js";

export interface Method {
  operation: string;
  /** Calls the method. An upload sends one byte of sound. */
  call(notetaker: Notetaker, ids: readonly string[], params?: unknown, options?: unknown): PromiseLike<unknown>;
  /** The group of the option `assumptions` that has the names of its query parameters. */
  names: Description["names"];
  /** The schema of the method's parameters, or of its body. */
  params?: z.core.$ZodType | undefined;
}

type Call = (...args: unknown[]) => PromiseLike<unknown>;

/** A method takes the ids of its path, then its parameters if it has any, then its options. */
function methodOf({ name, query, body, names }: Description): Method {
  const params = query ?? body;
  return {
    operation: name,
    names,
    params,
    call(notetaker, ids, given, options) {
      const [resource = "", method = ""] = name.split(".");
      const methods = notetaker[resource as "rooms"] as unknown as Record<string, Call>;
      if (name === "meetings.upload") {
        return methods[method]!(new Blob(["a"]), { contentType: "audio/wav", ...(given as object) }, options);
      }
      return methods[method]!(...ids, ...(params === undefined ? [] : [given]), options);
    },
  };
}

const described: readonly Description[] = DESCRIBED;

export const METHODS = Object.fromEntries(
  ENDPOINTS.map(({ operation, method, path }) => {
    const description = described.find(({ route }) => wireRoute(route) === `${method} ${path}`);
    if (description === undefined) throw new Error(`the client has no endpoint ${method} ${path}`);
    return [operation, methodOf(description)];
  }),
) as Record<OperationName, Method>;

/** The one parameter with different names in the library and in the request. */
export const libraryName = (wireName: string) => (wireName === "id" ? "ids" : wireName);
