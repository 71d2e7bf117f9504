/** Finds the route of a request, and says what was expected where there is none. */
import type { Route } from "./route.js";

interface Compiled {
  route: Route;
  segments: readonly string[];
}

export interface Found {
  route: Route;
  params: Record<string, string>;
}

const isParameter = (segment: string) => segment.startsWith("{");

export class Router {
  readonly #byMethodAndLength = new Map<string, Compiled[]>();
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
  find(method: string, path: string): Found | undefined {
    const given = path.split("/").slice(1);
    for (const { route, segments } of this.#byMethodAndLength.get(`${method} ${given.length}`) ?? []) {
      if (segments.every((segment, index) => (isParameter(segment) ? given[index] !== "" : segment === given[index]))) {
        const params: Record<string, string> = {};
        segments.forEach((segment, index) => {
          if (isParameter(segment)) params[segment.slice(1, -1)] = decoded(given[index]!);
        });
        return { route, params };
      }
    }
    return undefined;
  }

  /** Why nothing was found, in words that help to find the mistake. */
  explain(method: string, path: string): string {
    const methods = this.routes.filter((route) => this.find(route.method, path)?.route === route);
    if (methods.length > 0) {
      return `the emulator knows no ${method} ${path}; expected ${methods.map((route) => route.method).join(" or ")}`;
    }
    if (method === "GET" && /^\/meetings\/[^/]+$/.test(path)) {
      return `the emulator knows no GET ${path}: one meeting is read with GET /meetings?id=mtg_…`;
    }
    const known = this.routes.map((route) => `${route.method} ${route.path}`).join(", ");
    return `the emulator knows no ${method} ${path}; expected one of ${known}`;
  }
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
