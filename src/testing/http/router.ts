/** Finds the route of a request, and says what was expected if no route matches. */
import type { Route } from "./route.js";

interface CompiledRoute {
  route: Route;
  segments: readonly string[];
}

export interface RouteMatch {
  route: Route;
  params: Record<string, string>;
}

const isParameter = (segment: string) => segment.startsWith("{");

/** The name of a route: `GET /rooms`. */
export const routeName = ({ method, path }: Route) => `${method} ${path}`;

export class Router {
  readonly #byMethodAndLength = new Map<string, CompiledRoute[]>();
  readonly routes: readonly Route[];

  constructor(routes: readonly Route[]) {
    this.routes = routes;
    for (const route of routes) {
      const segments = route.path.split("/").slice(1);
      const key = `${route.method} ${segments.length}`;
      const group = this.#byMethodAndLength.get(key) ?? [];
      group.push({ route, segments });
      this.#byMethodAndLength.set(key, group);
    }
  }

  /** `path` begins with a slash and is still percent-encoded. */
  find(method: string, path: string): RouteMatch | undefined {
    const pathSegments = path.split("/").slice(1);
    for (const { route, segments } of this.#byMethodAndLength.get(`${method} ${pathSegments.length}`) ?? []) {
      const params = matchSegments(segments, pathSegments);
      if (params !== undefined) return { route, params };
    }
    return undefined;
  }

  /** The message of a 404. It names the routes that exist. */
  explain(method: string, path: string): string {
    const methods = this.routes.filter((route) => this.find(route.method, path)?.route === route);
    if (methods.length > 0) {
      return `${noRoute(method, path)}; expected ${methods.map((route) => route.method).join(" or ")}`;
    }
    if (method === "GET" && /^\/meetings\/[^/]+$/.test(path)) {
      return `${noRoute(method, path)}: to read one meeting, use GET /meetings?id=mtg_…`;
    }
    return `${noRoute(method, path)}; expected one of ${this.routes.map(routeName).join(", ")}`;
  }
}

/** The beginning of the message of a 404. */
export const noRoute = (method: string, path: string) => `no route ${method} ${path} in the emulator`;

/** The parameters in the path, or `undefined` if the path does not match the route. */
function matchSegments(
  segments: readonly string[],
  pathSegments: readonly string[],
): Record<string, string> | undefined {
  const params: Record<string, string> = {};
  for (const [index, segment] of segments.entries()) {
    const value = pathSegments[index] ?? "";
    if (!isParameter(segment)) {
      if (segment !== value) return undefined;
    } else if (value === "") {
      return undefined;
    } else {
      params[segment.slice(1, -1)] = decode(value);
    }
  }
  return params;
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
