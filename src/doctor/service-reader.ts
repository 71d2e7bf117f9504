/** Sends the doctor's requests: few, within the rate limit, and only GET. */
import { throwIfAborted } from "../async/abort.js";
import type { Notetaker } from "../client.js";
import { type Endpoint, pathWith, wireRoute } from "../endpoints/endpoint.js";
import { ApiError, UnauthorizedError } from "../errors/api-error.js";
import { isRateLimited } from "../errors/is-temporary.js";
import { NotetakerError } from "../errors/notetaker-error.js";
import { atOwnPace } from "../resources/at-own-pace.js";
import type { ClientOptions } from "../transport/client-options.js";

/** The part of a client that the doctor uses. It fits every copy of the package. */
export interface DoctorClient extends Pick<Notetaker, "request"> {
  /** A resource of the client. */
  readonly meetings: object;
  /** Another client with the doctor's own throttle and retries. */
  withOptions(options: ClientOptions): Pick<Notetaker, "request">;
}

const MAX_REQUESTS = 60;
/** The longest wait that the service may ask for: the rate limit's window of a minute, and its end in whole seconds. */
const LONGEST_WAIT_MS = 61_000;

export type SentQuery = Readonly<Record<string, string | number | readonly string[]>>;

/** Nothing is shown about a name: a request failed, no requests remain, or the account has too little data. */
export class Inconclusive extends Error {
  constructor(
    reason: string,
    /** The status with which the service refused the request. */
    readonly refusedWith?: number,
  ) {
    super(reason);
  }
}

export class ServiceReader {
  /** How many requests were sent. */
  requests = 0;
  readonly #client: Pick<Notetaker, "request">;

  constructor(
    notetaker: DoctorClient,
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
  async read(endpoint: Endpoint, ids: Readonly<Record<string, unknown>>, query: SentQuery): Promise<unknown> {
    const isFirst = this.requests === 0;
    try {
      return await this.#client.request("GET", pathWith(endpoint.path, ids, []), { query, signal: this.signal });
    } catch (error) {
      throwIfAborted(this.signal);
      const isAnswer = error instanceof ApiError;
      if (!(error instanceof NotetakerError) || (isFirst && !isAnswer)) throw error;
      if (error instanceof UnauthorizedError || isRateLimited(error)) throw error;
      const route = wireRoute(endpoint.route);
      // The message of another error has the path, and with it the id of a meeting.
      if (!isAnswer) throw new Inconclusive(`${route}: ${error.name}`);
      const { status } = error;
      throw new Inconclusive(`${route}: the endpoint responds with ${status}`, status < 500 ? status : undefined);
    }
  }
}
