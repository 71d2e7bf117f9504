/** The endpoint of documents (API specification, "GET /documents/{document_id}"). */

import { getDocument } from "../../resources/documents.js";
import { renderDocument } from "../content/render-document.js";
import { notFound } from "../http/error-response.js";
import { json } from "../http/exchange.js";
import { answer, pathParam } from "../http/route.js";
import { accessDocument } from "../state/access.js";
import { withChanges } from "../state/to-wire.js";

export const documentRoutes = [
  answer(getDocument, (call) => {
    const document = accessDocument(call.context, pathParam(call, "document_id"));
    if (document === undefined) throw notFound();
    const { id, title, created_at, blocks } = document;
    const { format = "html" } = call.query;
    return json(withChanges({ id, title, format, content: renderDocument(format, blocks), created_at }, document));
  }),
];
