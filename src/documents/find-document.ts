/** Finds the newest document of one kind in a meeting, by the titles of the documents. */
import * as z from "zod/mini";
import type { DocumentTitles } from "../assumptions.js";
import { quoted } from "../checks/format-issues.js";
import { InvalidArgumentError } from "../errors/argument-errors.js";
import { isRecord } from "../json/is-record.js";
import { type DocumentReference, documentReferenceSchema } from "../schemas/document.js";
import { parseTimestamp } from "../schemas/primitives.js";

/** The kind of a document: one that the service writes for each meeting, or a regular expression for its title. */
export type DocumentKind = keyof DocumentTitles | RegExp;

/** Returns a function that tells whether a title belongs to a document of this kind. */
export function titleMatcher(
  operation: string,
  kind: DocumentKind,
  titles: DocumentTitles,
): (title: string) => boolean {
  if (kind instanceof RegExp) {
    // Not `test`: with the flag `g`, it would continue where the last match ended.
    return (title) => title.search(kind) !== -1;
  }
  if (typeof kind === "string" && Object.hasOwn(titles, kind)) {
    const wanted = titles[kind].toLowerCase();
    return (title) => title.toLowerCase().includes(wanted);
  }
  const message = `expected ${Object.keys(titles).join(", ")} or a regular expression, received ${quoted(kind)}`;
  throw new InvalidArgumentError({ operation, issues: [{ path: "kind", code: "not_one_of", message }] });
}

/** A document without a readable time is older than all others. */
const creationTime = ({ created_at }: DocumentReference) =>
  parseTimestamp(created_at ?? "") || Number.NEGATIVE_INFINITY;

/** The newest document in `meeting` whose title matches. Documents that do not match their schema are ignored. */
export function newestDocument(meeting: unknown, matches: (title: string) => boolean): DocumentReference | undefined {
  const documents: unknown[] = isRecord(meeting) && Array.isArray(meeting.documents) ? meeting.documents : [];
  let newest: DocumentReference | undefined;
  for (const document of documents) {
    const { data } = z.safeParse(documentReferenceSchema, document);
    if (data === undefined || !matches(data.title ?? "")) continue;
    if (newest === undefined || creationTime(data) > creationTime(newest)) newest = data;
  }
  return newest;
}
