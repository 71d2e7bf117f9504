/** The transfer of a recording: requests one range after the other, each with a fresh link, until all have arrived. */
import { throwIfAborted } from "../../async/abort.js";
import { TimeLimit } from "../../async/time-limit.js";
import { pause } from "../../async/timers.js";
import { getRecording } from "../../endpoints/meetings.js";
import type { ConnectionError } from "../../errors/call-errors.js";
import { timeoutError } from "../../errors/connection-error-from.js";
import { addCallFacts, NotetakerError } from "../../errors/notetaker-error.js";
import type { OwnBytes } from "../../json/own-bytes.js";
import type { RecordingLink } from "../../schemas/recording.js";
import type { ApiPromise } from "../../transport/api-promise.js";
import { callLimits, type Limits } from "../../transport/checked-call.js";
import type { FetchOptions } from "../../transport/fetch.js";
import type { RequestOptions } from "../../transport/request-options.js";
import { retryDelayMs } from "../../transport/retry-policy.js";
import type { Transport } from "../../transport/transport.js";
import { checkLink } from "./check-link.js";
import { type StorageRequest, storageRequest } from "./storage-request.js";
import { type FileVersion, fileVersion, isPage, isSameVersion, parseContentRange } from "./stored-file.js";

/** `partial`: more of the file is missing. An error: the file has changed since the transfer began. */
type RangeEnd = "complete" | "partial" | ConnectionError;

const UNPROVEN = "the storage stated no length, so it is not known whether the recording is complete";

interface BodyRange {
  /** The position in the file at which the body begins. Bytes that were received before are skipped. */
  readonly start: number;
  /** The position in the file at which the body ends (exclusive); `Infinity` if the storage does not state it. */
  readonly end: number;
  readonly isWhole: boolean;
}

export class RecordingTransfer {
  readonly deadline: TimeLimit;
  /** The file that the delivered bytes belong to; `undefined` until the storage has answered. */
  version: FileVersion | undefined;
  receivedBytes = 0;
  warning: string | undefined;
  readonly #transport: Transport;
  readonly #meetingId: string;
  readonly #target: string;
  readonly #limits: Limits;
  readonly #fetchOptions: FetchOptions;
  readonly #getLink: () => ApiPromise<RecordingLink>;
  /** The origin of the latest link, for messages; empty until there is one. */
  #origin = "";
  #attempts = 0;
  /** How many attempts have failed in a row without a byte in between. */
  #failures = 0;

