/** The methods of `notetaker.meetings` that wait: for the transcript, the completion, the documents of a meeting. */

import { type DocumentKind, newestDocument, titleMatcher } from "../documents/find-document.js";
import { getDocument } from "../endpoints/documents.js";
import { getTranscript } from "../endpoints/meetings.js";
import { NotFoundError } from "../errors/api-error.js";
import { copyJson } from "../json/copy-json.js";
import { isRecord } from "../json/is-record.js";
import {
  type DocumentFormat,
  type DocumentGetParams,
  type DocumentIn,
  type DocumentReference,
  documentSchemaFor,
} from "../schemas/document.js";
import type { Meeting } from "../schemas/meeting.js";
import type { Transcript } from "../schemas/transcript.js";
import { hiddenField } from "../transport/hidden-field.js";
import { Resource, transportOf } from "../transport/resource.js";
import type { Transport } from "../transport/transport.js";
import { SharedPolls } from "./shared-polls.js";
import { waitFor } from "./wait-for.js";
import { type WaitOptions, waitForDocumentOptionsSchema, waitOptionsSchema } from "./wait-options.js";
import { orCloseEvents } from "./wake.js";

/** Resolves to `undefined` if the service does not have it yet. */
async function unlessNotFound<T>(request: PromiseLike<T>): Promise<T | undefined> {
  try {
    return await request;
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}

const isDocumentReference = (value: unknown): value is DocumentReference =>
  isRecord(value) && typeof value.id === "string";

const pollsOf = /* @__PURE__ */ hiddenField<SharedPolls>("sharedPolls");

/** The methods that poll the service until something is ready. Their polls are shared. */
export class MeetingWaiters extends Resource {
  /** @internal Only the client creates its resources. */
  constructor(transport: Transport) {
    super(transport);
    pollsOf.set(this, new SharedPolls(transport));
  }

  /**
   * Waits for the transcript of a meeting (`mtg_…`): polls, with jitter, until the service has it. Each poll requests
   * the meeting list and the transcript; waits of one client share these requests. A 404 means "not yet". A 429, a 5xx
   * or a lost connection does not end the wait, and a `Retry-After` is honoured.
   * @throws {MeetingFailedError} if the meeting has failed, and will have no transcript
   * @throws {WaitTimeoutError} if `timeoutMs` has passed, or the meeting list lacked the
   * meeting for `notListedTimeoutMs`
   * @example
   * const { id } = await notetaker.meetings.upload(file);
   * const transcript = await notetaker.meetings.waitForTranscript(id, { timeoutMs: 600_000 });
   */
  waitForTranscript(meetingId: string, options?: WaitOptions): Promise<Transcript> {
    return waitFor(pollsOf.get(this), options, {
      operation: "meetings.waitForTranscript",
      meetingId,
      options: waitOptionsSchema,
      transcript: true,
      read: ({ requestsTranscript }, send) =>
        requestsTranscript ? unlessNotFound(send({ ...getTranscript, ids: { meetingId } })) : undefined,
    });
  }

  /**
   * Waits until a meeting (`mtg_…`) is completed. It polls the meeting list like `waitForTranscript`.
   * @throws {MeetingFailedError} if the meeting has failed
   * @throws {WaitTimeoutError} if `timeoutMs` has passed, or the meeting list lacked the
   * meeting for `notListedTimeoutMs`
   * @beta It reads the meeting list, which the API specification refers to but does not define.
   */
  waitForCompletion(meetingId: string, options?: WaitOptions): Promise<Meeting> {
    return waitFor(pollsOf.get(this), options, {
      operation: "meetings.waitForCompletion",
      meetingId,
      options: waitOptionsSchema,
      read: ({ meeting }) => (meeting?.status === "completed" ? copyJson(meeting) : undefined),
    });
  }

  /**
   * Waits for one document of a meeting (`mtg_…`): its summary, its action items, or a document whose title matches a
   * regular expression. Resolves to the document with its content, as soon as there is one; to the newest of several.
   * It polls the meeting list like `waitForTranscript`.
   * @throws {MeetingFailedError} if the meeting has failed
   * @throws {WaitTimeoutError} if `timeoutMs` has passed, or the meeting list lacked the
   * meeting for `notListedTimeoutMs`
   * @beta It reads the meeting list. The texts by which titles are recognised are guessed; the client's option
   * `assumptions.documents.titles` replaces them.
   * @example
   * const { content } = await notetaker.meetings.waitForDocument("mtg_1", "summary", { format: "markdown" });
   */
  async waitForDocument<const F extends DocumentFormat | undefined = undefined>(
    meetingId: string,
    kind: DocumentKind,
    options?: WaitOptions & DocumentGetParams<F>,
  ): Promise<DocumentIn<F>> {
    const operation = "meetings.waitForDocument";
    const { documentTitles } = transportOf(this).config;
    const matches = orCloseEvents(options?.wake, () => titleMatcher(operation, kind, documentTitles));
    const asked = { ...getDocument, params: { format: options?.format as F }, response: documentSchemaFor<F> };
    return waitFor(pollsOf.get(this), options, {
      operation,
      meetingId,
      options: waitForDocumentOptionsSchema,
      documents: true,
      read: ({ meeting }, send) => {
        const found = newestDocument(meeting, matches);
        return found && unlessNotFound(send({ ...asked, ids: { documentId: found.id } }));
      },
    });
  }

  /**
   * Waits for the documents of a meeting (`mtg_…`), of any kind: resolves to the meeting's document references as soon
   * as there is at least one. It polls the meeting list like `waitForTranscript`. For a certain document, such as the
   * summary, use `waitForDocument`.
   * @throws {MeetingFailedError} if the meeting has failed
   * @throws {WaitTimeoutError} if `timeoutMs` has passed, or the meeting list lacked the
   * meeting for `notListedTimeoutMs`
   * @example
   * const documents = await notetaker.meetings.waitForDocuments("mtg_1");
   * @beta It reads the meeting list, which the API specification refers to but does not define.
   */
  waitForDocuments(meetingId: string, options?: WaitOptions): Promise<DocumentReference[]> {
    return waitFor(pollsOf.get(this), options, {
      operation: "meetings.waitForDocuments",
      meetingId,
      options: waitOptionsSchema,
      documents: true,
      read: ({ meeting }) => {
        const received: unknown = meeting?.documents;
        const documents = Array.isArray(received) ? received.filter(isDocumentReference) : [];
        return documents.length > 0 ? copyJson(documents) : undefined;
      },
    });
  }
}
