/** The client as a walk uses it: at its own pace, and with more patience than a single call. */
import { HOUR_MS } from "../async/timers.js";
import type { NotetakerLike } from "../notetaker-like.js";
import { ownPace } from "../resources/own-pace.js";
import type { ClientOptions } from "../transport/client-options.js";

/** The client, or the used part of it. */
export interface MeetingClient {
  /** Reads meetings, transcripts and recordings. */
  readonly meetings: Pick<NotetakerLike["meetings"], "list" | "getTranscript" | "downloadRecording">;
  /** Reads documents. */
  readonly documents: Pick<NotetakerLike["documents"], "get">;
  /** A client has this method. A fake without it is called without a pace and without retries. */
  withOptions?(options: ClientOptions): MeetingClient;
}

/** Five attempts. */
const MAX_RETRIES = 4;
/** A longer wait is not started: the error is thrown, so that the user can decide. */
const MAX_RETRY_DELAY_MS = HOUR_MS;

/** A client with the pace of one walk. */
export function pacedClient(notetaker: MeetingClient, perMinute: number): MeetingClient {
  if (notetaker.withOptions === undefined) return notetaker;
  const pace = ownPace(notetaker.meetings, { perMinute, beforeRequest() {}, onWait() {} });
  return notetaker.withOptions({ ...pace, maxRetries: MAX_RETRIES, maxRetryDelayMs: MAX_RETRY_DELAY_MS });
}
