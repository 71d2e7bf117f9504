/**
 * The response headers that an error may show even if it is not known which secrets were sent with the call: what the
 * body is, when it was sent, the rate limit, and the service's own id of the request.
 */
import { createRedactor } from "./redactor.js";

const KNOWN = /^(?:content-(?:type|length|encoding|language)|date|retry-after|x-ratelimit-[a-z]+|(?:x-)?request-id)$/;

export function knownHeaders(headers: Headers): Headers {
  return createRedactor([]).headers(new Headers([...headers].filter(([name]) => KNOWN.test(name))));
}
