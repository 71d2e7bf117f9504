/** Asks for the token of one attempt. */
import { abortable } from "../async/abortable.js";
import { InvalidArgumentError } from "../errors/argument-errors.js";
import { timeoutError } from "./connection-error-from.js";
import { tokenProblem } from "./headers.js";
import type { PreparedCall } from "./prepare.js";
import { timeLimit } from "./time-limit.js";
import type { Token } from "./token.js";

export interface TokenRequest {
  /** The token that the service has just refused with a 401. */
  readonly rejected: string | undefined;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/** An error that the token function throws is rethrown unchanged. After `timeoutMs`, throws `TimeoutError`. */
export async function requestToken(token: Token, call: PreparedCall, request: TokenRequest): Promise<string> {
  const value = typeof token === "function" ? await callTokenFunction(token, call, request) : token;
  const message = tokenProblem(value);
  if (message !== undefined) throw new InvalidArgumentError(call.operation.operation, [{ path: "token", message }]);
  return value;
}

async function callTokenFunction(
  token: Exclude<Token, string>,
  call: PreparedCall,
  { rejected, timeoutMs, signal }: TokenRequest,
): Promise<string> {
  const limit = timeLimit(signal, timeoutMs, () =>
    timeoutError(call, "timeoutMs of the token function", timeoutMs, { outcome: "not_sent" }),
  );
  try {
    return await abortable(Promise.resolve(token({ rejected })), limit.signal);
  } finally {
    limit.dispose();
  }
}
