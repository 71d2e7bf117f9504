/** Interface, "GET /documents/{document_id}". */
import { DOCUMENT_FORMATS, type DocumentFormat } from "../../schemas/document.js";
import type { WireNames } from "../../unshown.js";
import { renderDocument } from "../content/render-document.js";
import { notFound } from "../http/error-response.js";
import { json } from "../http/exchange.js";
import type { Route } from "../http/route.js";
import { idOf, oneOf } from "../http/rules.js";

export const documentRoutes = (names: WireNames["documents"]): Route[] => [
  {
    method: "GET",
    path: "/documents/{document_id}",
    invalid: "validation",
    params: { document_id: idOf("doc_") },
    query: { [names.format]: { rule: oneOf(DOCUMENT_FORMATS) } },
    answer: ({ world, params, query }) => {
      const document = world.state.documents.get(params.document_id!);
      if (document === undefined) throw notFound();
      const { id, title, created_at, blocks } = document;
      const format = (query.get(names.format) ?? "html") as DocumentFormat;
      return json({ id, title, format, content: renderDocument(format, blocks), created_at });
    },
  },
];
