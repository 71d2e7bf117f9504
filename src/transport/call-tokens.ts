/** The token of each attempt of one call. */

import { requestToken, type TokenRequest } from "./request-token.js";
import type { Token } from "./token.js";

export class CallTokens {
  readonly #token: Token;
  readonly #request: Omit<TokenRequest, "rejected">;
  /** Whether a refused token may still be replaced: once per call. */
  #mayRenew: boolean;
  #renewed: string | undefined;

  constructor(token: Token, request: Omit<TokenRequest, "rejected">, mayRenew: boolean) {
    this.#token = token;
    this.#request = request;
    this.#mayRenew = mayRenew && typeof token === "function";
  }

  async next(): Promise<string> {
    const renewed = this.#renewed;
    this.#renewed = undefined;
    return renewed ?? requestToken(this.#token, { ...this.#request, rejected: undefined });
  }

  /** Requests another token after a 401. Resolves to `false` if it is the refused one again. */
  async renew(refused: string): Promise<boolean> {
    if (!this.#mayRenew) return false;
    this.#mayRenew = false;
    const token = await requestToken(this.#token, { ...this.#request, rejected: refused });
    if (token === refused) return false;
    this.#renewed = token;
    return true;
  }
}
