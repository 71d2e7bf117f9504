import * as z from "zod/mini";
import { formatIssues, type Issue, type IssueInit } from "../checks/format-issues.js";
import { numberOf } from "../schemas/primitives.js";

/** The emulator was used in a wrong way, for example with an invalid seed, an invalid option or an unknown id. */
export class EmulatorError extends Error {
  /** The name of the class. */
  override readonly name = "EmulatorError";
  /** The mistakes in a seed or in options, with their paths. Empty for other errors. */
  readonly mistakes: readonly (Omit<Issue, "code"> & Partial<Pick<Issue, "code">>)[];

  constructor(message: string, mistakes: readonly IssueInit[] = []) {
    super(message);
    this.mistakes = mistakes;
  }
}

export const mistakesError = (operation: string, mistakes: readonly IssueInit[]) =>
  new EmulatorError(
    `${operation}: ${mistakes.map(({ path, message }) => (path === "" ? message : `${path}: ${message}`)).join("; ")}`,
    mistakes,
  );

/** The mistakes in `value`. `noun` is the word for an unknown name: `option` or `field`. */
export const mistakesIn = (schema: z.core.$ZodType, value: unknown, noun = "field"): IssueInit[] =>
  formatIssues(z.safeParse(schema, value).error?.issues ?? [], value, schema, noun);

export function checkValue(operation: string, schema: z.core.$ZodType, value: unknown, noun?: string): void {
  const mistakes = mistakesIn(schema, value, noun);
  if (mistakes.length > 0) throw mistakesError(operation, mistakes);
}

export const shapeOf = (schema: z.core.$ZodType) =>
  (schema._zod.def as unknown as { shape: Readonly<Record<string, z.ZodMiniType>> }).shape;

export const emulatorMilliseconds = numberOf((ms) => Number.isFinite(ms) && ms >= 0, "milliseconds from 0 up");
