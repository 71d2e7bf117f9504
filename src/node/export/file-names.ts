/**
 * Names for files that are readable and safe on every system: no separators, dots, reserved names (`CON`), control
 * characters or emoji, of bounded length, and different for different ids even if upper and lower case are the same.
 */
import { createHash } from "node:crypto";

const MAX_CHARACTERS = 60;
/** Some file systems (encrypted home folders, Synology) allow names of only 143 bytes; a letter may take four bytes. */
const MAX_NAME_BYTES = 143;
const MAX_TITLE_BYTES = 120;
/**
 * The most bytes that are added to a document's name: an extension and, while the file is being written, `.` and
 * `.part`.
 */
const DOCUMENT_SUFFIX_BYTES = ".".length + ".received.json".length + ".part".length;

/** The words of a title, joined by hyphens; empty if there are none. */
export function readableName(title: string | null | undefined, maxBytes = MAX_TITLE_BYTES): string {
  let name = "";
  let bytes = 0;
  const words = (title ?? "")
    .slice(0, 1000)
    .normalize("NFC")
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, "-");
  for (const character of words) {
    bytes += Buffer.byteLength(character);
    if (bytes > maxBytes || name.length >= MAX_CHARACTERS) break;
    name += character;
  }
  return name.replace(/^-+|-+$/g, "");
}

/**
 * A short id in lower case stays as it is. Of any other id, the harmless characters stay, and a digest of the whole id
 * is added.
 */
export function idName(id: string): string {
  if (/^[a-z0-9_-]{1,64}$/.test(id)) return id;
  const digest = createHash("sha256").update(id).digest("hex").slice(0, 12);
  return `${id.replace(/[^A-Za-z0-9_-]+/g, "-").slice(0, 40)}-${digest}`;
}

/** The folder of a meeting: day, title, id. */
export function meetingName(meeting: { id: string; title?: string | null | undefined; start_time: string }): string {
  const day = /^\d{4}-\d\d-\d\d/.exec(meeting.start_time)?.[0] ?? "";
  return joinName([day], meeting.title, meeting.id, MAX_NAME_BYTES);
}

/** A document in it: title, id. */
export const documentName = ({ id, title }: { id: string; title?: string | null | undefined }): string =>
  joinName([], title, id, MAX_NAME_BYTES - DOCUMENT_SUFFIX_BYTES);

/** The title gets what the other parts leave of `maxBytes`. */
function joinName(before: readonly string[], title: string | null | undefined, id: string, maxBytes: number): string {
  const others = [...before, idName(id)].filter((part) => part !== "");
  const othersBytes = others.reduce((sum, part) => sum + part.length + 1, 0);
  const readable = readableName(title, Math.min(MAX_TITLE_BYTES, maxBytes - othersBytes));
  return [...before, readable, idName(id)].filter((part) => part !== "").join("-");
}

/** Whether `name`, which was read from a file, can be one that was made for `id`. */
export function isNameOf(id: string, name: unknown): name is string {
  if (typeof name !== "string" || !/^[\p{L}\p{M}\p{N}_-]+$/u.test(name) || Buffer.byteLength(name) > 255) return false;
  return name === idName(id) || name.endsWith(`-${idName(id)}`);
}
