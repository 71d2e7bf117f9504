/** Reads the meeting list, transcripts, documents and recordings for exports and walks. */
import { ResponseValidationError } from "../../errors/call-errors.js";
import type { RecordingDownload } from "../../media/download/download-recording.js";
import type { NotetakerLike } from "../../notetaker-like.js";
import type { Document, DocumentFormat } from "../../schemas/document.js";
import type { Meeting } from "../../schemas/meeting.js";
import type { MeetingListParams } from "../../schemas/meeting-list.js";
import type { Page } from "../../transport/page.js";
import { withResponse } from "../files/with-response.js";
import type { BrokenStream, StreamOutcome } from "../sink/stream-outcome.js";
import { PacedRequests, type PaceOptions } from "./paced-requests.js";
import { type ReceivedDocument, readDocument } from "./read-document.js";
import { type ReceivedTranscript, readTranscript } from "./read-transcript.js";

/** The client, or the used part of it. */
export interface MeetingSource {
  /** Reads meetings, transcripts and recordings. */
  readonly meetings: Pick<NotetakerLike["meetings"], "list" | "getTranscript" | "downloadRecording">;
  /** Reads documents. */
  readonly documents: Pick<NotetakerLike["documents"], "get">;
}

/** A page of the meeting list as it was received. */
export interface ListedPage {
  /** In the order of the list. */
  rows: readonly unknown[];
  hasMore: boolean;
  nextCursor: unknown;
}

/**
 * Reads meetings within the rate limit, with retries. The client's own retries are off, so that every request is
 * counted and every wait uses the clock of the export. Only the download of a recording also retries by itself.
 */
export class MeetingReader {
  readonly #notetaker: MeetingSource;
  readonly #requests: PacedRequests;

  constructor(notetaker: MeetingSource, pace: PaceOptions) {
    this.#notetaker = notetaker;
    this.#requests = new PacedRequests(pace);
  }

  /** How many requests were sent. Of a download, only the first one is counted. */
  get requests(): number {
    return this.#requests.count;
  }

  /** A page of the meeting list, including invalid rows. */
  async page(params: MeetingListParams, signal: AbortSignal): Promise<ListedPage> {
    const options = { signal, maxRetries: 0, onInvalid: "skip" } as const;
    const page = await this.#read(() => this.#notetaker.meetings.list(params, options), signal);
    return { rows: rowsOf(page), hasMore: Boolean(page.has_more), nextCursor: page.next_cursor };
  }

  async transcript(meetingId: string, signal: AbortSignal): Promise<ReceivedTranscript> {
    const read = () => this.#notetaker.meetings.getTranscript(meetingId, { signal, maxRetries: 0 });
    try {
      return readTranscript(await this.#read(read, signal));
    } catch (error) {
      return readTranscript(receivedOf(error));
    }
  }

  /** A document, even an invalid one. */
  async document(documentId: string, format: DocumentFormat, signal: AbortSignal): Promise<ReceivedDocument> {
    const read = () => this.#notetaker.documents.get(documentId, { format }, { signal, maxRetries: 0 });
    try {
      return readDocument(await this.#read<Document>(read, signal));
    } catch (error) {
      return readDocument(receivedOf(error));
    }
  }

  /**
   * Downloads a recording and passes it to `save`, which returns the outcome. Download and `save` are repeated after
   * a temporary failure, if the retries of the download itself did not help.
   */
  recording(
    meetingId: string,
    save: (download: RecordingDownload) => Promise<StreamOutcome>,
    signal: AbortSignal,
  ): Promise<Exclude<StreamOutcome, BrokenStream>> {
    const request = async () => ({
      // The download renews its link and resumes by itself. Only its first request is counted.
      download: await this.#notetaker.meetings.downloadRecording(meetingId, { signal }),
      rateLimit: undefined,
    });
    return this.#requests.withRetries(async () => {
      const { download } = await this.#requests.send(request, signal);
      const result = await save(download);
      if (result.kind !== "broken") return result;
      // The cause may be a 429 to the request for a new link.
      this.#requests.holdBackAfter(result.error);
      throw result.error;
    }, signal);
  }

  async #read<T>(request: () => Promise<T>, signal: AbortSignal): Promise<T> {
    return (await this.#requests.sendWithRetries(() => withResponse(request()), signal)).data;
  }
}

/** All rows in the order of the list, including the invalid rows that the client left out of `data`. */
function rowsOf({ data, invalid }: Page<Meeting>): unknown[] {
  const rows: unknown[] = [];
  const valid = data.values();
  const invalidByIndex = new Map(invalid.map(({ index, value }) => [index, value]));
  for (let index = 0; index < data.length + invalid.length; index++) {
    rows.push(invalidByIndex.has(index) ? invalidByIndex.get(index) : valid.next().value);
  }
  return rows;
}

/** The body of a response that did not match its schema; any other error is thrown. */
function receivedOf(error: unknown): unknown {
  if (error instanceof ResponseValidationError && typeof error.body === "object") return error.body;
  throw error;
}
