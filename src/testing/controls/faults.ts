/** `service.faults`: what goes wrong, when a test wants it to. */

import { EmulatorError } from "../emulator-error.js";
import type { Fault, FaultInput } from "./fault.js";
import { normaliseFault } from "./parse-fault.js";

export interface PlannedFault {
  /** As it was given: `GET /meetings/:id/transcript`. */
  readonly route: string;
  readonly fault: Fault;
  /** How many requests it will still hit. */
  readonly left: number;
}

export interface FaultControls {
  /**
   * Plans a fault for the next requests to a route, after those planned before. A parameter of the route can have any name
   * (`:id` or `{id}`); `*` is every route; `GET /recordings/:key` is the download of a recording.
   */
  next(route: string, fault: FaultInput): void;
  /** The faults that have not hit as often as planned, so that a test can fail when its fault never fired. */
  unused(): readonly PlannedFault[];
  /** Forgets every planned fault. */
  clear(): void;
}

interface Planned {
  route: string;
  key: string;
  fault: Fault;
  left: number;
}

/** The route with its parameters' names left out. */
const keyOf = (route: string) => route.trim().replace(/\{[^/]*\}|:[^/]+/g, "{}");

export class FaultQueue {
  readonly #routes: readonly string[];
  #planned: Planned[] = [];

  /** `routes` are the names of all there are. */
  constructor(routes: readonly string[]) {
    this.#routes = routes;
  }

  next(route: string, input: FaultInput): void {
    const key = keyOf(route);
    if (key !== "*" && !this.#routes.some((known) => keyOf(known) === key)) {
      throw new EmulatorError(`faults.next: no route ${route}; expected * or one of ${this.#routes.join(", ")}`);
    }
    const fault = normaliseFault(input);
    this.#planned.push({ route, key, fault, left: fault.times ?? 1 });
  }

  /** The fault for a request, if any, which is thereby used. */
  take(route: string | undefined): Fault | undefined {
    if (this.#planned.length === 0) return undefined;
    const key = keyOf(route ?? "");
    const index = this.#planned.findIndex((planned) => planned.key === "*" || planned.key === key);
    const planned = this.#planned[index];
    if (planned === undefined) return undefined;
    planned.left -= 1;
    if (planned.left <= 0) this.#planned.splice(index, 1);
    return planned.fault;
  }

  unused(): readonly PlannedFault[] {
    return this.#planned
      .filter(({ left }) => left !== Number.POSITIVE_INFINITY)
      .map(({ route, fault, left }) => ({ route, fault, left }));
  }

  clear(): void {
    this.#planned = [];
  }

  snapshot(): readonly Planned[] {
    return this.#planned.map((planned) => ({ ...planned }));
  }

  restore(planned: readonly Planned[]): void {
    this.#planned = planned.map((one) => ({ ...one }));
  }
}
