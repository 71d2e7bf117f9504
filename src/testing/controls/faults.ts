import * as z from "zod/mini";
import { isRecord } from "../../json/is-record.js";
import { orUndefined } from "../../json/or-undefined.js";
import { custom, enumOf, numberOf, optionsSchema } from "../../schemas/primitives.js";
import { checkValue, EmulatorError, emulatorMilliseconds } from "../emulator-error.js";
import { FAULT_KINDS, type Fault, type FaultKind, isPlannedFor, type PlannedFault } from "../http/fault.js";
import { ROUTE_NAMES, type RouteName } from "../routes/routes.js";

/** A simulated failure, or only its kind: `"drop"` is `{ kind: "drop" }`. */
export type FaultInput = FaultKind | Fault;

const isHeaders = (value: unknown) =>
  isRecord(value) && orUndefined(() => new Headers(value as Record<string, string>)) !== undefined;

const faultSchema = optionsSchema<Fault>()({
  kind: z.optional(enumOf(FAULT_KINDS)),
  status: z.optional(
    numberOf((status) => Number.isInteger(status) && status >= 200 && status <= 599, "an integer from 200 to 599"),
  ),
  retryAfterSeconds: z.optional(numberOf((seconds) => Number.isFinite(seconds) && seconds >= 0, "seconds from 0 up")),
  headers: z.optional(custom(isHeaders, "an object of valid header names and values")),
  body: z.optional(z.unknown()),
  delayMs: z.optional(emulatorMilliseconds),
  after: z.optional(numberOf((after) => Number.isInteger(after) && after >= 0, "an integer from 0 up")),
  times: z.optional(
    numberOf(
      (times) => times >= 1 && (Number.isInteger(times) || times === Number.POSITIVE_INFINITY),
      "an integer from 1 up",
    ),
  ),
  acts: z.optional(z.boolean()),
}).check(
  z.refine(({ kind, status, delayMs }) => kind !== undefined || status !== undefined || Boolean(delayMs), {
    error: `expected a status, a delayMs above 0 or one of ${FAULT_KINDS.join(", ")}`,
  }),
);

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

/** The controls of the failures in `queue`. A reset makes another queue. */
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
