/** The forms in which a secret may appear in a text that has been decoded: plain, hexadecimal, base64. */
import { decodeText } from "./decode-text.js";
import { type FindSecret, patternFinder, wholeBase64 } from "./pattern.js";
import { utf8Bytes } from "./utf8-bytes.js";

/** Shorter values are not treated as secrets: replacing them would make the text unreadable. */
export const SHORTEST_SECRET = 4;
/** The base64 or hexadecimal digits of a shorter secret could appear in a text by chance. */
const SHORTEST_ENCODED = 6;

const BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/**
 * The base64 characters that depend on `bytes` alone, if `shift` other bytes (0 to 2) precede them. So a secret is also
 * found in the base64 of `Bearer …` or `user:…`.
 */
function base64Core(bytes: Uint8Array, shift: number): string {
  let text = "";
  const bits = 8 * bytes.length;
  for (let bit = (6 - ((8 * shift) % 6)) % 6; bit + 6 <= bits; bit += 6) {
    const index = bit >> 3;
    const pair = ((bytes[index] ?? 0) << 8) | (bytes[index + 1] ?? 0);
    text += BASE64.charAt((pair >> (10 - (bit & 7))) & 63);
  }
  return text;
}

const hexOf = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** The texts to search for: the secret and, if it is a URL, also its path with the query, and its query. */
function partsOf(secret: string): string[] {
  const path = /^https?:\/\/[^/?#]*([^#]{8,})/i.exec(secret)?.[1];
  const query = path?.includes("?") ? path.slice(path.indexOf("?") + 1) : "";
  return [secret, path ?? "", query];
}

/** A decoded text in lower case, for comparison. Its length does not change. */
export function lowerCase(text: string): string {
  const lower = text.toLowerCase();
  // Some letters outside of ASCII become two characters in lower case.
  return lower.length === text.length ? lower : text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** `text`, decoded, without backslashes. */
export const withoutEscapes = (text: string): string => decodeText(text).replaceAll("\\", "");

/** Returns functions that find the secrets in a decoded text in lower case. */
export function secretPatterns(secrets: readonly string[]): FindSecret[] {
  const plain = new Set<string>();
  const encoded = new Set<string>();
  for (const secret of secrets.flatMap(partsOf)) {
    if (secret.length < SHORTEST_SECRET) continue;
    const unescaped = lowerCase(withoutEscapes(secret));
    if (unescaped.length >= SHORTEST_SECRET) plain.add(unescaped);
    const bytes = utf8Bytes(secret);
    if (bytes.length < SHORTEST_ENCODED) continue;
    plain.add(hexOf(bytes));
    for (const shift of [0, 1, 2]) {
      const core = base64Core(bytes, shift).toLowerCase();
      encoded.add(core).add(core.replaceAll("+", "-").replaceAll("/", "_"));
    }
  }
  return [...Array.from(plain, patternFinder), ...Array.from(encoded, (text) => wholeBase64(patternFinder(text)))];
}
