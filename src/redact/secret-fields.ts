/**
 * Takes out the values of secret fields in a text of any kind: JSON that breaks off or is quoted in another way, a
 * form, XML, a line of prose. In plain JSON it is known where a value ends; anywhere else, all that follows is taken.
 */
import { decodeText } from "./decode-text.js";
import { REDACTED } from "./redact-query.js";

/** Fields whose value is a secret, or a key to a download. */
export const SECRET_FIELD = /secret|recording_url/i;

/** What may hold a secret field, or may be encoded. */
const WORTH_A_LOOK = /[%&\\]|secret|recording_url/i;

/** A field of JSON with a text in which nothing is escaped. */
const PLAIN_JSON_FIELD = /("[^"\\]{0,64}(?:secret|recording_url)[^"\\]{0,64}"\s*:\s*")[^"\\]*"/gi;

/** The name of a secret field up to its value: the start of an element, or a name and what follows it. */
const BEGINNING =
  /(?:<[\w:.-]{0,64}(?:secret|recording_url)|((?:secret|recording_url)[\w.-]{0,64})[\s"'`\\]*(?:[:=>]|<[^<>]{0,256}>))(?!\s*(?:null\b|"?\[redacted\]))/gi;
/** In a stack: `secrets.test.ts:10:5`. */
const FILE_NAME = /[.][cm]?[jt]sx?$/;

/** `text` without the values of secret fields. What follows such a field in an encoded text is taken as well. */
export function redactFields(text: string): string {
  if (!WORTH_A_LOOK.test(text)) return text;
  const redacted = text.replace(PLAIN_JSON_FIELD, `$1${REDACTED}"`);
  const decoded = decodeText(redacted);
  for (const { 0: found, 1: name = "", index } of decoded.matchAll(BEGINNING)) {
    if (!FILE_NAME.test(name)) return `${decoded.slice(0, index + found.length)}${REDACTED}`;
  }
  return redacted;
}
