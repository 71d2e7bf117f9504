/**
 * Takes the encodings off a text, so that a secret in it can be compared with the plain one: percent-encoding, HTML
 * entities, the escapes of JSON and of source code, and any of them inside each other. Linear in the text.
 */

/** Encodings inside encodings are taken off this often. */
const MAX_LAYERS = 4;

/** A percent sign or an ampersand that was encoded several times in the same way counts as one layer. */
const ESCAPES =
  /%(?:25){0,20}[0-9a-f]{2}|&(?:amp;){0,20}(?:#\d{1,7}|#x[0-9a-f]{1,6}|quot|apos|amp|lt|gt);?|\\u[0-9a-f]{4}|\\x[0-9a-f]{2}/gi;
const ENTITIES: Readonly<Record<string, string>> = { quot: '"', apos: "'", amp: "&", lt: "<", gt: ">" };

/** An escape that was cut off at the end of a text: the secret before it then ends the text. */
const CUT_ESCAPE =
  /(?:%(?:25){0,20}[0-9a-f]?|&(?:amp;){0,20}(?:#x?[0-9a-f]{0,7}|qu?o?t?|ap?o?s?|am?p?|lt?|gt?)?|\\[ux][0-9a-f]{0,3})$/i;

/** The character that an escape stands for. */
function decodeEscape(encoded: string): string {
  if (encoded.startsWith("%")) return String.fromCharCode(Number.parseInt(encoded.slice(-2), 16));
  if (encoded.startsWith("\\")) return String.fromCharCode(Number.parseInt(encoded.slice(2), 16));
  const name = encoded.toLowerCase().replace(/^&(?:amp;)*(?=.)|;$/g, "");
  if (!name.startsWith("#")) return ENTITIES[name] ?? "";
  // `Number` reads `0x41` as well as `65`.
  return String.fromCharCode(Number(name.slice(1).replace("x", "0x")));
}

/** `text` without its encodings. Backslashes that escape nothing but the next character stay. */
export function decodeText(text: string): string {
  let decoded = text;
  for (let layer = 0; layer < MAX_LAYERS && /[%&\\]/.test(decoded); layer += 1) {
    decoded = decoded.replace(CUT_ESCAPE, "").replace(ESCAPES, decodeEscape);
  }
  return decoded;
}
