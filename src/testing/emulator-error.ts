/** One mistake in a seed or an option. */
export interface Mistake {
  /** The path of the value, for example `rooms[0].meetings[1]`. */
  path: string;
  /** What was expected, and what was received. */
  message: string;
}

/** The emulator was used in a wrong way, for example with an invalid seed, an invalid option or an unknown id. */
export class EmulatorError extends Error {
  /** The name of the class. */
  override readonly name = "EmulatorError";
  /** Every mistake in a seed or in options. Empty for other errors. */
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
