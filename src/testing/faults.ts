/** `service.faults`: what goes wrong, when a test wants it to. */

import { RETRY_AFTER_HEADER, UNSHOWN_VALIDATION_STATUS } from "../unshown.js";
import { EmulatorError } from "./emulator-error.js";
import { type Answer, json } from "./exchange.js";
import { errorAnswer } from "./refusal.js";

/**
 * - `drop`: the connection breaks before an answer
 * - `truncate`: the answer breaks off in the middle of its body
 * - `malformed`: the answer arrives whole and is no JSON
 * - `html`: a proxy answers in the service's place, with 502 or the given status
 * - `validation`: a validation envelope
 */
export type FaultKind = "drop" | "truncate" | "malformed" | "html" | "validation";

const KINDS: readonly string[] = ["drop", "truncate", "malformed", "html", "validation"] satisfies FaultKind[];

export interface Fault {
  kind?: FaultKind | undefined;
  /** Answers with this status, from 200 to 599; an error status comes with the error envelope. */
  status?: number | undefined;
  /** The `Retry-After` header: seconds, or a date as it is. */
  retryAfter?: number | string | undefined;
  /** Further headers of the answer. */
  headers?: Record<string, string> | undefined;
  /** The body in place of the envelope: JSON, or a string as it is. */
  body?: unknown;
  /** The answer comes this much later, in milliseconds of real time (or of the test runner's mocked timers). */
  delayMs?: number | undefined;
  /** How many requests it hits. Default: 1. `Infinity`: all, until `clear`. */
  times?: number | undefined;
  /**
   * Whether the service does what it was asked all the same, so that the answer alone is lost. Default: yes for `truncate`,
   * `malformed` and a mere delay, no for the others.
   */
  acts?: boolean | undefined;
}

/** A fault by name alone, in full, or with its name as a switch: `"drop"`, `{ kind: "drop" }`, `{ drop: true }`. */
export type FaultInput =
  | FaultKind
  | (Fault & { [K in FaultKind]?: true })
  | (Omit<Fault, "status"> & { status: FaultKind });

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

export class Faults {
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
    const fault = plain(input);
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

const FIELDS = ["kind", "status", "retryAfter", "headers", "body", "delayMs", "times", "acts"];

/** The fault in full, checked. */
function plain(input: FaultInput): Fault {
  const wrong = (message: string) => new EmulatorError(`faults.next: ${message}`);
  if (typeof input === "string") return plain({ kind: input });
  const { status, ...rest } = input;
  const switches = KINDS.filter((kind) => (rest as Record<string, unknown>)[kind] === true);
  const kinds = [rest.kind, typeof status === "string" ? status : undefined, ...switches].filter(
    (kind) => kind !== undefined,
  );
  const [kind, second] = kinds;
  if (second !== undefined) throw wrong(`expected one kind of fault, received ${kinds.join(" and ")}`);
  if (kind !== undefined && !KINDS.includes(kind)) throw wrong(`unknown kind "${kind}"; expected ${KINDS.join(", ")}`);
  const unknown = Object.keys(rest).find((key) => !FIELDS.includes(key) && !KINDS.includes(key));
  if (unknown !== undefined) throw wrong(`unknown field ${unknown}; expected ${FIELDS.join(", ")}`);

  const code = typeof status === "number" ? status : undefined;
  if (code !== undefined && !(Number.isInteger(code) && code >= 200 && code <= 599)) {
    throw wrong(`status: expected an integer from 200 to 599, received ${code}`);
  }
  const { times = 1, delayMs = 0 } = rest;
  if (!(times >= 1)) throw wrong(`times: expected a number from 1 up, received ${String(times)}`);
  if (!(delayMs >= 0)) throw wrong(`delayMs: expected milliseconds from 0 up, received ${String(delayMs)}`);
  if (kind === undefined && code === undefined && delayMs === 0) {
    throw wrong(`expected a status, a delayMs or one of ${KINDS.join(", ")}`);
  }
  const { retryAfter, headers, body, acts } = rest;
  return { kind: kind as FaultKind | undefined, status: code, retryAfter, headers, body, delayMs, times, acts };
}

/** What a fault makes of an answer. `act` is the service's own answer, asked for only when the fault lets it act. */
export function faultedAnswer(fault: Fault, act: () => Answer): Answer | "drop" {
  const { kind, status, acts } = fault;
  const lets = acts ?? (kind === "truncate" || kind === "malformed" || (kind === undefined && status === undefined));
  const own = lets ? act() : undefined;
  if (kind === "drop") return "drop";
  const answer = madeUp(fault, own);
  const extra: Record<string, string> = { ...fault.headers };
  if (fault.retryAfter !== undefined) extra[RETRY_AFTER_HEADER] = String(fault.retryAfter);
  return { ...answer, headers: { ...own?.headers, ...answer.headers, ...extra } };
}

function madeUp({ kind, status, body }: Fault, own: Answer | undefined): Answer {
  if (body !== undefined) {
    return typeof body === "string" ? { status: status ?? 200, body } : json(body, status ?? 200);
  }
  if (kind === "html") {
    const title = `${status ?? 502} Bad Gateway`;
    return {
      status: status ?? 502,
      headers: { "content-type": "text/html" },
      body: `<html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>`,
    };
  }
  if (kind === "validation") {
    const issue = { loc: ["query", "fault"], msg: "planned by the test", type: "fault", input: null };
    return json({ detail: [issue] }, status ?? UNSHOWN_VALIDATION_STATUS);
  }
  if (kind === "malformed") {
    const text = JSON.stringify(own?.json ?? {});
    const headers = { "content-type": "application/json" };
    return { status: status ?? own?.status ?? 200, headers, body: text.slice(0, Math.max(1, text.length >> 1)) };
  }
  if (status !== undefined) return status < 400 ? { status } : errorAnswer(status, `planned by the test: ${status}`);
  return own ?? { status: 200 };
}
