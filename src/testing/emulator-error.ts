/** One thing that is wrong in a seed or an option. */
export interface Mistake {
  /** The place, as one types it: `rooms[0].meetings[1]`. */
  path: string;
  message: string;
}

/** The emulator was used in a way that cannot work: a seed that breaks the interface, an id that does not exist. */
export class EmulatorError extends Error {
  override readonly name = "EmulatorError";
  /** Each place that is wrong, where a value was given that has places. */
  readonly mistakes: readonly Mistake[];

  constructor(message: string, mistakes: readonly Mistake[] = []) {
    super(message);
    this.mistakes = mistakes;
  }
}

/** The error for what was given to `operation`. */
export const mistakesError = (operation: string, mistakes: readonly Mistake[]) =>
  new EmulatorError(
    `${operation}: ${mistakes.map(({ path, message }) => (path === "" ? message : `${path}: ${message}`)).join("; ")}`,
    mistakes,
  );
