/** The description of an endpoint, which the client, the emulator, the OpenAPI document and the guides' tables read. */
import type * as z from "zod/mini";
import type { WireNames } from "../assumptions.js";
import type { IssueInit } from "../checks/format-issues.js";
import { type IdKind, idIssues } from "../schemas/ids.js";
import type { PageSchema } from "../schemas/page.js";
import { type LimitName, limitsCounting } from "./limits.js";

export type HttpMethod = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** `unrepeatable` is sent again only if the first request certainly had no effect: a 429, or no connection. */
export type RetryClass = "repeatable" | "unrepeatable";

interface Description {
  /** The method of this library, for example `rooms.list`. */
  readonly name: string;
  /** The HTTP method and the path, with its ids in braces: `GET /meetings/{meetingId}/transcript`. */
  readonly route: `${HttpMethod} /${string}`;
  /** The schema of the query parameters, by their names in this library. */
  readonly query?: z.ZodMiniType;
  /** The group of wire names for `query` (`src/assumptions.ts`). Default: parameters are sent under their own names. */
  readonly names?: keyof WireNames;
  readonly body?: z.ZodMiniType;
  /** The schema of the response body, or of an item if the endpoint has pages; `undefined` if there is no body. */
  readonly response: z.core.$ZodType | undefined;
  /** Makes the schema of a page from that of an item, if the endpoint responds with pages. */
  readonly page?: PageSchema;
  readonly retry: RetryClass;
  /** The envelope of the answer to an invalid request. */
  readonly invalid: "error" | "validation";
  /** How the endpoint is known. The API specification defines only those that are `specified`. */
  readonly source: "specified" | "documented" | "observed" | "guessed";
}

export interface Endpoint extends Description {
  readonly method: HttpMethod;
  /** The path relative to the base URL, with its ids in braces: `/meetings/{meetingId}/transcript`. */
  readonly path: string;
  /** The rate limits that count the request, its own first: see `limits.ts`. */
  readonly limits: readonly LimitName[];
}

/* @__NO_SIDE_EFFECTS__ */
export function endpoint<const D extends Description>(
  description: D,
): D & Pick<Endpoint, "method" | "path" | "limits"> {
  const [method, path] = description.route.split(" ") as [HttpMethod, string];
  return { ...description, method, path, limits: limitsCounting(description.name) };
}

/** The path with the ids of a call. Each is checked and encoded as one segment; a wrong one adds an issue. */
export const pathWith = (path: string, ids: Readonly<Record<string, unknown>>, issues: IssueInit[]): string =>
  path.replace(/\{(\w+)\}/g, (_, kind: IdKind) => {
    const found = idIssues(kind, ids[kind]);
    if (found.length === 0) return encodeURIComponent(ids[kind] as string);
    issues.push(...found);
    return "";
  });

type Snake<Id extends string> = Id extends `${infer Name}Id` ? `${Name}_id` : Id;

/** A route with the ids as the API specification spells them: `GET /meetings/{meeting_id}/transcript`. */
export type WireRoute<Route extends string> = Route extends `${infer Before}{${infer Id}}${infer After}`
  ? `${Before}{${Snake<Id>}}${WireRoute<After>}`
  : Route;

export const wireRoute = <Route extends string>(route: Route): WireRoute<Route> =>
  route.replace(/\{(\w+)Id\}/g, "{$1_id}") as WireRoute<Route>;
