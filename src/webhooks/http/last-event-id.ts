/** The `Last-Event-ID` header. The HTML standard sends the id in UTF-8; in `Headers`, each byte is one character. */
import { decodeUtf8 } from "./body.js";

/** Servers accept headers of at least 8 KiB. */
const MAX_ID_BYTES = 8_000;

/** Not every server and proxy accepts control characters in a header, and `Headers` removes white space at the ends. */
const UNFIT = /[\0-\x1f\x7f]|^\s|\s$|^$/;

/** The header for an id, or `undefined` if no header can hold it: the connection then begins with the next event. */
export function lastEventIdHeader(id = ""): string | undefined {
  const bytes = new TextEncoder().encode(id);
  if (UNFIT.test(id) || bytes.byteLength > MAX_ID_BYTES) return undefined;
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
}

/** The id in the header. A value that is not UTF-8 is returned as it is. */
export function readLastEventId(headers: Headers): string | null {
  const value = headers.get("last-event-id");
  if (value === null || /[^\0-\xff]/.test(value)) return value;
  return decodeUtf8(Uint8Array.from(value, (character) => character.charCodeAt(0))) ?? value;
}
