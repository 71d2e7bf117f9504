/** The token of one wait, when each call asks a function for it. */
import { RenewableToken } from "../../transport/renewable-token.js";
import type { RequestToken } from "./meeting-polls.js";

/**
 * Asked for once a poll, in the async context of the wait: it may depend on who waits. All requests of the poll carry
 * that token. `undefined` if every call has the same token.
 */
export const callerToken = (request: RequestToken | undefined, signal: AbortSignal): RenewableToken | undefined =>
  request && new RenewableToken((rejected) => request({ signal, rejected }));

/** Polls, and once more at once if the service refuses the token and there is another one. */
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
