import type { NotetakerLike } from "../../notetaker-like.js";
import type { ClientOptions } from "../../transport/client-options.js";

/** The client, or the used part of it. */
export interface MeetingClient {
  /** Reads meetings, transcripts and recordings. */
  readonly meetings: Pick<NotetakerLike["meetings"], "list" | "getTranscript" | "downloadRecording">;
  /** Reads documents. */
  readonly documents: Pick<NotetakerLike["documents"], "get">;
  /** A client has this method. A fake without it is called without a pace and without retries. */
  withOptions?(options: ClientOptions): MeetingClient;
}
