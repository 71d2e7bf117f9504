import { abortable } from "../async/abort.js";
import { UnauthorizedError } from "../errors/api-error.js";
import { InvalidArgumentError } from "../errors/argument-errors.js";
import { tokenProblem } from "./allowed-headers.js";
import type { Token } from "./option-types.js";

export class CallToken {
  value = "";
  readonly #operation: string;
  readonly #token: Token;
  #mayRenew: boolean;
  #refusal: UnauthorizedError | undefined;

  constructor(operation: string, token: Token, mayRenew: boolean) {
    this.#operation = operation;
    this.#token = token;
    this.#mayRenew = mayRenew && typeof token === "function";
  }

  /** For the next attempt. After a 401, throws that error if the token is still the same. */
  async next(signal: AbortSignal): Promise<void> {
    const refusal = this.#refusal;
    this.#refusal = undefined;
    const token = await requestToken(this.#operation, this.#token, refusal && this.value, signal);
    if (refusal !== undefined && token === this.value) throw refusal;
    this.value = token;
  }

  /** Whether the request is sent again after `error` if there is another token: after a 401, once. */
  renew(error: unknown): boolean {
    if (!this.#mayRenew || !(error instanceof UnauthorizedError)) return false;
    this.#mayRenew = false;
    this.#refusal = error;
    return true;
  }
}

/** `rejected` is the token that the service has just refused. What the token function throws is rethrown unchanged. */
export async function requestToken(
  operation: string,
  token: Token,
  rejected: string | undefined,
  signal: AbortSignal,
): Promise<string> {
  if (typeof token === "string") return token;
  const returned = await abortable(Promise.resolve(token({ rejected })), signal);
  const message = tokenProblem(returned);
  if (message !== undefined) throw new InvalidArgumentError({ operation, issues: [{ path: "token", message }] });
  return returned;
}
