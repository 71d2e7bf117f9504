/**
 * `text` as UTF-8. It does not use `TextEncoder`, which jest's jsdom environment and older engines of React Native
 * lack.
 */
export function utf8Bytes(text: string): Uint8Array {
  // Half of a surrogate pair becomes U+FFFD, as with `TextEncoder`.
  const escaped = encodeURIComponent(text.replace(/[\ud800-\udfff]/gu, "\ufffd"));
  const units = escaped.match(/%..|./g) ?? [];
  return Uint8Array.from(units, (unit) =>
    unit.length === 1 ? unit.charCodeAt(0) : Number.parseInt(unit.slice(1), 16),
  );
}
