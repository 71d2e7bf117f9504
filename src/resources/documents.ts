import * as z from "zod/mini";
import { type DocumentKind, newestDocument, titleMatcher } from "../documents/find-document.js";
import { getDocument } from "../endpoints/documents.js";
import { listMeetings } from "../endpoints/meetings.js";
import { isRecord } from "../json/is-record.js";
import {
  type DocumentFormat,
  type DocumentGetParams,
  type DocumentIn,
  type DocumentReference,
  documentGetParamsSchema,
  documentSchemaFor,
} from "../schemas/document.js";
import { meetingGetParamsSchema } from "../schemas/meeting-list.js";
import type { ApiPromise } from "../transport/api-promise.js";
import { NO_OPTIONS, type RequestOptions } from "../transport/request-options.js";
import { Resource, transportOf } from "../transport/resource.js";
import type { Transport } from "../transport/transport.js";
import { getById } from "./get-by-id.js";
import { checkCall, sharingDeadline } from "./several-requests.js";

/** Documents that the service writes: summaries, action items, notes. */
export class Documents extends Resource {
  /**
   * A document, with its content in `format` (the service's default is `html`, documented). For `docx`, the content is
   * base64 (see `decodeDocx`). For `json`, it is a JSON array of content blocks (see `parseBlocks`).
   *
   * The name of the query parameter is documented. Guide: docs/transcripts.md#documents.
   * @example
   * const { title, content } = await notetaker.documents.get("doc_1", { format: "markdown" });
   */
  get<const F extends DocumentFormat | undefined = undefined>(
    documentId: string,
    params: DocumentGetParams<F> = {},
    options?: RequestOptions,
  ): ApiPromise<DocumentIn<F>> {
    return transportOf(this).send(
      { ...getDocument, ids: { documentId }, params, response: documentSchemaFor<F> },
      options,
    );
  }

  /**
   * The newest document of the given kind in a meeting: its summary, its action items, or a document whose title
   * matches a regular expression. Resolves to `undefined` if there is none. `meetings.waitForDocument` waits until
   * there is one. `meeting` is an id (`mtg_…`) or a meeting. If the meeting has its `documents`, the meeting list is
   * not requested.
   * @throws {NotFoundError} if there is no such meeting
   * @beta It reads the meeting list. The texts by which titles are recognised are guessed; the client's option
   * `assumptions.documents.titles` replaces them.
   * @example
   * const summary = await notetaker.documents.find("mtg_1", "summary", { format: "markdown" });
   */
  async find<const F extends DocumentFormat | undefined = undefined>(
    meeting:
      | string
      | {
          /** `mtg_…` */
          readonly id: string;
          /** The meeting's documents, if the list was requested with `expand: ["documents"]`. */
          readonly documents?: readonly DocumentReference[] | null | undefined;
        },
    kind: DocumentKind,
    params: DocumentGetParams<F> = {},
    options: RequestOptions = NO_OPTIONS,
  ): Promise<DocumentIn<F> | undefined> {
    const transport = transportOf(this);
    checkCall("documents.find", documentGetParamsSchema, params, 3, options);
    const matches = titleMatcher("documents.find", kind, transport.config.documentTitles);
    const isExpanded = isRecord(meeting) && Array.isArray(meeting.documents);
    const nextOptions = sharingDeadline(transport, options);
    const expanded = isExpanded ? meeting : await readDocuments(transport, meeting, nextOptions());
    const newest = newestDocument(expanded, matches);
    return newest && this.get(newest.id, params, nextOptions());
  }
}

/** Requests the meeting with its documents. `newestDocument` checks them one by one. */
function readDocuments(transport: Transport, meeting: Parameters<Documents["find"]>[0], options: RequestOptions) {
  const ids = { meetingId: isRecord(meeting) ? meeting.id : meeting };
  const operation = { ...listMeetings, name: "documents.find", ids, params: { expand: ["documents"] as const } };
  return getById(transport, { ...operation, query: meetingGetParamsSchema, response: z.looseObject({}) }, options);
}
