import { expectedType, type IssueInit } from "../checks/format-issues.js";
import type { RequestOptions } from "./request-options.js";

const NAME = /^[!#$%&'*+.^_`|~0-9a-z-]+$/i;
/** Latin-1 without control characters. For any other value, `fetch` would throw an error that shows the value. */
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Headers that the client sets by itself, and what determines their values. */
const SET_BY_CLIENT = new Map([
  ["authorization", "use the token option"],
  ["content-type", "it follows from the body"],
]);

/** A wrong one breaks the request, or hides a second request in it. */
const SET_BY_CONNECTION = new Set([
  "host",
  "connection",
  "content-length",
  "expect",
  "http2-settings",
  "keep-alive",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

function headerProblem(name: string, value: unknown): string | undefined {
  if (!NAME.test(name)) return "is not a header name";
  const key = name.toLowerCase();
  const reason = SET_BY_CLIENT.get(key);
  if (reason !== undefined) return `is set by the client: ${reason}`;
  if (SET_BY_CONNECTION.has(key)) return "is set by the connection and cannot be changed";
  if (value === null) return undefined;
  if (typeof value !== "string") return expectedType("string", value);
  if (!VALUE.test(value)) return "expected Latin-1 characters, without control characters";
  return undefined;
}

const isPair = (entry: unknown): entry is readonly [name: string, value: unknown] =>
  Array.isArray(entry) && entry.length === 2 && typeof entry[0] === "string";

const joined = (former: string | undefined, value: string) => (former === undefined ? value : `${former}, ${value}`);

/** `undefined` keeps a header, `null` removes it. Repeated names are joined; of a record, the last one counts. */
export function mergeHeaders(
  base: Readonly<Record<string, string>>,
  additions: RequestOptions["headers"],
  issues: IssueInit[],
): Readonly<Record<string, string>> {
  if (additions === undefined) return base;
  const headers: Record<string, string> = { ...base };
  // A record, such as `{ ...defaults, "x-team": "b" }`, may have two spellings of a name.
  const joinsValues = Symbol.iterator in additions;
  const added = new Map<string, string | undefined>();
  for (const entry of joinsValues ? additions : Object.entries(additions)) {
    if (!isPair(entry)) {
      issues.push({ path: "headers", code: "wrong_type", message: "expected pairs of a name and a value" });
      return headers;
    }
    const [name, value] = entry;
    if (value === undefined) continue;
    const key = name.toLowerCase();
    const problem = headerProblem(name, value);
    if (problem !== undefined) issues.push({ path: `headers.${name}`, code: "invalid", message: problem });
    else if (value === null) delete headers[key];
    else headers[key] = joined(added.get(key), value as string);
    if (joinsValues) added.set(key, headers[key]);
  }
  return headers;
}

export function tokenProblem(token: unknown): string | undefined {
  if (typeof token !== "string") return expectedType("string", token);
  if (/^bearer\s/i.test(token)) return 'expected the token alone, without "Bearer "';
  if (!/^[\x21-\x7e]+$/.test(token)) return "expected visible ASCII characters, without white space or line breaks";
  return undefined;
}
