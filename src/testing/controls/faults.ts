/** `service.faults`: the simulated failures that a test plans. */
import * as z from "zod/mini";
import { custom, enumOf, numberOf, optionsSchema, stringOf } from "../../schemas/primitives.js";
import { checkValue, EmulatorError, milliseconds } from "../emulator-error.js";
import { ROUTE_NAMES, type RouteName } from "../routes/routes.js";

const KINDS = ["drop", "truncate", "malformed", "html", "validation"] as const;

/**
 * - `drop`: the connection breaks before a response
 * - `truncate`: the connection breaks after the first half of the response's body
 * - `malformed`: the response is complete, but not JSON
 * - `html`: a proxy responds instead of the service, with 502 or the given status
 * - `validation`: the service responds with a validation envelope
 */
export type FaultKind = (typeof KINDS)[number];

/** A simulated failure: what the emulator does instead of its normal response. */
export interface Fault {
  /** What goes wrong: see {@link FaultKind}. */
  kind?: FaultKind | undefined;
  /** The status of the response, from 200 to 599. With an error status, the body is the error envelope. */
  status?: number | undefined;
  /** The `Retry-After` header, in seconds. A date can be set in `headers`. */
  retryAfterSeconds?: number | undefined;
  /** Further headers of the response. */
  headers?: Record<string, string> | undefined;
  /** The body of the response: JSON, or a string that is sent unchanged. */
  body?: unknown;
  /** Delays the response by this many milliseconds of real time (or of the test runner's mocked timers). */
  delayMs?: number | undefined;
  /** How many requests it affects. Default: 1. `Infinity`: all requests until `clear`. */
  times?: number | undefined;
  /**
   * Whether the service processes the request before it fails, so that only the response is lost. Default: true for
   * `truncate`, `malformed` and a failure without kind and status (a delay, for example); false for the others.
   */
  acts?: boolean | undefined;
}

/** A simulated failure, or only its kind: `"drop"` is `{ kind: "drop" }`. */
export type FaultInput = FaultKind | Fault;

const HEADER_NAME = /^[!#$%&'*+.^_`|~\dA-Za-z-]+$/;
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

const faultSchema = optionsSchema<Fault>()({
  kind: z.optional(enumOf(KINDS)),
  status: z.optional(
    numberOf((status) => Number.isInteger(status) && status >= 200 && status <= 599, "an integer from 200 to 599"),
  ),
  retryAfterSeconds: z.optional(numberOf((seconds) => Number.isFinite(seconds) && seconds >= 0, "seconds from 0 up")),
  headers: z.optional(
    z
      .record(
        z.string(),
        stringOf((value) => HEADER_VALUE.test(value), "the value of a header, in one line"),
      )
      .check(
        z.refine((headers) => Object.keys(headers).every((name) => HEADER_NAME.test(name)), {
          error: "expected names of headers",
        }),
      ),
  ),
  body: z.optional(z.unknown()),
  delayMs: z.optional(milliseconds),
  times: z.optional(
    numberOf(
      (times) => times >= 1 && (Number.isInteger(times) || times === Number.POSITIVE_INFINITY),
      "an integer from 1 up",
    ),
  ),
  acts: z.optional(z.boolean()),
}).check(
  z.refine(({ kind, status, delayMs }) => kind !== undefined || status !== undefined || Boolean(delayMs), {
    error: `expected a status, a delayMs or one of ${KINDS.join(", ")}`,
  }),
);

const routeSchema = custom<string>((route) => typeof route === "string", 'a string such as "GET /rooms"');

/** A planned failure that has not yet affected all its requests. */
export interface PlannedFault {
  /** The route as the test wrote it, for example `GET /meetings/:id/transcript`. */
  readonly route: string;
  /** What the emulator will do. */
  readonly fault: Fault;
  /** How many more requests it will affect. */
  readonly left: number;
}

/** Plans simulated failures, and lists those that have not happened yet. */
export interface FaultControls {
  /**
   * Plans a failure of the next requests to a route. It takes effect after those that were planned before it. A
   * parameter of the route can have any name (`:id` or `{id}`); `*` is every route; `GET /recordings/:key` is the
   * download of a recording.
   */
  next(route: RouteName | "*" | (string & {}), fault: FaultInput): void;
  /**
   * The failures that have affected fewer requests than planned. A test can check that the list is empty. A failure of
   * all requests (`times: Infinity`) is not listed.
   */
  unused(): readonly PlannedFault[];
  /** Forgets every planned failure. */
  clear(): void;
}

interface QueuedFault {
  route: string;
  key: string;
  fault: Fault;
  remaining: number;
}

export type FaultSnapshot = readonly Readonly<QueuedFault>[];

/** The route with `{}` in place of each parameter, so that names of parameters do not matter. */
const keyOf = (route: string) => route.trim().replace(/\{[^/]*\}|:[^/]+/g, "{}");

export class FaultQueue implements FaultControls {
  #faults: QueuedFault[] = [];

  next(route: string, input: FaultInput): void {
    checkValue("faults.next: route", routeSchema, route);
    const key = keyOf(route);
    if (key !== "*" && !ROUTE_NAMES.some((name) => keyOf(name) === key)) {
      throw new EmulatorError(`faults.next: no route ${route}; expected * or one of ${ROUTE_NAMES.join(", ")}`);
    }
    const fault = typeof input === "string" ? { kind: input } : input;
    checkValue("faults.next", faultSchema, fault);
    this.#faults.push({ route, key, fault: { ...fault }, remaining: fault.times ?? 1 });
  }

  /** Takes the failure that is planned for a request, if there is one. */
  take(route: string | undefined): Fault | undefined {
    if (this.#faults.length === 0) return undefined;
    const key = keyOf(route ?? "");
    const index = this.#faults.findIndex((queued) => queued.key === "*" || queued.key === key);
    const queued = this.#faults[index];
    if (queued === undefined) return undefined;
    queued.remaining -= 1;
    if (queued.remaining <= 0) this.#faults.splice(index, 1);
    return queued.fault;
  }

  unused(): readonly PlannedFault[] {
    return this.#faults
      .filter(({ remaining }) => remaining !== Number.POSITIVE_INFINITY)
      .map(({ route, fault, remaining }) => ({ route, fault, left: remaining }));
  }

  clear(): void {
    this.#faults = [];
  }

  snapshot(): FaultSnapshot {
    return this.#faults.map((queued) => ({ ...queued }));
  }

  restore(snapshot: FaultSnapshot): void {
    this.#faults = snapshot.map((queued) => ({ ...queued }));
  }
}

/** The controls without the methods of the queue. */
export const faultControls = (queue: FaultQueue): FaultControls => ({
  next: (route, fault) => queue.next(route, fault),
  unused: () => queue.unused(),
  clear: () => queue.clear(),
});
