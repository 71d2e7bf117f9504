import { ConfigurationError } from "../errors/configuration-error.js";

/** The longest wait that a timer can do: a longer one would fire at once. */
const LONGEST = 2_147_483_647;

/** An option that is a number of something: at least 1, and no more than a timer can wait. */
export function checkedNumber(option: string, value: number): number {
  if (typeof value === "number" && value >= 1 && value <= LONGEST) return value;
  throw new ConfigurationError(`${option}: expected a number from 1 to ${LONGEST}, received ${String(value)}`);
}
