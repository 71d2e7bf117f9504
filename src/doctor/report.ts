/** The report of the doctor, and its options. */
import * as z from "zod/mini";
import type { AssumptionOverrides } from "../assumptions.js";
import { functionSchema, optionsSchema } from "../schemas/primitives.js";
import { requestOptionsShape } from "../transport/request-options.js";

/**
 * `confirmed`: the responses show that the service knows the name. `differs`: the responses show that the service does
 * not know the name, or uses it in another way. `undecided`: the responses for this account show neither; `detail` says
 * what the account lacks.
 */
export type Verdict = "confirmed" | "differs" | "undecided";

/**
 * How well the library knew the name before: from the API specification, or at one of the levels of evidence in
 * `docs/assumptions.md`.
 */
export type Evidence = "specified" | "documented" | "observed" | "guessed";

/** The check of one name that the API specification does not define. */
export interface Check {
  /** The group and the meaning in the client's `assumptions` option, for example `rooms.limit`. */
  id: string;
  /** The purpose of the parameter. */
  title: string;
  /** Whether the service uses the name. */
  verdict: Verdict;
  /** The level of evidence for the library's default. */
  source: Evidence;
  /** The reason for the verdict. It never has content of the account. */
  detail: string;
}

/**
 * A field of the service's responses that does not match the API specification. It has kinds of values only, never
 * content.
 */
export interface Drift {
  /** The operation that was read, for example `rooms.list`. */
  operation: string;
  /** The path of the field in the response, for example `data[].duration`. */
  path: string;
  /** The kind that the API specification, or the service's public reference, states. */
  expected: string;
  /** The kind of the received value: `missing`, `null`, `string`, `number` … */
  received: string;
  /** How often it was received. */
  count: number;
}

/** A received field. */
export interface ReceivedField {
  /** The operation that was read, for example `rooms.list`. */
  operation: string;
  /** The path of the field in the response, for example `data[].title`. */
  path: string;
  /** The kinds of its values. */
  kinds: string[];
  /** Whether this library knows the field. */
  known: boolean;
  /** How often it was received. */
  count: number;
}

/** The result of {@link diagnose}. */
export interface Report {
  /** One check for each name, in the order of the `assumptions` option. */
  checks: Check[];
  /**
   * The client's `assumptions` option for this service. It has only the names that differ, and is `{}` if none differs.
   */
  assumptions: AssumptionOverrides;
  /** The differences between the responses and the API specification, one entry for each field. */
  drift: Drift[];
  /** The received fields, known and unknown. */
  fields: ReceivedField[];
  /** How many requests were sent. */
  requests: number;
}

/** Options of `diagnose`. */
export interface DiagnoseOptions {
  /** Ends the diagnosis at once, which then rejects with `signal.reason`. */
  signal?: AbortSignal | undefined;
  /** Called with each check as soon as its verdict is known. */
  onCheck?: ((check: Check) => void) | undefined;
}

export const diagnoseOptionsSchema = optionsSchema<DiagnoseOptions>()({
  signal: requestOptionsShape.signal,
  onCheck: z.optional(functionSchema),
});
