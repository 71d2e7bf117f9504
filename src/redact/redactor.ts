/**
 * Removes secrets from received data before the data becomes part of an error. A secret is found by its value, in many
 * encodings, or by the name of its field.
 */
import { isPlainAndClean } from "./is-plain-and-clean.js";
import type { FindSecret } from "./pattern.js";
import { replaceRanges } from "./ranges.js";
import { rebuildCause } from "./rebuild-cause.js";
import { REDACTED, redactQuery } from "./redact-query.js";
import { redactFields, SECRET_FIELD } from "./secret-fields.js";
import { lowerCase, SHORTEST_SECRET, secretPatterns, withoutEscapes } from "./secret-patterns.js";

/** Deeper parts of a JSON value are left out, because a very deep value would overflow our stack, or a logger's. */
const MAX_DEPTH = 100;
const TOO_DEEP = "[nested too deep]";

/** Removes the secrets of one call from its errors. The search patterns are built at the first use. */
export interface Redactor {
  /** `text` without secrets. If it contains none, it is returned unchanged; else decoded, with the secrets replaced. */
  text(text: string): string;
  /** A copy of a response's headers, without secrets. */
  headers(headers: Headers): Headers;
  /** A copy of a JSON value, without secrets (in keys, too) and without the values of secret fields. */
  json(value: unknown): unknown;
  /** The value of a JSON text, without secrets; `undefined` if it is not JSON. */
  parse(text: string): unknown;
  /**
   * A thrown value without secrets. It is returned unchanged if `isPlainAndClean` accepts it. Otherwise it is rebuilt
   * from its name, message, code, stack and causes.
   */
  cause(cause: unknown): unknown;
}

/**
 * `secrets` are the tokens, headers and links that were sent with the call. Values under four characters are ignored.
 */
export function createRedactor(secrets: Iterable<string>): Redactor {
  return new SecretRedactor(secrets);
}

class SecretRedactor implements Redactor {
  readonly #secrets: readonly string[];
  readonly #numbers: readonly string[];
  #patterns: readonly FindSecret[] | undefined;

  constructor(secrets: Iterable<string>) {
    this.#secrets = [...secrets];
    this.#numbers = this.#secrets.filter((secret) => secret.length >= SHORTEST_SECRET && /^[\d.]+$/.test(secret));
  }

  text(text: string): string {
    if (text.length < SHORTEST_SECRET) return text;
    const withoutFields = redactFields(redactQuery(text));
    const unescaped = withoutEscapes(withoutFields);
    this.#patterns ??= secretPatterns(this.#secrets);
    const compared = lowerCase(unescaped);
    const found = this.#patterns.flatMap((find) => find(compared));
    return found.length === 0 ? withoutFields : replaceRanges(unescaped, found, REDACTED);
  }

  headers(headers: Headers): Headers {
    return new Headers(Array.from(headers, ([name, value]): [string, string] => [name, this.#headerValue(value)]));
  }

  /** After a secret is replaced, the text is decoded, and may contain characters that a header may not. */
  #headerValue(value: string): string {
    return this.text(value).replace(/[^\t\x20-\x7e\x80-\xff]/g, "?");
  }

  json(value: unknown): unknown {
    return this.#json(value, 0);
  }

  parse(text: string): unknown {
    try {
      return this.json(JSON.parse(text));
    } catch {
      return undefined;
    }
  }

  cause(cause: unknown): unknown {
    const redact = (text: string) => this.text(text);
    return isPlainAndClean(cause, redact) ? cause : rebuildCause(cause, redact);
  }

  #isSecretNumber(value: number): boolean {
    return this.#numbers.some((secret) => Number(secret) === value || String(value).includes(secret));
  }

  #json(value: unknown, depth: number): unknown {
    if (typeof value === "string") return this.text(value);
    if (typeof value === "number") return this.#isSecretNumber(value) ? REDACTED : value;
    if (typeof value !== "object" || value === null) return value;
    if (depth >= MAX_DEPTH) return TOO_DEEP;
    if (Array.isArray(value)) return value.map((item) => this.#json(item, depth + 1));
    const copy: Record<string, unknown> = {};
    for (const [name, field] of Object.entries(value)) {
      const isSecret = field !== null && SECRET_FIELD.test(name);
      setField(copy, this.text(name), isSecret ? REDACTED : this.#json(field, depth + 1));
    }
    return copy;
  }
}

/** In JSON, `__proto__` is an ordinary name. Assigning to it would set the prototype. */
function setField(copy: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== "__proto__") copy[name] = value;
  else Object.defineProperty(copy, name, { value, enumerable: true, configurable: true, writable: true });
}
