import { documentGetParamsSchema, documentSchema } from "../schemas/document.js";
import { endpoint } from "./endpoint.js";

export const getDocument = endpoint({
  name: "documents.get",
  route: "GET /documents/{documentId}",
  query: documentGetParamsSchema,
  names: "documents",
  response: documentSchema,
  retry: "repeatable",
  invalid: "validation",
  source: "specified",
});

export const documentEndpoints = [getDocument] as const;
