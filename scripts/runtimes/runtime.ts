import type { Project } from "./project.js";
import type { ProgramInput } from "./service.js";

/** The steps of program.js with their names in the table, in order. */
export const STEPS = {
  list: "lists",
  upload: "upload",
  stream: "streamed upload",
  download: "download",
  retry: "retry",
  errors: "typed errors",
  abort: "abort",
  webhook: "webhooks",
  captions: "captions",
  redirects: "redirects refused",
} as const;

export type Step = keyof typeof STEPS;

/** For each step `yes`, or the reason why not. */
export type Results = Record<string, string>;

export interface Outcome {
  /** The version of the runtime, and of the tool that runs the program in it. */
  version: string;
  results: Results;
}

export interface Runtime {
  name: string;
  /**
   * The steps that cannot work in this runtime, with the reasons. The client must throw one of its own errors for them.
   */
  cannot?: Partial<Record<Step, string>>;
  /** The row's last cell: how the program is run. */
  note?: string;
  run(project: Project, input: ProgramInput): Promise<Outcome>;
}

/** The runtime is missing on this machine and cannot be installed. That does not count as a failure. */
export class NotHere extends Error {}

/** The results of a program: the last line of its output. */
export const resultsIn = (output: string): Results => JSON.parse(output.split("\n").at(-1) ?? "") as Results;
