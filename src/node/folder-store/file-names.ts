/**
 * File names that are readable and safe on every system. They contain no separators, dots, control characters or emoji,
 * are never a reserved name (`CON`), and have a limited length. Different ids have different names, even if the file
 * system ignores case.
 */
import { createHash } from "node:crypto";

/** Some file systems (encrypted home folders, Synology) limit names to 143 bytes; a letter may need four bytes. */
const MAX_NAME_BYTES = 143;
const MAX_TITLE_BYTES = 90;
/**
 * The largest number of bytes that are added to a document's name: an extension and, while the file is being written,
 * `.` and `.part`.
 */
const DOCUMENT_SUFFIX_BYTES = ".".length + ".docx.received.json".length + ".part".length;

/** The words of a title, joined by hyphens; empty for a title without words. */
function readableName(title: string | null | undefined, maxBytes: number): string {
  const words = (title ?? "")
    .slice(0, 1000)
    .normalize("NFC")
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, "-");
  let name = "";
  for (const character of words) {
    if (Buffer.byteLength(name + character) > maxBytes) break;
    name += character;
  }
  return name.replace(/^-+|-+$/g, "");
}

/**
 * An id as a part of a file name. A short id in lower case is used as it is, unless it ends like a digest. In any other
 * id, unsafe characters are replaced, and a digest of the whole id is added.
 */
export function idName(id: string): string {
  if (/^[a-z0-9_-]{1,64}$/.test(id) && !/-[0-9a-f]{12}$/.test(id)) return id;
  const digest = createHash("sha256").update(id).digest("hex").slice(0, 12);
  return `${id.replace(/[^A-Za-z0-9_-]+/g, "-").slice(0, 40)}-${digest}`;
}

/** The name of a meeting's folder: day, title, id. */
export function meetingName({ id, title, start_time }: Titled & { readonly start_time: string }): string {
  const day = /^\d{4}-\d\d-\d\d/.exec(start_time)?.[0] ?? "";
  return joinName(day, { id, title }, MAX_NAME_BYTES);
}

/** The name of a document's file, without its extension: title, id. */
export const documentName = (document: Titled): string =>
  joinName("", document, MAX_NAME_BYTES - DOCUMENT_SUFFIX_BYTES);

interface Titled {
  readonly id: string;
  readonly title?: string | null | undefined;
}

/** Joins the parts by hyphens, and cuts the title so that the name fits into `maxBytes`. */
function joinName(day: string, { id, title }: Titled, maxBytes: number): string {
  const rest = maxBytes - day.length - idName(id).length - "--".length;
  const parts = [day, readableName(title, Math.min(MAX_TITLE_BYTES, rest)), idName(id)];
  return parts.filter((part) => part !== "").join("-");
}

/** Whether `name`, which was read from a file, can be a name that these functions made for `id`. */
export function isNameOf(id: string, name: unknown): name is string {
  if (typeof name !== "string" || !/^[\p{L}\p{M}\p{N}_-]+$/u.test(name) || Buffer.byteLength(name) > 255) return false;
  return name === idName(id) || name.endsWith(`-${idName(id)}`);
}
