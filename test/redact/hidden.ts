/** Checks that secrets appear nowhere in a value, such as the error of a call. */
import { inspect } from "node:util";
import type { ClientOptions } from "notetaker-sdk";
import { expect } from "vitest";
import { failureOf as failureOfCall, type Handler } from "../support/recorder.js";

/** A token with characters that JSON may escape. */
export const TOKEN = 'tok_abc/def+ghi"jkl\\mno=';
/** The part of the token that is the same in every encoding. */
export const PART = "def+ghi";
export const SECRET = "whsec_9f8e7d6c5b4a";

/** Every text that a value can be converted to. */
export const shown = (value: unknown) =>
  [
    inspect(value, { depth: 20, showHidden: true, getters: true }),
    JSON.stringify(value),
    String(value),
    value instanceof Error ? `${value.stack}${inspect(value.cause, { depth: 20 })}` : "",
  ].join("\n");

export function expectHidden(value: unknown, ...secrets: string[]) {
  const all = shown(value);
  for (const secret of secrets) expect(all).not.toContain(secret);
}

export const failureOf = (answer: Handler, options: ClientOptions = {}) =>
  failureOfCall(answer, { token: TOKEN, ...options });
