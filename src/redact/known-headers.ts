/**
 * Selects the response headers that an error may show even if the secrets of the call are not known: the headers about
 * the body, the date, the rate limit, and the service's id of the request.
 */
import { createRedactor } from "./redactor.js";

const KNOWN = /^(?:content-(?:type|length|encoding|language)|date|retry-after|x-ratelimit-[a-z]+|(?:x-)?request-id)$/;

export function knownHeaders(headers: Headers): Headers {
  return createRedactor([]).headers(new Headers([...headers].filter(([name]) => KNOWN.test(name))));
}
