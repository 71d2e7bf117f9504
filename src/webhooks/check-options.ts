import { ConfigurationError } from "../errors/configuration-error.js";

/** The longest wait that a timer can do: a longer one would fire at once. */
export const LONGEST_WAIT = 2_147_483_647;

/** Options that are a number of something: each at least 1, and no more than a timer can wait. */
export function checkNumbers(owner: string, numbers: Record<string, number>): void {
  for (const [name, value] of Object.entries(numbers)) {
    if (typeof value === "number" && value >= 1 && value <= LONGEST_WAIT) continue;
    throw new ConfigurationError(`${owner} ${name}: expected 1 to ${LONGEST_WAIT}`);
  }
}

/** Rejects unknown options, so that a misspelt name is noticed. */
export function rejectUnknownOptions(owner: string, unknownOptions: object): void {
  for (const name in unknownOptions) throw new ConfigurationError(`${owner} ${name}: is not known here`);
}
