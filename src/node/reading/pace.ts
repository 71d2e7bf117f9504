/** The client as an export or a walk uses it: at its own pace, and with more patience than a single call. */
import * as z from "zod/mini";
import { MAX_TIMER_MS } from "../../async/timers.js";
import type { ClientOptions } from "../../configuration/client-options.js";
import type { NotetakerLike } from "../../notetaker-like.js";
import { transportOf } from "../../resources/transport-of.js";
import { numberOf } from "../../schemas/primitives.js";
import { LocalThrottle } from "../../transport/throttle/local-throttle.js";
import type { LimitReport, Throttle, ThrottleRequest } from "../../transport/throttle/throttle.js";

/** The client, or the used part of it. */
export interface MeetingSource {
  /** Reads meetings, transcripts and recordings. */
  readonly meetings: Pick<NotetakerLike["meetings"], "list" | "getTranscript" | "downloadRecording">;
  /** Reads documents. */
  readonly documents: Pick<NotetakerLike["documents"], "get">;
  /** A client has this method. A fake without it is called without a pace and without retries. */
  withOptions?(options: ClientOptions): MeetingSource;
}

/** Five attempts. Those of a recording are counted from the last byte that arrived. */
const MAX_RETRIES = 4;
/** A longer wait is not started: the error is thrown, so that the user can decide. */
const MAX_RETRY_DELAY_MS = 3_600_000;

export interface PaceOptions {
  requestsPerMinute: number;
  /** Called before each wait, with its length in milliseconds. */
  onWait(ms: number): void;
}

const wholeNumber = z.optional(
  numberOf((value) => Number.isSafeInteger(value) && value >= 1, "an integer of 1 or more"),
);

/** The schemas of the options that limit how fast the service is read. */
export const paceShape = { concurrency: wholeNumber, requestsPerMinute: wholeNumber };

export const DEFAULT_PACE = { concurrency: 4, requestsPerMinute: 60 } as const;

/** A client with the pace of one export or walk. */
export interface PacedSource {
  readonly source: MeetingSource;
  /** How many requests it has sent. */
  requests(): number;
}

export function pacedSource(notetaker: MeetingSource, { requestsPerMinute, onWait }: PaceOptions): PacedSource {
  if (notetaker.withOptions === undefined) return { source: notetaker, requests: () => 0 };
  const config = transportOf(notetaker.meetings)?.config;
  const throttle = new PaceThrottle(
    new LocalThrottle({ other: { perMinute: requestsPerMinute } }),
    config?.throttle,
    onWait,
  );
  const source = notetaker.withOptions({
    throttle,
    maxRetries: MAX_RETRIES,
    maxRetryDelayMs: MAX_RETRY_DELAY_MS,
    // A deadline for single calls would end an export that waits for its turn.
    deadlineMs: MAX_TIMER_MS,
    onRetry(report) {
      onWait(report.delayMs);
      config?.onRetry?.(report);
    },
  });
  return { source, requests: () => throttle.requests };
}

/** Applies the limit of the export, and then that of the client's own throttle, if it has one. */
class PaceThrottle implements Throttle {
  readonly #own: Throttle;
  readonly #client: Throttle | undefined;
  readonly #onWait: (ms: number) => void;
  requests = 0;

  constructor(own: Throttle, client: Throttle | undefined, onWait: (ms: number) => void) {
    this.#own = own;
    this.#client = client;
    this.#onWait = onWait;
  }

  async acquire(request: ThrottleRequest): Promise<void> {
    const onWait = (waitMs: number) => {
      this.#onWait(waitMs);
      request.onWait(waitMs);
    };
    await this.#own.acquire({ ...request, onWait });
    await this.#client?.acquire({ ...request, onWait });
    this.requests += 1;
  }

  async hold(report: LimitReport): Promise<void> {
    await this.#own.hold(report);
    await this.#client?.hold(report);
  }
}
