/** What the doctor finds out. */
import type { UnshownOverrides } from "../unshown.js";

/**
 * `confirmed`: the service's behaviour shows that it knows the name. `differs`: its behaviour shows that it does not
 * know the name, or uses it in another way. `undecided`: this account does not show it; `detail` says what it would
 * take.
 */
export type Verdict = "confirmed" | "differs" | "undecided";

/**
 * How well the library knew it before: stated by the interface, or one of the levels of evidence in `docs/unshown.md`.
 */
export type EvidenceLevel = "interface" | "A" | "B" | "C";

/** One name that the interface leaves open, checked against the service. */
export interface Check {
  /** The group and the meaning in the client's `unshown` option, for example `rooms.limit`. */
  id: string;
  /** What the parameter is for. */
  title: string;
  /** What the service does with the name, as far as it could be seen. */
  verdict: Verdict;
  /** How well our default was known. */
  level: EvidenceLevel;
  /** Why the verdict is as it is. Never content of the account. */
  detail: string;
}

/** A place in the service's responses that is not as promised. Kinds only, never content. */
export interface Drift {
  /** The operation that was read, for example `rooms.list`. */
  operation: string;
  /** The place in the response, for example `data[].duration`. */
  path: string;
  /** What the interface, or the service's public pages, promise. */
  expected: string;
  /** The kind of what came: `missing`, `null`, `string`, `number` … */
  received: string;
  /** How often it came. */
  count: number;
}

/** A field that came. */
export interface ReceivedField {
  /** The operation that was read, for example `rooms.list`. */
  operation: string;
  /** The place in the response, for example `data[].title`. */
  path: string;
  /** The kinds of its values. */
  kinds: string[];
  /** Whether this library knows the field. */
  known: boolean;
  /** How often it came. */
  count: number;
}

/** What the doctor found out. */
export interface Report {
  /** One for each name, in the order of the `unshown` option. */
  checks: Check[];
  /** The client's `unshown` option for this service: only names that differ, `{}` if none does. */
  unshown: UnshownOverrides;
  /** Responses that are not as promised, one entry for each place. */
  drift: Drift[];
  /** The fields that came, known and unknown. */
  fields: ReceivedField[];
  /** How many requests were sent. */
  requests: number;
}

/** Options of `diagnose`. */
export interface DiagnoseOptions {
  /** Ends the diagnosis at once; it rejects with `signal.reason`. */
  signal?: AbortSignal | undefined;
  /** Called with each check as soon as its verdict is known. */
  onCheck?: ((check: Check) => void) | undefined;
}
