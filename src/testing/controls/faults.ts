import { custom } from "../../schemas/primitives.js";
import { checkValue, EmulatorError } from "../emulator-error.js";
import { type Fault, type FaultKind, faultSchema, isPlannedFor, type PlannedFault } from "../http/fault.js";
import { ROUTE_NAMES, type RouteName } from "../routes/routes.js";

/** A simulated failure, or only its kind: `"drop"` is `{ kind: "drop" }`. */
export type FaultInput = FaultKind | Fault;

const routeSchema = custom<string>((route) => typeof route === "string", 'a string such as "GET /rooms"');

/** Plans simulated failures. */
export interface FaultControls {
  /**
   * Plans a failure of the next requests to a route, after those that were planned before. A parameter of the route can
   * have any name (`:id` or `{id}`); `*` is every route, `GET /recordings/:key` the download of a recording.
   */
  next(route: RouteName | "*" | (string & {}), fault: FaultInput): void;
  /** The failures that have affected fewer requests than planned; not those of all requests (`times: Infinity`). */
  unused(): readonly PlannedFault[];
  /** Forgets every planned failure. */
  clear(): void;
}

export const faultControls = (queue: () => PlannedFault[]): FaultControls => ({
  next(route, input) {
    checkValue("faults.next: route", routeSchema, route);
    if (!ROUTE_NAMES.some((name) => isPlannedFor(route, name))) {
      throw new EmulatorError(`faults.next: no route ${route}; expected * or one of ${ROUTE_NAMES.join(", ")}`);
    }
    const fault = typeof input === "string" ? { kind: input } : input;
    checkValue("faults.next", faultSchema, fault);
    // A program in JavaScript may pass `Headers`.
    const headers = fault.headers && Object.fromEntries(new Headers(fault.headers));
    queue().push({ route, fault: { ...fault, headers }, spared: fault.after ?? 0, left: fault.times ?? 1 });
  },
  unused: () => queue().filter(({ left }) => left !== Number.POSITIVE_INFINITY),
  clear() {
    queue().length = 0;
  },
});
