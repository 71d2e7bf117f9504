/**
 * Removes secrets from received data before the data becomes part of an error: by their values, plain, percent-encoded,
 * base64 and JSON-escaped, and by the names of fields. Every step takes linear time.
 */
import { orUndefined } from "../json/or-undefined.js";
import { parseJson } from "../json/parse-json.js";
import { rebuildCause } from "./rebuild-cause.js";
import { showsNoSecret } from "./shows-no-secret.js";

const REDACTED = "[redacted]";

/** Query parameters whose names suggest a secret. */
const SECRET_PARAMETERS = /([?&][\w.-]{0,64}(token|secret|passw|api.?key|signature)[\w.-]{0,64}=)[^&#\s"'`<>]*/gi;

/** Replaces the values of such parameters in `text`: `?token=[redacted]&limit=5`. */
export const redactQuery = (text: string): string => text.replace(SECRET_PARAMETERS, `$1${REDACTED}`);

/** Fields whose value is a secret, or a link that anyone can download from. */
const SECRET_WORD = /secret|recording_url/i;
/** The value of such a field within a text: `secret=…`, `"secret": "…`. */
const SECRET_VALUE =
  /((?:secret|recording_url)[\w.-]{0,64}(?:["'\\]{1,8}\s{0,8}:|\s{0,8}=)\s{0,8}["'\\]{0,8})[^\s"'\\,;&}<]+/gi;
/** In a text that mentions such a field, this may be its value. */
const KEY_LIKE = /\S{16,}/g;

/** Shorter values are not treated as secrets: replacing them would make the text unreadable. */
const SHORTEST_SECRET = 4;
/** The base64 of a shorter secret could appear in a text by chance. */
const SHORTEST_ENCODED = 6;
/** The beginning of a secret is also replaced, in case the text contains a shortened secret, from this length on. */
const SHORTENED_LENGTH = 12;
/** The same at the end of a text, which may have been cut. */
const CUT_LENGTH = 6;

/** Deeper parts of a JSON value are left out, because a very deep value would overflow our stack, or a logger's. */
const MAX_DEPTH = 100;
const TOO_DEEP = "[nested too deep]";

/** Removes the secrets of one call from its errors. */
export interface Redactor {
  /**
   * A body without secrets. If it contains none, it is returned unchanged; else decoded, with the secrets replaced. If
   * the body mentions a secret field, it is left out whole, or if it is JSON, the values of such fields are left out.
   */
  text(text: string): string;
  /** A copy of a response's headers, without secrets. */
  headers(headers: Headers): Headers;
  /**
   * A copy of a JSON value, without secrets (also in keys), and without the values of secret fields. In a text that
   * mentions a secret field, whatever looks like a key is replaced; the rest of the sentence stays.
   */
  json(value: unknown): unknown;
  /** The value of a JSON text, without secrets; `undefined` if it is not JSON. */
  parse(text: string): unknown;
  /** A thrown value, rebuilt from its name, message, code, stack and causes, without secrets. */
  cause(cause: unknown): unknown;
  /** What the user's own code threw: the value itself, or if it shows a secret, rebuilt like `cause`. */
  ownCause(cause: unknown): unknown;
}

/**
 * `secrets` are the tokens, headers and links that were sent with the call. Values under four characters are ignored.
 */
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
    if (depth >= MAX_DEPTH) return TOO_DEEP;
    if (Array.isArray(value)) return value.map((item) => json(item, depth + 1));
    // `fromEntries`, because in JSON, `__proto__` is an ordinary name. Assigning to it would set the prototype.
    return Object.fromEntries(
      Object.entries(value).map(([name, field]) => {
        const isSecret = field !== null && SECRET_WORD.test(name);
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

  const cause = (thrown: unknown) => rebuildCause(thrown, sentence, withoutValues);

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
    cause,
    ownCause: (thrown) =>
      orUndefined(() => showsNoSecret(thrown, sentence, withoutValues)) === true ? thrown : cause(thrown),
  };
}

const KNOWN_HEADERS =
  /^(?:content-(?:type|length|encoding|language)|date|retry-after|x-ratelimit-[a-z]+|(?:x-)?request-id)$/;

/**
 * The response headers that an error may show even if the secrets of the call are not known: those about the body, the
 * date, the rate limit, and the service's id of the request.
 */
export const knownHeaders = (headers: Headers): Headers =>
  createRedactor([]).headers(new Headers(Array.from(headers).filter(([name]) => KNOWN_HEADERS.test(name))));

const mentionsSecret = (text: string) => SECRET_WORD.test(text) || SECRET_WORD.test(decode(text));

/** A byte in percent-encoding, or a character that JSON escapes. Either may have been encoded several times. */
const ESCAPE = /%(?:25)*([0-9a-f]{2})|\\+u00([0-9a-f]{2})|\\+(["/])|(\\)\\+/gi;
/** An incomplete escape at the end of a text that was cut. */
const CUT_ESCAPE = /(?:%[0-9a-f]?|\\u?0{0,2}[0-9a-f]?)$/i;
/** How many encodings of different kinds, one in the other, are decoded. */
const MAX_LAYERS = 3;

function decode(text: string): string {
  let decoded = text;
  for (let layer = 0; layer < MAX_LAYERS && /[%\\]/.test(decoded); layer += 1) {
    decoded = decoded
      .replace(CUT_ESCAPE, "")
      .replace(ESCAPE, (_, percent?: string, unicode?: string, quote?: string, slash?: string) => {
        const code = percent ?? unicode ?? "";
        return quote ?? slash ?? String.fromCharCode(Number.parseInt(code, 16));
      });
  }
  return decoded;
}

/** The texts to search for: the secret and, if it is a URL, its path with the query, and its query. */
function partsOf(secret: string): string[] {
  const path = /^https?:\/\/[^/?#]*([^#]{8,})/i.exec(secret)?.[1];
  if (path === undefined) return [secret];
  const query = path.includes("?") ? path.slice(path.indexOf("?") + 1) : "";
  return [secret, path, query];
}

/** A form in which a secret may appear in a decoded text. */
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

/** `text` without this form of a secret: complete, shortened, or cut off at the end of the text. */
function withoutForm(text: string, { text: form, isBase64 }: Form): string {
  const whole = isBase64 ? text : text.replaceAll(form, REDACTED);
  const head = form.slice(0, SHORTENED_LENGTH);
  let kept = "";
  let position = 0;
  for (let start = whole.indexOf(head); start !== -1; start = whole.indexOf(head, position)) {
    kept += whole.slice(position, start) + REDACTED;
    position = start + head.length;
    const goesOn = () =>
      isBase64 ? /[\w+/=-]/.test(whole.charAt(position)) : whole[position] === form[position - start];
    while (position < whole.length && goesOn()) position += 1;
  }
  const rest = whole.slice(position);
  let cut = Math.min(head.length - 1, rest.length);
  while (cut >= CUT_LENGTH && !rest.endsWith(form.slice(0, cut))) cut -= 1;
  return kept + (cut >= CUT_LENGTH ? rest.slice(0, -cut) + REDACTED : rest);
}
