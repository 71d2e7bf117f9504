/** Checks a fault that a test plans, and converts it from any of its forms to the full form. */
import { unknownName } from "../../schemas/unknown-name.js";
import { EmulatorError } from "../emulator-error.js";
import type { Fault, FaultInput, FaultKind } from "./fault.js";

const KINDS = ["drop", "truncate", "malformed", "html", "validation"] as const satisfies readonly FaultKind[];

const FIELDS = [
  "kind",
  "status",
  "retryAfter",
  "headers",
  "body",
  "delayMs",
  "times",
  "acts",
] satisfies (keyof Fault)[];

const faultError = (message: string) => new EmulatorError(`faults.next: ${message}`);

const isKind = (kind: unknown): kind is FaultKind => (KINDS as readonly unknown[]).includes(kind);

/** The fault in its full form. Throws an {@link EmulatorError} if the fault is invalid. */
export function normaliseFault(input: FaultInput): Fault {
  const fields: Record<string, unknown> = typeof input === "string" ? { kind: input } : { ...input };
  checkNames(fields);
  const kind = kindIn(fields);
  const status = typeof fields.status === "string" ? undefined : fields.status;
  const { retryAfter, headers, body, acts, times = 1, delayMs = 0 } = fields as Fault;
  const fault: Fault = { kind, status: status as number | undefined, retryAfter, headers, body, delayMs, times, acts };
  checkNumbers(fault);
  if (kind === undefined && status === undefined && delayMs === 0) {
    throw faultError(`expected a status, a delayMs or one of ${KINDS.join(", ")}`);
  }
  return fault;
}

function checkNames(fields: Record<string, unknown>): void {
  const allowed: readonly string[] = [...FIELDS, ...KINDS];
  const unknown = Object.keys(fields).find((name) => !allowed.includes(name));
  if (unknown !== undefined) throw faultError(`${unknown}: ${unknownName(unknown, FIELDS, "field")}`);
}

/** The kind of fault, from `kind`, from `status` or from a switch such as `drop: true`. */
function kindIn(fields: Record<string, unknown>): FaultKind | undefined {
  const statusKind = typeof fields.status === "string" ? fields.status : undefined;
  const switches = KINDS.filter((kind) => fields[kind] === true);
  const kinds = [fields.kind, statusKind, ...switches].filter((kind) => kind !== undefined);
  if (kinds.length > 1) throw faultError(`expected one kind of fault, received ${kinds.join(" and ")}`);
  const [kind] = kinds;
  if (kind === undefined || isKind(kind)) return kind;
  throw faultError(`unknown kind "${String(kind)}"; expected ${KINDS.join(", ")}`);
}

function checkNumbers({ status, times = 1, delayMs = 0 }: Fault): void {
  if (status !== undefined && !(Number.isInteger(status) && status >= 200 && status <= 599)) {
    throw faultError(`status: expected an integer from 200 to 599, received ${String(status)}`);
  }
  if (!(times >= 1)) throw faultError(`times: expected a number from 1 up, received ${String(times)}`);
  if (!(delayMs >= 0)) throw faultError(`delayMs: expected milliseconds from 0 up, received ${String(delayMs)}`);
}
