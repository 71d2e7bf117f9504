import { EmulatorError } from "../emulator-error.js";
import type { Fault, FaultInput, FaultKind } from "./fault.js";

const KINDS: readonly string[] = ["drop", "truncate", "malformed", "html", "validation"] satisfies FaultKind[];

const FIELDS = ["kind", "status", "retryAfter", "headers", "body", "delayMs", "times", "acts"];

/** The fault in full, checked. */
export function normaliseFault(input: FaultInput): Fault {
  const wrong = (message: string) => new EmulatorError(`faults.next: ${message}`);
  if (typeof input === "string") return normaliseFault({ kind: input });
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
