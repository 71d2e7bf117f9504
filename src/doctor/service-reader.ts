/** Sends the doctor's requests: few, within the rate limit, and only GET. */
import { throwIfAborted } from "../async/abort.js";
import type { Notetaker } from "../client.js";
import { type Endpoint, pathWith, wireRoute } from "../endpoints/endpoint.js";
import { ApiError, UnauthorizedError } from "../errors/api-error.js";
import { ConnectionError, ResponseValidationError, TimeoutError } from "../errors/call-errors.js";
import { isRateLimited } from "../errors/is-temporary.js";
import { atOwnPace } from "../resources/at-own-pace.js";
import type { ClientOptions } from "../transport/client-options.js";

/** The part of a client that the doctor uses. It fits every copy of the package. */
export interface DoctorClient extends Pick<Notetaker, "request"> {
  /** A resource of the client. */
  readonly meetings: object;
  /** Another client with the doctor's own throttle and retries. */
  withOptions(options: ClientOptions): Pick<Notetaker, "request">;
}

/** The maximum number of requests of one diagnosis, retries included. */
const MAX_REQUESTS = 60;

/** The longest wait that the service may ask for: the rate limit's window of a minute, and its end in whole seconds. */
const MAX_WAIT_MS = 61_000;

export type Query = Readonly<Record<string, string | number | readonly string[]>>;

/** Nothing is shown about a name: a request failed, no requests remain, or the account has too little data. */
export class Inconclusive extends Error {
  constructor(
    reason: string,
    /** The status, if the service refused the request. */
    readonly refusedWith?: number,
  ) {
    super(reason);
  }
}

/** What `read` resolves to, or why it can read nothing. */
export async function orReason<T>({ route }: Pick<Endpoint, "route">, read: () => Promise<T>): Promise<T | string> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof Inconclusive) return `${wireRoute(route)}: ${error.message}`;
    throw error;
  }
}

export class ServiceReader {
  readonly #client: Pick<Notetaker, "request">;
  readonly #signal: AbortSignal | undefined;
  /** How many requests were sent. */
  requests = 0;

  constructor(notetaker: DoctorClient, signal: AbortSignal | undefined) {
    const beforeRequest = () => {
      if (this.requests >= MAX_REQUESTS) {
        throw new Inconclusive(`earlier checks have used up the ${MAX_REQUESTS} requests of a diagnosis`);
      }
      this.requests += 1;
    };
    const pace = atOwnPace(notetaker.meetings, { perMinute: MAX_REQUESTS, beforeRequest });
    this.#client = notetaker.withOptions({ ...pace, maxRetries: 2, maxRetryDelayMs: MAX_WAIT_MS });
    this.#signal = signal;
  }

  /**
   * The body of an endpoint. Throws an `UnauthorizedError`, a `RateLimitedError`, or an {@link Inconclusive}; the error of
   * the first request, too, if it gets no response or no JSON: then there is no service to diagnose.
   */
  async read(endpoint: Endpoint, ids: Readonly<Record<string, unknown>>, query: Query = {}): Promise<unknown> {
    const isFirst = this.requests === 0;
    try {
      return await this.#client.request("GET", pathWith(endpoint.path, ids, []), { query, signal: this.#signal });
    } catch (error) {
      throwIfAborted(this.#signal);
      throw failureOf(error, isFirst);
    }
  }
}

function failureOf(error: unknown, isFirst: boolean): unknown {
  if (error instanceof UnauthorizedError || isRateLimited(error)) return error;
  if (error instanceof ApiError) {
    const reason = `the endpoint responds with ${error.status}`;
    return new Inconclusive(reason, error.status < 500 ? error.status : undefined);
  }
  if (isFirst) return error;
  if (error instanceof ResponseValidationError) return new Inconclusive("the response is not JSON");
  const isLost = error instanceof ConnectionError || error instanceof TimeoutError;
  return isLost ? new Inconclusive("the connection failed") : error;
}
