/** A hook of ky: adds the token to each attempt. */
import { abortable } from "../async/abort.js";
import { UnauthorizedError } from "../errors/api-error.js";
import { InvalidArgumentError } from "../errors/argument-errors.js";
import { timeoutError } from "./connection-error-from.js";
import { tokenProblem } from "./headers.js";
import type { RunningCall } from "./running-call.js";
import { timeLimit } from "./time-limit.js";

export async function authorise(request: Request, call: RunningCall): Promise<void> {
  // From here until the attempt begins, an error is the token function's own or the throttle's.
  call.attempt = undefined;
  call.token = call.renewedToken ?? (await requestToken(call, undefined));
  call.renewedToken = undefined;
  call.secrets.add(call.token);
  request.headers.set("authorization", `Bearer ${call.token}`);
}

/** After a 401, asks for another token. Resolves to whether there is one, with which the request is sent again. */
export async function renewToken(error: unknown, call: RunningCall): Promise<boolean> {
  if (!(error instanceof UnauthorizedError) || !mayRenewToken(call)) return false;
  call.hasRenewedToken = true;
  const renewed = await requestToken(call, call.token);
  if (renewed === call.token) return false;
  call.renewedToken = renewed;
  return true;
}

/** A token function is asked for another token once, if the request may be sent again. */
const mayRenewToken = ({ hasRenewedToken, operation, config, limits, streamBody }: RunningCall): boolean =>
  !hasRenewedToken &&
  typeof (operation.token ?? config.token) === "function" &&
  limits.maxRetries > 0 &&
  streamBody?.repeatable !== false;

/**
 * The token of a call. `rejected` is the token that the service has just refused with a 401. An error that the token
 * function throws is rethrown unchanged. After `timeoutMs`, throws `TimeoutError`.
 */
export async function requestToken(call: RunningCall, rejected: string | undefined): Promise<string> {
  const { operation, config, limits, signal } = call;
  const token = operation.token ?? config.token;
  if (typeof token === "string") return token;
  const limit = timeLimit(signal, limits.timeoutMs, (ms) =>
    timeoutError(call, "timeoutMs of the token function", ms, { outcome: "not_sent" }),
  );
  try {
    const returned = await abortable(Promise.resolve(token({ rejected })), limit.signal);
    const message = tokenProblem(returned);
    if (message !== undefined) throw new InvalidArgumentError(operation.name, [{ path: "token", message }]);
    return returned;
  } finally {
    limit.dispose();
  }
}
