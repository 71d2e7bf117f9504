/** The client as an export or a walk uses it: at its own pace, and with more patience than a single call. */
import { MAX_TIMER_MS } from "../../async/timers.js";
import type { ClientOptions } from "../../configuration/client-options.js";
import type { NotetakerLike } from "../../notetaker-like.js";
import { transportOf } from "../../resources/transport-of.js";
import { LocalThrottle } from "../../transport/throttle/local-throttle.js";
import type { Throttle, ThrottleRequest } from "../../transport/throttle/throttle.js";
import type { ReadPace } from "./read-options.js";

/** The client, or the used part of it. */
export interface MeetingClient {
  /** Reads meetings, transcripts and recordings. */
  readonly meetings: Pick<NotetakerLike["meetings"], "list" | "getTranscript" | "downloadRecording">;
  /** Reads documents. */
  readonly documents: Pick<NotetakerLike["documents"], "get">;
  /** A client has this method. A fake without it is called without a pace and without retries. */
  withOptions?(options: ClientOptions): MeetingClient;
}

/** Five attempts. Those of a recording are counted from the last byte that arrived. */
const MAX_RETRIES = 4;
/** A longer wait is not started: the error is thrown, so that the user can decide. */
const MAX_RETRY_DELAY_MS = 3_600_000;

/** A client with the pace of one export or walk. */
export interface PacedClient {
  readonly client: MeetingClient;
  /** How many requests it has sent. */
  requests(): number;
}

/** `onWait` is called before each wait, with its length in milliseconds. */
export function pacedClient(
  notetaker: MeetingClient,
  { requestsPerMinute }: ReadPace,
  onWait: (ms: number) => void = () => {},
): PacedClient {
  if (notetaker.withOptions === undefined) return { client: notetaker, requests: () => 0 };
  const config = transportOf(notetaker.meetings)?.config;
  const own = new LocalThrottle({ other: { perMinute: requestsPerMinute } });
  let requests = 0;
  // The limit of the export or walk, and then that of the client's own throttle, if it has one.
  const throttle: Throttle = {
    async acquire(request) {
      const reporting: ThrottleRequest = {
        ...request,
        onWait(waitMs) {
          onWait(waitMs);
          request.onWait(waitMs);
        },
      };
      await own.acquire(reporting);
      await config?.throttle?.acquire(reporting);
      requests += 1;
    },
    async hold(report) {
      await own.hold(report);
      await config?.throttle?.hold(report);
    },
  };
  const client = notetaker.withOptions({
    throttle,
    maxRetries: MAX_RETRIES,
    maxRetryDelayMs: MAX_RETRY_DELAY_MS,
    // A deadline for single calls would end an export that waits for its turn.
    deadlineMs: MAX_TIMER_MS,
    onRetry(report) {
      onWait(report.delayMs);
      return config?.onRetry?.(report);
    },
  });
  return { client, requests: () => requests };
}
