/** One mistake in a seed or an option. */
export interface Mistake {
  /** The path, as one types it: `rooms[0].meetings[1]`. */
  path: string;
  /** What was expected, and what was received. */
  message: string;
}

/** The emulator was used wrongly: an invalid seed or option, an unknown id. */
export class EmulatorError extends Error {
  /** The name of the class. */
  override readonly name = "EmulatorError";
  /** Every mistake, if a value with paths was wrong. */
  readonly mistakes: readonly Mistake[];

  constructor(message: string, mistakes: readonly Mistake[] = []) {
    super(message);
    this.mistakes = mistakes;
  }
}

/** The error for wrong arguments of `operation`. */
export const mistakesError = (operation: string, mistakes: readonly Mistake[]) =>
  new EmulatorError(
    `${operation}: ${mistakes.map(({ path, message }) => (path === "" ? message : `${path}: ${message}`)).join("; ")}`,
    mistakes,
  );
