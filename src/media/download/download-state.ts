import type { RecordingLink } from "../../schemas/recording.js";
import type { ApiResponse } from "../../transport/api-promise.js";
import type { Transport } from "../../transport/transport.js";
import type { RecordingVersion } from "./recording-version.js";

/** What stays the same during one download. */
export interface DownloadContext {
  readonly transport: Transport;
  readonly meetingId: string;
  /** The recording, as messages name it. */
  readonly target: string;
  /** Requests a fresh link. */
  getLink(): Promise<ApiResponse<RecordingLink>>;
  /** The longest time without progress. */
  readonly timeoutMs: number;
  /** Aborts with the caller's signal, at the deadline, and when the stream is cancelled. */
  readonly signal: AbortSignal;
  readonly onRestart: (() => void) | undefined;
}

/** The progress of one download. */
export interface DownloadState {
  /** The file that the delivered bytes belong to; `undefined` until the storage has answered. */
  version: RecordingVersion | undefined;
  receivedBytes: number;
  /** The origin of the latest link, for messages; empty until there is one. */
  origin: string;
  /** How many requests were made. */
  attempts: number;
  /** How many attempts have failed in a row without a byte in between. */
  failures: number;
  hasRestarted: boolean;
}

export const initialDownloadState = (): DownloadState => ({
  version: undefined,
  receivedBytes: 0,
  origin: "",
  attempts: 0,
  failures: 0,
  hasRestarted: false,
});

export const isComplete = ({ version, receivedBytes }: DownloadState): boolean =>
  receivedBytes > 0 && receivedBytes === version?.size;
