/** Decides the status of each mutant from the record of a run. */
import { EQUIVALENT } from "./equivalent.js";
import type { Mutant } from "./mutants.js";
import type { Line } from "./record.js";

/**
 * The statuses of the report's format. `Ignored`: an equivalent mutant, or a mutant that runs only while a module
 * loads.
 */
export type Status = "Killed" | "Timeout" | "Survived" | "NoCoverage" | "Ignored";

export interface Verdict {
  mutant: Mutant;
  status: Status;
  /** The test that found the mutant. */
  test?: string;
  message?: string;
  /** How many tests missed the mutant. */
  missedBy: number;
}

/** @param lines the record of the run */
export function judge(mutants: Mutant[], lines: Line[]): Verdict[] {
  const met = new Set<string>();
  const metOnReload = new Set<string>();
  const loaded = new Set<string>();
  const missed = new Map<string, number>();
  const found = new Map<string, Extract<Line, { what: "found" }>>();
  for (const line of lines) {
    if (line.what === "met" && line.passed) {
      for (const mutant of line.mutants) (line.reloads ? metOnReload : met).add(mutant);
    }
    if (line.what === "loaded") for (const mutant of line.mutants) loaded.add(mutant);
    if (line.what === "missed") missed.set(line.mutant, (missed.get(line.mutant) ?? 0) + 1);
    if (line.what === "found") found.set(line.mutant, line);
  }
  return mutants.map((mutant) => {
    const finding = found.get(mutant.id);
    const missedBy = missed.get(mutant.id) ?? 0;
    if (finding !== undefined) {
      const status = finding.message.includes("did not end") ? "Timeout" : "Killed";
      return { mutant, status, test: finding.test, message: finding.message, missedBy };
    }
    const reason = EQUIVALENT.find((one) => isThe(one, mutant))?.why;
    if (reason !== undefined) return { mutant, status: "Ignored", message: reason, missedBy };
    if (met.has(mutant.id)) return { mutant, status: "Survived", missedBy };
    if (loaded.has(mutant.id)) return { mutant, status: "Ignored", message: ONLY_WHILE_LOADING, missedBy };
    return { mutant, status: metOnReload.has(mutant.id) ? "Survived" : "NoCoverage", missedBy };
  });
}

const ONLY_WHILE_LOADING = "met only while a module loads";

const flat = (text: string) => text.replace(/\s+/g, " ").trim();

const isThe = (one: (typeof EQUIVALENT)[number], mutant: Mutant) =>
  one.file === mutant.file && flat(one.from) === flat(mutant.original) && flat(one.to) === flat(mutant.replacement);
