/** Writes an event's id as a `Last-Event-ID` header. */

/** The longest id that is sent, in bytes. Servers accept headers of at least 8 KiB. */
const MAX_BYTES = 8_000;

/** Not every server and proxy accepts these characters in a header. */
const CONTROL_CHARACTER = /[\0-\x1f\x7f]/;

/**
 * The `Last-Event-ID` header for an id, or `undefined` if no header can hold it. Without the header, the connection
 * begins with the next event. The HTML standard sends the id's UTF-8 bytes; `Headers` expects each byte as one
 * character.
 */
export function lastEventIdHeader(id: string | undefined): string | undefined {
  // `Headers` removes white space at the ends, so the server would receive another id.
  if (id === undefined || id === "" || id !== id.trim() || CONTROL_CHARACTER.test(id)) return undefined;
  const bytes = new TextEncoder().encode(id);
  if (bytes.byteLength > MAX_BYTES) return undefined;
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
}
