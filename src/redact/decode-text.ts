/**
 * Decodes a text, so that an encoded secret can be compared with the plain secret. Decodes percent-encoding, HTML
 * entities, the escapes of JSON and of source code, also nested in each other, in linear time.
 */

/** How many nested encodings are decoded. */
const MAX_LAYERS = 4;

/** If a percent sign or an ampersand was encoded several times in the same way, that counts as one layer. */
const ESCAPES =
  /%(?:25){0,20}[0-9a-f]{2}|&(?:amp;){0,20}(?:#\d{1,7}|#x[0-9a-f]{1,6}|quot|apos|amp|lt|gt);?|\\u[0-9a-f]{4}|\\x[0-9a-f]{2}/gi;
const ENTITIES: Readonly<Record<string, string>> = { quot: '"', apos: "'", amp: "&", lt: "<", gt: ">" };

/** An incomplete escape at the end of a text that was cut. It is removed: a secret before it is then the text's end. */
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

/** `text`, decoded. A backslash that only escapes the next character is kept. */
export function decodeText(text: string): string {
  let decoded = text;
  for (let layer = 0; layer < MAX_LAYERS && /[%&\\]/.test(decoded); layer += 1) {
    decoded = decoded.replace(CUT_ESCAPE, "").replace(ESCAPES, decodeEscape);
  }
  return decoded;
}
