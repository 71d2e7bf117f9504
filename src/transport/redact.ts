/**
 * The functions of before, for one token. Use `createRedactor` of `../redact/redactor.js` instead: it takes every secret
 * that left with the call, and prepares nothing before something fails.
 */
import { createRedactor } from "../redact/redactor.js";

const redactorOf = (token: string | undefined) => createRedactor(token === undefined ? [] : [token]);

/** `text` without `token`, and without the contents of secret fields. */
export const redactText = (text: string, token?: string): string => redactorOf(token).text(text);

/** The value of a JSON text, without `token` and the contents of secret fields. */
export const parseRedacted = (text: string, token: string | undefined): unknown =>
  redactorOf(token).json(JSON.parse(text));

/** A copy of a response's headers, without `token`. */
export const redactHeaders = (headers: Headers, token: string | undefined): Headers =>
  redactorOf(token).headers(headers);

/** What was thrown, rebuilt from what is known to be safe. */
export const redactCause = (cause: unknown, token?: string): unknown => redactorOf(token).cause(cause);
