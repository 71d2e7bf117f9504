/** The endpoint of documents (API specification, "GET /documents/{document_id}"). */

import type { WireNames } from "../../assumptions.js";
import { DOCUMENT_FORMATS, type DocumentFormat } from "../../schemas/document.js";
import { renderDocument } from "../content/render-document.js";
import { notFound } from "../http/error-response.js";
import { json } from "../http/exchange.js";
import { pathParam, type Route } from "../http/route.js";
import { idRule, oneOf } from "../http/rules.js";
import { accessDocument } from "../state/access.js";
import { withChanges } from "../state/to-wire.js";

export const documentRoutes = (names: WireNames["documents"]): Route[] => [
  {
    method: "GET",
    path: "/documents/{document_id}",
    invalid: "validation",
    params: { document_id: idRule("documentId") },
    query: { [names.format]: { rule: oneOf(DOCUMENT_FORMATS) } },
    answer: (call) => {
      const document = accessDocument(call.context, pathParam(call, "document_id"));
      if (document === undefined) throw notFound();
      const { id, title, created_at, blocks } = document;
      const format = (call.query.get(names.format) ?? "html") as DocumentFormat;
      return json(withChanges({ id, title, format, content: renderDocument(format, blocks), created_at }, document));
    },
  },
];
