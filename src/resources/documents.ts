import {
  type Document,
  type DocumentFormat,
  type DocumentGetParams,
  type DocumentIn,
  documentGetParamsSchema,
  documentSchema,
} from "../schemas/document.js";
import type { ApiPromise } from "../transport/api-promise.js";
import { withSchema } from "../transport/operation.js";
import { path } from "../transport/path.js";
import type { RequestOptions } from "../transport/request-options.js";
import type { Transport } from "../transport/transport.js";
import { setTransport, transportOf } from "./transport-of.js";

/** Documents that the service writes: summaries, action items, notes. */
export class Documents {
  constructor(transport: Transport) {
    setTransport(this, transport);
  }

  /**
   * A document, its content in `format` (the service's default is `html`, level A). For `docx` the content is base64
   * (see `decodeDocx`), for `json` a JSON array of content blocks (see `parseBlocks`).
   *
   * Interface, "GET /documents/{document_id}". The name of the query parameter is level A.
   *
   * @example
   * const { title, content } = await notetaker.documents.get("doc_1", { format: "markdown" });
   */
  get<const F extends DocumentFormat>(
    documentId: string,
    params: DocumentGetParams & { format: F },
    options?: RequestOptions,
  ): ApiPromise<DocumentIn<F>>;
  get(documentId: string, params?: DocumentGetParams, options?: RequestOptions): ApiPromise<Document>;
  get(documentId: string, params: DocumentGetParams = {}, options?: RequestOptions): ApiPromise<Document> {
    return transportOf(this).send(
      {
        operation: "documents.get",
        method: "GET",
        path: path`/documents/${{ documentId }}`,
        query: withSchema(documentGetParamsSchema, params),
        names: "documents",
        response: documentSchema,
        retry: "repeatable",
      },
      options,
    );
  }
}
