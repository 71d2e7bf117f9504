/** `service.faults`: the faults that a test plans. */
import { kindOf } from "../../schemas/received-value.js";
import { EmulatorError } from "../emulator-error.js";
import type { RouteName } from "../routes/route-names.js";
import type { Fault, FaultInput } from "./fault.js";
import { normaliseFault } from "./parse-fault.js";

/** A planned fault that has not yet affected all its requests. */
export interface PlannedFault {
  /** The route as the test wrote it, for example `GET /meetings/:id/transcript`. */
  readonly route: string;
  /** The fault. */
  readonly fault: Fault;
  /** How many more requests the fault will affect. */
  readonly left: number;
}

/** Plans faults, and lists those that have not happened yet. */
export interface FaultControls {
  /**
   * Plans a fault for the next requests to a route. It takes effect after the faults that were planned before it. A
   * parameter of the route can have any name (`:id` or `{id}`); `*` is every route; `GET /recordings/:key` is the
   * download of a recording.
   */
  next(route: RouteName | "*" | (string & {}), fault: FaultInput): void;
  /**
   * The faults that have affected fewer requests than planned. A test can check that the list is empty. A fault for all
   * requests (`times: Infinity`) is not listed.
   */
  unused(): readonly PlannedFault[];
  /** Forgets every planned fault. */
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
  readonly #routes: readonly string[];
  #faults: QueuedFault[] = [];

  /** `routes` are the names of all routes. */
  constructor(routes: readonly string[]) {
    this.#routes = routes;
  }

  next(route: string, input: FaultInput): void {
    if (typeof route !== "string") {
      throw new EmulatorError(`faults.next: route: expected a string such as "GET /rooms", received ${kindOf(route)}`);
    }
    const key = keyOf(route);
    if (key !== "*" && !this.#routes.some((name) => keyOf(name) === key)) {
      throw new EmulatorError(`faults.next: no route ${route}; expected * or one of ${this.#routes.join(", ")}`);
    }
    const fault = normaliseFault(input);
    this.#faults.push({ route, key, fault, remaining: fault.times ?? 1 });
  }

  /** Takes the fault for a request, if there is one. */
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
