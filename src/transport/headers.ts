/** Request headers: what a caller may set, and what none may hold. */
import type { Issue } from "../schemas/format-issues.js";

const NAME = /^[!#$%&'*+.^_`|~0-9a-z-]+$/i;
/** No line breaks or other controls, nothing beyond Latin-1: `fetch` would throw on them, with the value in its message. */
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Headers that the client sets by itself, and the option that they come from. */
const OWN: Readonly<Record<string, string>> = {
  authorization: "use the token option",
  "content-type": "it follows from the body",
};

/** Adds `given` to `headers`; each one that may not be sent becomes an issue. */
export function addHeaders(headers: Record<string, string>, given: Readonly<Record<string, string>>, issues: Issue[]) {
  for (const [name, value] of Object.entries(given)) {
    const key = name.toLowerCase();
    const problem = !NAME.test(name)
      ? "is not a header name"
      : Object.hasOwn(OWN, key)
        ? `is set by the client: ${OWN[key]}`
        : typeof value !== "string" || !VALUE.test(value)
          ? "expected Latin-1 characters, without control characters"
          : undefined;
    if (problem === undefined) headers[key] = value;
    else issues.push({ path: `headers.${name}`, message: problem });
  }
}

/** Says what is wrong with a token, without showing it. */
export function tokenProblem(token: unknown): string | undefined {
  return typeof token === "string" && /^[\x21-\x7e]+$/.test(token)
    ? undefined
    : "expected visible ASCII characters, without white space";
}
