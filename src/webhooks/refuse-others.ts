import { ConfigurationError } from "../errors/configuration-error.js";

/** What is left of the options once those that there are have been taken: a misspelt one would change nothing. */
export function refuseOthers(owner: string, others: object): void {
  for (const name in others) throw new ConfigurationError(`${owner} ${name}: is not known here`);
}
