/**
 * The `Last-Event-ID` header. The HTML standard sends the UTF-8 bytes of the id. `Headers` has each byte as one
 * character.
 */
import { decodeUtf8 } from "./body.js";

/** The longest id that is sent, in bytes. Servers accept headers of at least 8 KiB. */
const MAX_ID_BYTES = 8_000;

/** Not every server and proxy accepts these characters in a header. */
const CONTROL_CHARACTER = /[\0-\x1f\x7f]/;

/**
 * The header for an id, or `undefined` if no header can hold it. Without the header, the connection begins with the
 * next event.
 */
export function lastEventIdHeader(id: string | undefined): string | undefined {
  // `Headers` removes white space at the ends, so the server would receive another id.
  if (id === undefined || id === "" || id !== id.trim() || CONTROL_CHARACTER.test(id)) return undefined;
  const bytes = new TextEncoder().encode(id);
  if (bytes.byteLength > MAX_ID_BYTES) return undefined;
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
}

/** The id in the header. A value that is not UTF-8 is returned as it is. */
export function readLastEventId(headers: Headers): string | null {
  const value = headers.get("last-event-id");
  if (value === null || /[^\0-\xff]/.test(value)) return value;
  return decodeUtf8(Uint8Array.from(value, (character) => character.charCodeAt(0))) ?? value;
}
