import type { RateLimit } from "../schemas/rate-limit.js";

/** A call's data together with the answer that carried it. */
export interface ApiResponse<T> {
  data: T;
  /** The answer; its body has been read. */
  response: Response;
  /** From the answer's headers. */
  rateLimit: RateLimit | undefined;
}

/**
 * A promise of a call's data; `withResponse()` gives the answer that carried it, too.
 *
 * @example
 * const { data, rateLimit } = await notetaker.meetings.getTranscript(id).withResponse();
 */
export class ApiPromise<T> extends Promise<T> {
  /** `then` and its kin give plain promises. */
  static override get [Symbol.species]() {
    return Promise;
  }

  readonly #answer: Promise<ApiResponse<T>>;

  constructor(answer: Promise<ApiResponse<T>>) {
    // Through `await` and the plain `resolve`, so that the stack of an error leads on to the caller's own lines.
    const data = async () => (await answer).data;
    super((resolve, reject) => {
      data().then(resolve, reject);
    });
    this.#answer = answer;
  }

  /** The data, the answer (its body has been read), and the rate limit that its headers tell. */
  withResponse(): Promise<ApiResponse<T>> {
    // A failure is reported by the promise that is returned here, not by this one as well.
    this.catch(() => {});
    return this.#answer;
  }
}
