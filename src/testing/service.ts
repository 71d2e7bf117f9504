/** The service itself: a request as data in, an answer as data out. */

import { checkRequest } from "./http/check-request.js";
import { errorResponse, Refusal } from "./http/error-response.js";
import type { Incoming, ServiceResponse } from "./http/exchange.js";
import { countRequest } from "./http/rate-limits.js";
import { Router } from "./http/router.js";
import { allRoutes } from "./routes/all-routes.js";
import { RECORDING_ROUTE, serveRecording } from "./routes/recording-storage.js";
import type { EmulatorContext } from "./state/world.js";

const RECORDINGS = "/recordings/";

export interface Found {
  /** `GET /rooms`, or `undefined` where there is no such route. */
  name: string | undefined;
  /** Relative to the base address where it is under it. */
  path: string;
  answer: () => ServiceResponse;
}

export class Service {
  readonly router: Router;
  /** `/v1`, or a longer path that ends so. */
  readonly #basePath: string;
  readonly #world: EmulatorContext;
  readonly #token: string;

  constructor(world: EmulatorContext, basePath: string, token: string) {
    this.#world = world;
    this.#basePath = basePath;
    this.#token = token;
    this.router = new Router(allRoutes(world.names));
  }

  /** Finds what a request is for; nothing happens before `answer` is called. */
  find(request: Incoming, storageUrl: string): Found {
    const { pathname } = request.url;
    if (pathname.startsWith(RECORDINGS)) {
      const key = pathname.slice(RECORDINGS.length);
      return { name: RECORDING_ROUTE, path: pathname, answer: () => serveRecording(this.#world, key, request) };
    }
    const inside = pathname.startsWith(`${this.#basePath}/`);
    const path = inside ? pathname.slice(this.#basePath.length) : pathname;
    const found = inside ? this.router.find(request.method, path) : undefined;
    const name = found === undefined ? undefined : `${found.route.method} ${found.route.path}`;
    return {
      name,
      path,
      answer: () => {
        const token = /^bearer +(\S+) *$/i.exec(request.headers.get("authorization") ?? "")?.[1];
        const authorized = token === this.#token;
        const { state, clock, limits } = this.#world;
        // Where nobody is known there is nobody to count for: the headers then tell an untouched window.
        const windows = authorized ? state.windows : {};
        const group = found?.route.limit ?? "other";
        const { refusal, headers } = countRequest(windows, group, clock.now(), limits);
        const answer = !authorized
          ? errorResponse(401, "authentication required")
          : (refusal ?? this.#answered(request, path, inside, found, storageUrl));
        return { ...answer, headers: { ...headers, ...answer.headers } };
      },
    };
  }

  #answered(
    request: Incoming,
    path: string,
    inside: boolean,
    found: ReturnType<Router["find"]>,
    storageUrl: string,
  ): ServiceResponse {
    const world = this.#world;
    if (found === undefined) return errorResponse(404, this.#unknown(request.method, path, inside));
    try {
      const { route, params } = found;
      const body = checkRequest(route, request, params, world.strict);
      return route.answer({ world, request, storageUrl, params, query: request.url.searchParams, body });
    } catch (error) {
      if (error instanceof Refusal) return error.answer;
      throw error;
    }
  }

  #unknown(method: string, path: string, inside: boolean): string {
    if (!this.#world.strict) return "resource not found";
    return inside
      ? this.router.explain(method, path)
      : `the emulator knows no ${method} ${path}; expected a path under ${this.#basePath}`;
  }
}
