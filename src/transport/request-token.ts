/** Asks for the token of one attempt. */
import { abortable } from "../async/abortable.js";
import { InvalidArgumentError } from "../errors/invalid-argument-error.js";
import { tokenProblem } from "./headers.js";
import { timeLimit } from "./time-limit.js";
import type { Token } from "./token.js";

export interface TokenRequest {
  readonly operation: string;
  /** The token that the service has just refused with a 401. */
  readonly rejected: string | undefined;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
  createTimeoutError(): unknown;
}

/** What a token function throws passes unchanged. One that takes longer than `timeoutMs` is given up. */
export async function requestToken(token: Token, request: TokenRequest): Promise<string> {
  const value = typeof token === "function" ? await callTokenFunction(token, request) : token;
  const problem = tokenProblem(value);
  if (problem !== undefined) throw new InvalidArgumentError(request.operation, [{ path: "token", message: problem }]);
  return value;
}

async function callTokenFunction(
  token: Exclude<Token, string>,
  { rejected, timeoutMs, signal, createTimeoutError }: TokenRequest,
): Promise<string> {
  const limit = timeLimit(signal, timeoutMs, createTimeoutError);
  limit.restart();
  try {
    return await abortable(Promise.resolve(token({ rejected })), limit.signal);
  } finally {
    limit.dispose();
  }
}