  constructor(transport: Transport, meetingId: string, options: RequestOptions) {
    this.#transport = transport;
    this.#meetingId = meetingId;
    this.#target = `the recording of ${meetingId}`;
    this.#limits = callLimits(transport.config, options);
    this.#fetchOptions = { ...transport.config.fetchOptions, ...options.fetchOptions };
    this.deadline = new TimeLimit(options.signal, this.#limits.deadlineMs, (limitMs) => {
      const target = { request: { method: "GET", url: this.#origin }, path: this.#target };
      return timeoutError(target, "deadlineMs", limitMs, { attempts: this.#attempts });
    });
    const { signal } = this.deadline;
    const operation = { ...getRecording, ids: { meetingId }, retriedByCaller: true, isFresh: true };
    this.#getLink = () => transport.send(operation, { ...options, signal });
  }

  /** Delivers the whole file, each byte once. Resumes over new connections until complete or out of retries. */
  async *chunks(): AsyncGenerator<OwnBytes, void> {
    for (;;) {
      let end: RangeEnd;
      try {
        end = yield* this.#range();
      } catch (error) {
        if (await this.#recover(error)) continue;
        return;
      }
      if (end === "complete") return;
      // The delivered bytes cannot be taken back.
      if (end !== "partial") throw addCallFacts(end, { attempts: this.#attempts });
    }
  }

  /** Waits before the next attempt; `false` if the last byte had arrived. Throws `error` after the last one. */
  async #recover(error: unknown): Promise<boolean> {
    const { signal } = this.deadline;
    throwIfAborted(signal);
    if (error instanceof NotetakerError) {
      // If the call for a link failed, its error has the number of its attempts.
      this.#attempts += error.attempts;
      addCallFacts(error, { attempts: this.#attempts });
    }
    if (this.receivedBytes > 0 && this.receivedBytes === this.version?.size) return false;
    this.#failures += 1;
    const rules = { ...this.#limits, retry: "repeatable", bodyRepeatable: true } as const;
    const delayMs = retryDelayMs(error, this.#failures, rules);
    if (delayMs === undefined || delayMs >= this.deadline.remainingMs()) throw error;
    await pause(delayMs, signal);
    return true;
  }

  /** Delivers as many of the missing bytes as one connection returns. */
  async *#range(): AsyncGenerator<OwnBytes, RangeEnd> {
    const link = checkLink(this.#meetingId, await this.#getLink().withResponse(), this.#transport.config.baseUrl);
    this.#attempts += 1;
    this.#origin = new URL(link).origin;
    const { config } = this.#transport;
    const { timeoutMs } = this.#limits;
    const { signal } = this.deadline;
    const { fetch } = config;
    const fetchOptions = this.#fetchOptions;
    const request = storageRequest(link, { path: this.#target, timeoutMs, signal, fetch, fetchOptions });
    try {
      const response = await request.send(this.receivedBytes);
      if (response.ok && isPage(response)) throw request.error("the storage answered with a page, not a file");
      if (response.status === 416) return this.#readUnsatisfied(request, response);
      const range = this.#readHeaders(request, response);
      return range === undefined ? changed(request) : yield* this.#readChunks(request, range);
    } finally {
      request.close();
    }
  }

  /** Status 416: the file has no bytes after those received. If its size is their number, the transfer is complete. */
  #readUnsatisfied(request: StorageRequest, response: Response): RangeEnd {
    const range = parseContentRange(response.headers);
    const { receivedBytes, version: begun } = this;
    if (range?.kind !== "none" || receivedBytes === 0 || begun === undefined) {
      throw request.error("the storage answered 416");
    }
    const { validator = begun.validator } = fileVersion(response);
    const isEnd = range.size === receivedBytes && (begun.size ?? receivedBytes) === receivedBytes;
    return isEnd && validator === begun.validator ? "complete" : changed(request);
  }

  /** The bytes that the body contains; `undefined` if of another file. Throws for an unusable response. */
  #readHeaders(request: StorageRequest, response: Response): BodyRange | undefined {
    const { status, headers } = response;
    const { receivedBytes, version: begun } = this;
    if (status !== 200 && status !== 206) throw request.error(`the storage answered ${status}`);

    const version = fileVersion(response);
    if (receivedBytes > 0 && begun !== undefined && !isSameVersion(begun, version)) return undefined;
    // A later response may state the size if the first one did not.
    if (receivedBytes === 0 || begun?.size === undefined) this.version = version;
    if (status === 200) return { start: 0, end: version.size ?? Number.POSITIVE_INFINITY, isWhole: true };

    const range = parseContentRange(headers);
    if (range?.kind !== "part" || range.start !== receivedBytes) {
      throw request.error("the storage returned another byte range than requested");
    }
    return { start: range.start, end: range.end, isWhole: false };
  }

  /** Delivers the new bytes of the body, and never more than the headers state. */
  async *#readChunks(request: StorageRequest, range: BodyRange): AsyncGenerator<OwnBytes, RangeEnd> {
    const { start, end, isWhole } = range;
    let position = start;
    while (position <= end) {
      const bytes = await request.read();
      if (bytes === undefined) break;
      const chunk = bytes.subarray(Math.max(0, this.receivedBytes - position), Math.max(0, end - position));
      position += bytes.byteLength;
      if (position > end && isWhole) {
        throw request.error(`the storage returned more than the ${end} bytes that it announced`);
      }
      if (chunk.byteLength > 0) {
        this.receivedBytes += chunk.byteLength;
        this.#failures = 0;
        yield chunk;
      }
    }
    // A body from the start of the file must at least repeat the bytes that were received, whatever end it states.
    const { receivedBytes, version } = this;
    if (position < Math.max(receivedBytes, Number.isFinite(end) ? end : 0)) {
      throw tooShort(request, position, Math.max(receivedBytes, version?.size ?? end));
    }
    return this.#endOf(range);
  }

  #endOf({ isWhole }: BodyRange): RangeEnd {
    const { receivedBytes, version } = this;
    if (version?.size !== undefined) return receivedBytes === version.size ? "complete" : "partial";
    if (!isWhole) return "partial";
    this.warning = UNPROVEN;
    return "complete";
  }
}

const CHANGED = "the file changed during the download";

const changed = (request: StorageRequest): ConnectionError => request.error(CHANGED);

/** Whether a download has failed because the file has changed. By its message: the client may be of another copy of the package. */
export const isOfChangedFile = (error: unknown): boolean =>
  error instanceof NotetakerError && error.message.endsWith(CHANGED);

const tooShort = (request: StorageRequest, bytes: number, size: number): ConnectionError =>
  request.error(`the storage returned ${bytes}${Number.isFinite(size) ? ` of ${size}` : ""} bytes`);
