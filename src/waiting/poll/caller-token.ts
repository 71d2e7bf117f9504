/** The token of one waiter or watch, if the client has a token function. */
import { RenewableToken } from "../../transport/renewable-token.js";
import type { RequestToken } from "./meeting-polls.js";

/**
 * The token function is called once for each poll, in the async context of the waiter, because the token may depend on
 * the user who waits. All requests of the poll carry that token. `undefined` if the client has a fixed token.
 */
export const callerToken = (request: RequestToken | undefined, signal: AbortSignal): RenewableToken | undefined =>
  request && new RenewableToken((rejected) => request({ signal, rejected }));

/** Polls. If the service refuses the token and the token function returns another one, polls once more at once. */
export async function pollWithToken<T>(
  poll: (delayMs: number) => Promise<T>,
  delayMs: number,
  token: RenewableToken | undefined,
): Promise<T> {
  try {
    return await poll(delayMs);
  } catch (error) {
    if (!(await token?.renewAfter(error))) throw error;
    return poll(0);
  }
}
