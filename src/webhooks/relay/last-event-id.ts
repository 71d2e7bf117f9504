/**
 * The id in a `Last-Event-ID` header. Browsers send its UTF-8 bytes, and `Headers` shows each byte as one character.
 * A value that is not UTF-8 is returned as it is.
 */
export function readLastEventId(headers: Headers): string | null {
  const value = headers.get("last-event-id");
  if (value === null || /[^\0-\xff]/.test(value)) return value;
  try {
    const bytes = Uint8Array.from({ length: value.length }, (_, index) => value.charCodeAt(index));
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return value;
  }
}
