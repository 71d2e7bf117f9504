/** The token of one wait, when each call asks a function for it. */
import type { RequestToken } from "./meeting-polls.js";

/**
 * Asks for the token once a poll, in the async context of the wait: it may depend on who waits. All requests of the
 * poll carry that token. After a 401 the function is asked once more, with the token that was refused.
 */
export class CallerToken {
  readonly #request: RequestToken | undefined;
  readonly #signal: AbortSignal | undefined;
  #renewed: string | undefined;
  /** The token of the latest poll; `undefined` if every call has the same token. */
  current: string | undefined;

  constructor(request: RequestToken | undefined, signal: AbortSignal | undefined) {
    this.#request = request;
    this.#signal = signal;
    if (request !== undefined) this.next = () => this.#next(request);
  }

  /** The token of the next poll; `undefined` if every call has the same token. */
  readonly next: (() => Promise<string>) | undefined;

  async #next(request: RequestToken): Promise<string> {
    this.current = this.#renewed ?? (await request({ signal: this.#signal, rejected: undefined }));
    this.#renewed = undefined;
    return this.current;
  }

  /** Whether there is another token after a 401: the next poll uses it. */
  async renew(): Promise<boolean> {
    const rejected = this.current;
    if (this.#request === undefined || rejected === undefined) return false;
    const renewed = await this.#request({ signal: this.#signal, rejected });
    if (renewed === rejected) return false;
    this.#renewed = renewed;
    return true;
  }
}
