/** Sends the doctor's requests: few, within the rate limit, and only GET. */
import { throwIfAborted } from "../async/abort.js";
import type { Notetaker } from "../client.js";
import { type Endpoint, pathWith, wireRoute } from "../endpoints/endpoint.js";
import { ApiError, UnauthorizedError } from "../errors/api-error.js";
import { isRateLimited } from "../errors/is-temporary.js";
import { NotetakerError } from "../errors/notetaker-error.js";
import { atOwnPace } from "../resources/at-own-pace.js";
import type { QueryRecord } from "../transport/query.js";

const MAX_REQUESTS = 60;
/** The longest wait that the service may ask for: the rate limit's window of a minute, and its end in whole seconds. */
const LONGEST_WAIT_MS = 61_000;

/** Nothing is shown about a name: a request failed, no requests remain, or the account has too little data. */
export class Inconclusive extends Error {
  constructor(
    reason: string,
    /** The status with which the service refused the parameters of the request. */
    readonly refusedWith?: number,
  ) {
    super(reason);
  }
}

export class ServiceReader {
  requests = 0;
  readonly #client: Notetaker;

  constructor(
    notetaker: Notetaker,
    private readonly signal: AbortSignal | undefined,
  ) {
    const beforeRequest = () => {
      if (this.requests === MAX_REQUESTS) throw new Inconclusive(`the ${MAX_REQUESTS} requests are used up`);
      this.requests += 1;
    };
    const pace = atOwnPace(notetaker.meetings, { perMinute: MAX_REQUESTS, beforeRequest });
    this.#client = notetaker.withOptions({ ...pace, maxRetries: 2, maxRetryDelayMs: LONGEST_WAIT_MS });
  }

  /** Throws {@link Inconclusive}; the error itself if there is no service to diagnose: token, network, long wait. */
  async read(endpoint: Endpoint, query: QueryRecord, ids: Readonly<Record<string, unknown>> = {}): Promise<unknown> {
    const isFirst = this.requests === 0;
    try {
      return await this.#client.request("GET", pathWith(endpoint.path, ids, []), { query, signal: this.signal });
    } catch (error) {
      throwIfAborted(this.signal);
      const isAnswer = error instanceof ApiError;
      if (!(error instanceof NotetakerError) || (isFirst && !isAnswer)) throw error;
      if (error instanceof UnauthorizedError || isRateLimited(error)) throw error;
      // The message of another error has the path, and with it the id of a meeting.
      const problem = isAnswer ? `the endpoint responds with ${error.status}` : error.name;
      const isRefusal = isAnswer && error.status < 500 && Object.keys(query).length > 0;
      throw new Inconclusive(`${wireRoute(endpoint.route)}: ${problem}`, isRefusal ? error.status : undefined);
    }
  }
}
