import type { Project } from "./project.js";
import type { ProgramInput } from "./service.js";

/** The steps of program.js, in the order of the table. */
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

/** `yes` for each step, or why not. */
export type Results = Record<string, string>;

export interface Outcome {
  /** Of the runtime, and of what runs the program in it. */
  version: string;
  results: Results;
}

export interface Runtime {
  name: string;
  /** What cannot work there, and why. The client must say so in an error of its own. */
  cannot?: Partial<Record<Step, string>>;
  /** The row's last cell: how the program is run. */
  note?: string;
  run(project: Project, input: ProgramInput): Promise<Outcome>;
}

/** Not a failure of ours: the runtime is not on this machine and cannot be had. */
export class NotHere extends Error {}

/** What a program printed: its results are the last line. */
export const resultsIn = (output: string): Results => JSON.parse(output.split("\n").at(-1) ?? "") as Results;
