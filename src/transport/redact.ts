/** Takes secrets out of what arrives, before it becomes part of an error: by their value, and by the fields that hold them. */
import { isErrorLike } from "../errors/error-like.js";

const REDACTED = "[redacted]";

/** Fields whose value is a secret, or a key to a download. */
const SECRET_FIELD = /secret|recording_url/i;

/** Such a field within a text: JSON that breaks off or is quoted in another way, a form, a line of prose. */
const SECRET_TEXT =
  /((?:secret|recording_url)["'\\]*\s*[:=]\s*)(?:(["'])(?:\\.|(?!\2)[^\\])*|[[{][^\]}]*|(?:\\.|[^\s"'<>\\])+)/gis;

/** Shorter values are no secrets, and replacing them would make nonsense of the text. */
const SHORTEST_SECRET = 4;

/** A character in any way that JSON, and JSON within JSON, may write it. */
const written = (character: string) => {
  const hex = character.charCodeAt(0).toString(16);
  return `\\\\{0,3}(\\x${hex}|u00${hex})`;
};

/** `text` without `token`, and without the contents of secret fields. */
export function redactText(text: string, token = ""): string {
  const shown = text.replace(SECRET_TEXT, `$1$2${REDACTED}`);
  if (token.length < SHORTEST_SECRET) return shown;
  return shown.replace(new RegExp(token.replace(/./g, written), "gi"), REDACTED);
}

/** The value of a JSON text, without `token` and the contents of secret fields, however they are escaped in the text. */
export const parseRedacted = (text: string, token: string | undefined): unknown =>
  JSON.parse(text, (name, value) => {
    if (value !== null && SECRET_FIELD.test(name)) return REDACTED;
    return typeof value === "string" ? redactText(value, token) : value;
  });

/** A copy of an answer's headers, without `token`. */
export const redactHeaders = (headers: Headers, token: string | undefined): Headers =>
  new Headers(Array.from(headers, ([name, value]): [string, string] => [name, redactText(value, token)]));

/** Whether `token` or another secret can be seen in `value`: in its fields, an error's `cause`, its `config.headers`, its `request`. */
function shows(value: unknown, token: string, depth: number, seen = new Set<unknown>()): boolean {
  if (typeof value === "string") return redactText(value, token) !== value;
  if (typeof value !== "object" || value === null || depth === 0 || seen.has(value)) return false;
  seen.add(value);
  const fields = Object.values(Object.getOwnPropertyDescriptors(value)).map((field) => field.value);
  const { headers } = value as { headers?: unknown };
  return [...fields, headers, ...(value instanceof Headers ? value : [])].some((one) =>
    shows(one, token, depth - 1, seen),
  );
}

/** `cause` itself, or where it shows a secret, a copy of its name, message, code and causes without it. */
export function redactCause(cause: unknown, token = ""): unknown {
  if (!shows(cause, token, 7)) return cause;
  if (!isErrorLike(cause)) return redactText(String(cause), token);
  const copy = new Error(redactText(cause.message, token));
  copy.name = cause.name;
  return Object.assign(copy, { code: cause.code, cause: redactCause(cause.cause, token) });
}
