/** What the parts of one run of an export share. */
import type { Notetaker } from "../../client.js";
import type { Checkpoint } from "./checkpoint.js";
import type { ExportProgress } from "./export-options.js";
import type { ExportPlan } from "./parse-options.js";
import type { Requests } from "./rate-limited-requests.js";
import type { Output } from "./sink-writer.js";

export interface Run {
  notetaker: Pick<Notetaker, "meetings" | "documents">;
  plan: ExportPlan;
  requests: Requests;
  output: Output;
  checkpoint: Checkpoint;
  signal: AbortSignal;
  /** Ends everything that is under way, when one part of it ends the run. */
  end(reason: unknown): void;
  report(phase: ExportProgress["phase"], about?: { current?: string; waitMs?: number }): void;
}

/** The export retries by itself, so that every request is counted and every wait is on its clock. */
export const callOptions = ({ signal }: Run) => ({ signal, maxRetries: 0 });
