/**
 * Removes secrets from received data before the data becomes part of an error: by their values, plain, percent-encoded,
 * base64 and JSON-escaped, and by the names of fields. Every step takes linear time.
 */
import { parseJson } from "../json/parse-json.js";
import { rebuildCause } from "./rebuild-cause.js";

const REDACTED = "[redacted]";

/**
 * The name of a field whose value is a secret, or a link that anyone can download from: `secret` as a word or as a part
 * of a name (`client_secret`, `webhookSecret`, `SECRET_KEY`), so not `secretary`. Classes such as `\p{L}` would become
 * tables of many kilobytes in the bundles of React Native.
 */
const SECRET_NAME =
  /(?:(?:^|[^a-zA-Z])secrets?|Secrets?)(?![a-z])|(?:^|[^a-zA-Z])SECRETS?(?![a-zA-Z])|[rR]ecording_?(?:[uU]rl|URL)|RECORDING_?URL/;
/** The value of such a field within a decoded text: `secret=…`, `"secret": "…`. */
const SECRET_VALUE = new RegExp(
  String.raw`((?:${SECRET_NAME.source})[\w.\-]{0,64}(?:["']{1,8}\s{0,8}:|\s{0,8}=)\s{0,8}["']{0,8})[^\s"',;&}<]+`,
  "gu",
);
/** In a text that mentions such a field, this may be its value. */
const KEY_LIKE = /\S{16,}/g;

/** Other query parameters whose names suggest a secret. */
const SECRET_PARAMETER = /token|passw|api.?key|signature/i;

/** Replaces the values of query parameters with secrets in `text`: `?token=[redacted]&limit=5`. */
export const redactQuery = (text: string): string =>
  text.replace(/([?&]([\w.-]{1,128})=)[^&#\s"'`<>]*/g, (parameter: string, start: string, name: string) =>
    SECRET_PARAMETER.test(name) || SECRET_NAME.test(name) ? start + REDACTED : parameter,
  );

/** Shorter values are not treated as secrets: replacing them would make the text unreadable. */
const SHORTEST_SECRET = 4;
/** The base64 of a shorter secret could appear in a text by chance. */
const SHORTEST_ENCODED = 6;
/** So many characters of a secret are enough to find it: the text may have been cut off in the middle of it. */
const ENOUGH = 12;

/** Deeper parts of a JSON value are left out, because a very deep value would overflow our stack, or a logger's. */
const MAX_NESTING = 100;
const NESTED_TOO_DEEP = "[nested too deep]";

/** Removes the secrets of one call from its errors. */
export interface Redactor {
  /**
   * A body without secrets. If it mentions a secret field, it is left out whole, or if it is JSON, the values of such
   * fields are.
   */
  text(text: string): string;
  headers(headers: Headers): Headers;
  /**
   * A copy of a JSON value, without secrets (also in keys), and without the values of secret fields. In a text that
   * mentions a secret field, whatever looks like a key is replaced.
   */
  json(value: unknown): unknown;
  /** The value of a JSON text, without secrets; `undefined` if it is not JSON. */
  parse(text: string): unknown;
  cause(cause: unknown): unknown;
}

export function createRedactor(secrets: Iterable<string>): Redactor {
  let forms: readonly Form[] | undefined;

  const withoutValues = (text: string): string => {
    forms ??= [...secrets].flatMap(partsOf).flatMap(formsOf);
    const decoded = decode(text);
    const redacted = forms.reduce(withoutForm, decoded);
    return redacted === decoded ? text : redacted;
  };

  const sentence = (text: string, depth = 0): string => {
    const redacted = withoutValues(redactQuery(text));
    if (!mentionsSecret(text)) return redacted;
    const value = parseJson(text);
    if (typeof value === "object") return JSON.stringify(json(value, depth + 1));
    return decode(redacted).replace(SECRET_VALUE, `$1${REDACTED}`).replace(KEY_LIKE, REDACTED);
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
    json,
    parse,
    headers: (headers) =>
      // A decoded text may contain characters that a header may not. Headers of a fake `fetch` may not be iterable.
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

const mentionsSecret = (text: string) => SECRET_NAME.test(text) || SECRET_NAME.test(decode(text));

/** A byte in percent-encoding, or a JSON escape. Either may have been encoded several times. */
const ENCODED = /%(?:25)*([\da-f]{2})|\\+(?:u00([\da-f]{2})|([bfnrt]))?/gi;
/** How many encodings of different kinds, one in the other, are decoded. */
const MAX_LAYERS = 3;

/** Without percent-encoding, JSON escapes and backslashes: texts are searched in this form, for secrets in this form. */
function decode(text: string): string {
  let decoded = text;
  for (let layer = 0; layer < MAX_LAYERS && /[%\\]/.test(decoded); layer += 1) {
    decoded = decoded.replace(ENCODED, (_, percent?: string, unicode?: string, blank = "") => {
      const code = percent ?? unicode;
      return code === undefined ? blank && " " : String.fromCharCode(Number.parseInt(code, 16));
    });
  }
  return decoded;
}

/** The texts to search for: the secret and, if it is a URL, its path with the query, and its query. */
function partsOf(secret: string): string[] {
  const path = /^https?:\/\/[^/?#]*([^#]{8,})/i.exec(secret)?.[1];
  if (path === undefined) return [secret];
  return [secret, path, path.slice(path.indexOf("?") + 1)];
}

interface Form {
  readonly text: string;
  readonly isBase64: boolean;
}

function formsOf(secret: string): Form[] {
  const text = decode(secret);
  const forms = text.length < SHORTEST_SECRET ? [] : [{ text, isBase64: false }];
  // Older engines of React Native lack `btoa`.
  const isEncodable = typeof btoa === "function" && secret.length >= SHORTEST_ENCODED && /^[\x20-\x7e]*$/.test(secret);
  const encoded = isEncodable ? [0, 1, 2].flatMap((shift) => base64Forms(secret, shift)) : [];
  return [...forms, ...encoded.map((base64) => ({ text: base64, isBase64: true }))];
}

/**
 * The base64 characters that depend on `secret` alone, if `shift` bytes (0 to 2) precede it in a group of three bytes.
 * So a secret is also found in the base64 of `Bearer …` or `user:…`.
 */
function base64Forms(secret: string, shift: number): string[] {
  const core = btoa(" ".repeat(shift) + secret).slice(
    Math.ceil((shift * 8) / 6),
    Math.floor(((shift + secret.length) * 8) / 6),
  );
  return [core, core.replaceAll("+", "-").replaceAll("/", "_")];
}

/** `text` without this form of a secret, whole or cut off. */
function withoutForm(text: string, { text: form, isBase64 }: Form): string {
  const rest = isBase64 ? text : text.replaceAll(form, REDACTED);
  const start = form.slice(0, ENOUGH);
  let kept = "";
  let end = 0;
  for (let found = rest.indexOf(start); found !== -1; found = rest.indexOf(start, end)) {
    kept += rest.slice(end, found) + REDACTED;
    end = found + start.length;
    const goesOn = () => (isBase64 ? /[\w+/=-]/.test(rest.charAt(end)) : rest[end] === form[end - found]);
    while (end < rest.length && goesOn()) end += 1;
  }
  return kept + rest.slice(end);
}
