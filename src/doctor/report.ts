import * as z from "zod/mini";
import { functionOf, type Infer } from "../schemas/primitives.js";
import { requestOptionsShape } from "../transport/request-options.js";

/**
 * `confirmed`: the response shows the effect of the name. `differs`: the response shows that the name has no effect, or
 * the service refuses it. `undecided`: this account has too little data, or its endpoint failed; `detail` says which.
 */
export type Verdict = "confirmed" | "differs" | "undecided";

/** How the library knows the name: from the API specification, or at a level of evidence of `docs/assumptions.md`. */
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
  /** What the response showed, in a sentence without content of the account. */
  detail: string;
}

/** The result of {@link diagnose}. */
export interface Report {
  /** One check for each name. */
  checks: Check[];
  /** How many requests were sent. */
  requests: number;
}

const diagnoseOptions = {
  /** Ends the diagnosis at once: it rejects with `signal.reason`. */
  signal: requestOptionsShape.signal,
  /** Called with each check as soon as its verdict is known. */
  onCheck: z.optional(functionOf<(check: Check) => void>()),
};

export interface DiagnoseOptions extends Infer<typeof diagnoseOptions> {}

export const diagnoseOptionsSchema = z.strictObject(diagnoseOptions);
