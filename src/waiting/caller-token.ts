/** The token of one wait or watch, if the client has a token function. */
import { UnauthorizedError } from "../errors/api-error.js";

/** Calls the client's token function. `rejected` is the token that the service has just refused. */
export type RequestToken = (options: { signal: AbortSignal; rejected: string | undefined }) => Promise<string>;

/**
 * The token function is called once for each poll, in the async context of the wait, because the token may depend on
 * the user who waits. All requests of the poll carry that token.
 */
export class CallerToken {
  readonly #request: RequestToken | undefined;
  readonly #signal: AbortSignal;
  #renewed: string | undefined;
  /** The token of this poll; `undefined` if the client has a fixed token. */
  current: string | undefined;

  constructor(request: RequestToken | undefined, signal: AbortSignal) {
    this.#request = request;
    this.#signal = signal;
  }

  /** Gets the token of the next poll. */
  async next(): Promise<string | undefined> {
    this.current = this.#renewed ?? (await this.#request?.({ signal: this.#signal, rejected: undefined }));
    this.#renewed = undefined;
    return this.current;
  }

  /** Polls. If the service refuses the token and the token function returns another one, polls once more at once. */
  async pollWith<T>(poll: (delayMs: number) => Promise<T>, delayMs: number): Promise<T> {
    try {
      return await poll(delayMs);
    } catch (error) {
      if (this.#request === undefined || !(error instanceof UnauthorizedError)) throw error;
      const rejected = this.current;
      this.#renewed = await this.#request({ signal: this.#signal, rejected });
      if (this.#renewed === rejected) throw error;
      return poll(0);
    }
  }
}
