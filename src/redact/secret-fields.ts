/**
 * Removes the values of secret fields from a text of any kind: incomplete or quoted JSON, a form, XML, a line of prose.
 * In plain JSON, the end of a value is known. In any other text, everything after the name of the field is removed.
 */
import { decodeText } from "./decode-text.js";
import { REDACTED } from "./redact-query.js";

/** Fields whose value is a secret, or a link that anyone can download from. */
export const SECRET_FIELD = /secret|recording_url/i;

/** A text that matches this may contain a secret field, or may be encoded. */
const WORTH_A_LOOK = /[%&\\]|secret|recording_url/i;

/** A JSON field whose value is a text without escapes. */
const PLAIN_JSON_FIELD = /("[^"\\]{0,64}(?:secret|recording_url)[^"\\]{0,64}"\s*:\s*")[^"\\]*"/gi;

/** The name of a secret field up to its value: the start of an XML element, or a name and its separator. */
const BEGINNING =
  /(?:<[\w:.-]{0,64}(?:secret|recording_url)|((?:secret|recording_url)[\w.-]{0,64})[\s"'`\\]*(?:[:=>]|<[^<>]{0,256}>))(?!\s*(?:null\b|"?\[redacted\]))/gi;
/** The name is part of a file name, as in a stack: `secrets.test.ts:10:5`. */
const FILE_NAME = /[.][cm]?[jt]sx?$/;

/**
 * `text` without the values of secret fields. In a text that is not plain JSON, all that follows such a field is
 * removed.
 */
export function redactFields(text: string): string {
  if (!WORTH_A_LOOK.test(text)) return text;
  const redacted = text.replace(PLAIN_JSON_FIELD, `$1${REDACTED}"`);
  const decoded = decodeText(redacted);
  for (const { 0: found, 1: name = "", index } of decoded.matchAll(BEGINNING)) {
    if (!FILE_NAME.test(name)) return `${decoded.slice(0, index + found.length)}${REDACTED}`;
  }
  return redacted;
}
