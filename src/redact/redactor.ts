/** Removes secrets from received data before it becomes part of an error: by value and by field, in linear time. */
import { parseJson } from "../json/parse-json.js";
import { firstOf, rebuildCause } from "./rebuild-cause.js";

const REDACTED = "[redacted]";

/** `secret` as a word or part of a name, so not `secretary`; or a link. No `\p{L}`: large in React Native. */
const SECRET_NAME =
  /(?:(?:^|[^a-zA-Z])secrets?|Secrets?)(?![a-z])|(?:^|[^a-zA-Z])SECRETS?(?![a-zA-Z])|[rR]ecording_?(?:[uU]rl|URL)|RECORDING_?URL/;
/** The value of such a field within a text: `secret=…`, `"secret": "…`, also with escaped quotation marks. */
const SECRET_VALUE = new RegExp(
  String.raw`((?:${SECRET_NAME.source})[\w.\-]{0,64}(?:["'\\]{1,8}\s{0,8}:|\s{0,8}=)\s{0,8}["'\\]{0,8})[^\s"'\\,;&}<]+`,
  "gu",
);
/** In a text that mentions such a field, this may be its value. */
const KEY_LIKE = /\S{16,}/g;
/** A longer text that mentions such a field is left out: for a value of megabytes, these patterns overflow the stack. */
const LONGEST_SEARCHED = 100_000;

/** Other query parameters whose names suggest a secret. */
const SECRET_PARAMETER = /token|passw|api.?key|signature/i;

/** Replaces the values of query parameters with secrets in `text`: `?token=[redacted]&limit=5`. */
export const redactQuery = (text: string): string =>
  text.replace(/([?&]([\w.-]{1,128})=)[^&#\s"'`<>]*/g, (parameter: string, start: string, name: string) =>
    SECRET_PARAMETER.test(name) || SECRET_NAME.test(name) ? start + REDACTED : parameter,
  );

/** Shorter values are not treated as secrets: replacing them would make the text unreadable. */
const SHORTEST_SECRET = 4;

/** Deeper parts of a JSON value are left out, because a very deep value would overflow our stack, or a logger's. */
const MAX_NESTING = 100;
const NESTED_TOO_DEEP = "[nested too deep]";

export interface Redactor {
  /** If a body mentions a secret field, the values of such fields are left out, or all of it if it is no JSON. */
  text(text: string): string;
  /** The first `max` characters of such a text. */
  excerpt(text: string, max: number): string;
  headers(headers: Headers): Headers;
  /** A copy without secrets, in keys and in the values of secret fields. Texts beyond `LONGEST_SEARCHED` go. */
  json(value: unknown): unknown;
  /** The value of a JSON text, without secrets; `undefined` if it is not JSON. */
  parse(text: string): unknown;
  cause(cause: unknown): unknown;
}

export function createRedactor(secrets: Iterable<string>): Redactor {
  let values: RegExp | undefined;

  const withoutValues = (text: string): string => {
    values ??= valuesPattern(secrets);
    return text.replace(values, REDACTED);
  };

  const sentence = (text: string, depth = 0): string => {
    const redacted = withoutValues(redactQuery(text));
    if (!mentionsSecret(text)) return redacted;
    const value = parseJson(text);
    if (typeof value === "object") return JSON.stringify(json(value, depth + 1));
    if (redacted.length > LONGEST_SEARCHED) return REDACTED;
    return redacted.replace(SECRET_VALUE, `$1${REDACTED}`).replace(KEY_LIKE, REDACTED);
  };

  const json = (value: unknown, depth = 0): unknown => {
    if (typeof value === "string") return sentence(value, depth);
    if (typeof value === "number") return withoutValues(`${value}`) === `${value}` ? value : REDACTED;
    if (typeof value !== "object" || value === null) return value;
    if (depth >= MAX_NESTING) return NESTED_TOO_DEEP;
    if (Array.isArray(value)) return value.map((item) => json(item, depth + 1));
    // `fromEntries`, because in JSON, `__proto__` is an ordinary name. Assigning to it would set the prototype.
    return Object.fromEntries(
      Object.entries(value).map(([name, field]) => {
        const isSecret = field !== null && SECRET_NAME.test(name);
        return [withoutValues(name), isSecret ? REDACTED : json(field, depth + 1)];
      }),
    );
  };

  const parse = (text: string): unknown => json(parseJson(text));

  const text = (received: string): string => {
    if (!mentionsSecret(received)) return withoutValues(redactQuery(received));
    const value = parse(received);
    return typeof value === "object" ? JSON.stringify(value) : REDACTED;
  };

  return {
    text,
    excerpt: (received, max) => text(firstOf(received, max, withoutValues)),
    json,
    parse,
    headers: (headers) =>
      // JSON without its escapes may contain characters that a header may not. Headers of a fake `fetch` may not be iterable.
      new Headers(
        Array.from(headers, ([name, value]): [string, string] => [
          name,
          sentence(value).replace(/[^\t\x20-\x7e\x80-\xff]/g, "?"),
        ]),
      ),
    cause: (thrown) => rebuildCause(thrown, sentence, withoutValues),
  };
}

const KNOWN_HEADERS =
  /^(?:content-(?:type|length|encoding|language)|date|retry-after|x-ratelimit-[a-z]+|(?:x-)?request-id)$/;

/** The response headers that an error may show even if the secrets of the call are not known. */
export const knownHeaders = (headers: Headers): Headers =>
  createRedactor([]).headers(new Headers(Array.from(headers).filter(([name]) => KNOWN_HEADERS.test(name))));

const mentionsSecret = (text: string) => SECRET_NAME.test(text);

/** The texts to search for: the secret and, if it is a URL, its path with the query, and its query. */
function searchedParts(secret: string): string[] {
  const path = /^https?:\/\/[^/?#]*([^#]{8,})/i.exec(secret)?.[1];
  if (path === undefined) return [secret];
  return [secret, path, path.slice(path.indexOf("?") + 1)];
}

/** Matches the secrets, the longest first, in each of the forms that the head of this file names. */
function valuesPattern(secrets: Iterable<string>): RegExp {
  const parts = [...secrets].flatMap(searchedParts).filter(({ length }) => length >= SHORTEST_SECRET);
  const patterns = parts.sort((one, other) => other.length - one.length).map(patternOf);
  return new RegExp(patterns.join("|") || "(?!)", "g");
}

/** The pattern of a secret. The characters that have other forms are those of ASCII that are no letters and digits. */
const patternOf = (secret: string): string =>
  secret.replace(/[\x00-\x2f\x3a-\x40\x5b-\x60\x7b-\x7f]/g, (character) => {
    const code = character.charCodeAt(0);
    const hex = code.toString(16).padStart(2, "0");
    const anyCase = hex.replace(/[a-f]/, (digit) => `[${digit}${digit.toUpperCase()}]`);
    const reference = `&(?:#0{0,4}(?:${code}|[xX]0{0,4}${anyCase})|[a-zA-Z]{2,8});`;
    // JSON in JSON has three backslashes before a quotation mark.
    return `\\\\{0,3}(?:\\x${hex}|%${anyCase}|u00${anyCase}|${reference})`;
  });
