/** A hook of ky: adds the token to each attempt. */
import { abortable } from "../async/abort.js";
import { UnauthorizedError } from "../errors/api-error.js";
import { InvalidArgumentError } from "../errors/argument-errors.js";
import { timeoutError } from "./connection-error-from.js";
import { tokenProblem } from "./headers.js";
import type { PreparedCall } from "./prepare.js";
import type { RunningCall } from "./running-call.js";
import { timeLimit } from "./time-limit.js";
import type { Token } from "./transport-config.js";

export async function authorise(request: Request, call: RunningCall): Promise<void> {
  // From here until the attempt begins, an error is the token function's own or the throttle's.
  call.attempt = undefined;
  call.token = call.renewedToken ?? (await tokenOf(call, undefined));
  call.renewedToken = undefined;
  call.secrets.add(call.token);
  request.headers.set("authorization", `Bearer ${call.token}`);
}

/** After a 401, asks for another token. Resolves to whether there is one, with which the request is sent again. */
export async function renewToken(error: unknown, call: RunningCall): Promise<boolean> {
  if (!(error instanceof UnauthorizedError) || call.remainingRenewals === 0) return false;
  call.remainingRenewals -= 1;
  const renewed = await tokenOf(call, call.token);
  if (renewed === call.token) return false;
  call.renewedToken = renewed;
  return true;
}

const tokenOf = (call: RunningCall, rejected: string | undefined) =>
  requestToken(call.operation.token ?? call.config.token, call, {
    rejected,
    timeoutMs: call.limits.timeoutMs,
    signal: call.signal,
  });

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
  if (message !== undefined) throw new InvalidArgumentError(call.operation.name, [{ path: "token", message }]);
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
