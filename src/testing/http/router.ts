/** Finds the route of a request, and says what was expected if no route matches. */
import type { Route } from "./route.js";

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

/** `/documents/{document_id}` as a pattern with a group for each parameter. */
const patternOf = (path: string) => new RegExp(`^${path.replace(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`);

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
