/** Provides the token for each request of one call, and asks for another token after a 401. */
import { UnauthorizedError } from "../errors/api-error.js";

export class RenewableToken {
  readonly #ask: (rejected: string | undefined) => Promise<string>;
  #remainingRenewals: number;
  #renewed: string | undefined;
  /** The token of the latest request. */
  current: string | undefined;

  /** `ask` is called with the token that the service has just refused, if any. */
  constructor(ask: (rejected: string | undefined) => Promise<string>, maxRenewals = Number.POSITIVE_INFINITY) {
    this.#ask = ask;
    this.#remainingRenewals = maxRenewals;
  }

  /** The token of the next request. */
  async next(): Promise<string> {
    this.current = this.#renewed ?? (await this.#ask(undefined));
    this.#renewed = undefined;
    return this.current;
  }

  /** Asks for another token if `error` is a 401. Resolves to whether there is one. */
  async renewAfter(error: unknown): Promise<boolean> {
    if (!(error instanceof UnauthorizedError) || this.#remainingRenewals === 0) return false;
    this.#remainingRenewals -= 1;
    this.#renewed = await this.#ask(this.current);
    return this.#renewed !== this.current;
  }
}
