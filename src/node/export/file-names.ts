/**
 * Names for files that are readable and safe on every system: no separators, dots, reserved names (`CON`), control characters or
 * emoji, of bounded length, and different for different ids also where upper and lower case are the same.
 */
import { createHash } from "node:crypto";

const MAX_CHARACTERS = 60;
/** A file system takes 255 bytes; a letter may be four of them. */
const MAX_BYTES = 120;

/** The words of a title, joined by hyphens; empty when there are none. */
export function readableName(title: string | null | undefined): string {
  let name = "";
  let bytes = 0;
  for (const character of (title ?? "")
    .slice(0, 1000)
    .normalize("NFC")
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, "-")) {
    bytes += Buffer.byteLength(character);
    if (bytes > MAX_BYTES || name.length >= MAX_CHARACTERS) break;
    name += character;
  }
  return name.replace(/^-+|-+$/g, "");
}

/** An id as it is where it is short and in lower case, else what is harmless of it, and a digest of the whole. */
export function idName(id: string): string {
  if (/^[a-z0-9_-]{1,64}$/.test(id)) return id;
  const digest = createHash("sha256").update(id).digest("hex").slice(0, 12);
  return `${id.replace(/[^A-Za-z0-9_-]+/g, "-").slice(0, 40)}-${digest}`;
}

/** The folder of a meeting: day, title, id. */
export function meetingName({
  id,
  title,
  start_time,
}: {
  id: string;
  title?: string | null | undefined;
  start_time: string;
}) {
  const day = /^\d{4}-\d\d-\d\d/.exec(start_time)?.[0] ?? "";
  return [day, readableName(title), idName(id)].filter(Boolean).join("-");
}

/** A document in it: title, id. */
export const documentName = ({ id, title }: { id: string; title?: string | null | undefined }) =>
  [readableName(title), idName(id)].filter(Boolean).join("-");
