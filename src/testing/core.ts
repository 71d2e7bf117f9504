/** The service itself: a request as data in, an answer as data out. */
import type { WireNames } from "../unshown.js";
import { botRoutes } from "./bot-routes.js";
import { documentRoutes } from "./document-routes.js";
import type { Answer, Incoming, Outgoing } from "./exchange.js";
import { meetingRoutes } from "./meeting-routes.js";
import { permissionRoutes } from "./permission-routes.js";
import { admit } from "./rate-limits.js";
import { serveRecording } from "./recording-storage.js";
import { errorAnswer, Refusal } from "./refusal.js";
import { roomRoutes } from "./room-routes.js";
import { check, type Route } from "./route.js";
import { Router } from "./router.js";
import { settingsRoutes } from "./settings-routes.js";
import { webhookRoutes } from "./webhook-routes.js";
import type { World } from "./world.js";

/** Every endpoint, with the parameter names in force. */
export const allRoutes = (names: WireNames): Route[] => [
  ...botRoutes,
  ...settingsRoutes,
  ...meetingRoutes(names.meetings),
  ...roomRoutes(names.rooms),
  ...permissionRoutes(names.permissions),
  ...documentRoutes(names.documents),
  ...webhookRoutes,
];

export const RECORDING_ROUTE = "GET /recordings/{key}";
const RECORDINGS = "/recordings/";

export interface Found {
  /** `GET /rooms`, or `undefined` where there is no such route. */
  name: string | undefined;
  /** Relative to the base address where it is under it. */
  path: string;
  answer: () => Answer;
}

export class Core {
  readonly router: Router;
  /** `/v1`, or a longer path that ends so. */
  readonly #basePath: string;
  readonly #world: World;
  readonly #token: string;

  constructor(world: World, basePath: string, token: string) {
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
        const { refusal, headers } = admit(windows, group, clock.now(), limits);
        const answer = !authorized
          ? errorAnswer(401, "authentication required")
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
  ): Answer {
    const world = this.#world;
    if (found === undefined) return errorAnswer(404, this.#unknown(request.method, path, inside));
    try {
      const { route, params } = found;
      const body = check(route, request, params, world.strict);
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

/** An answer with its body written out. */
export function written({ status, headers = {}, json, body }: Answer, truncated: boolean): Outgoing {
  return json === undefined
    ? { status, headers, body, truncated }
    : { status, headers: { "content-type": "application/json", ...headers }, body: JSON.stringify(json), truncated };
}
