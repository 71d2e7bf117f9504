/**
 * Every fault between the client and the service, with the result of a call that meets it, as docs/errors.md has it for
 * its class. calls.test.ts tests each operation against it.
 */
import type { Outcome } from "notetaker-sdk";
import { type Answer, chunked, head, type Struck } from "./answers.js";

/** The operations that the client retries after a fault: all, those that may be repeated, or none. */
export type Again = "each" | "repeatable" | "none";

export interface Ending {
  readonly error: string;
  readonly outcome: Outcome;
  readonly again: Again;
  /** `retryable` of the error, where it differs from `again`. */
  readonly retryable?: boolean;
}

export interface Fault {
  readonly name: string;
  readonly strikes: Struck;
  /** The result of the call if it is not retried; `undefined` if the call succeeds. */
  readonly ending: Ending | undefined;
  /** The result for an operation without a response body, where it differs. */
  readonly withoutBody?: Ending | "succeeds";
  /** Whether the client has to time out by itself. */
  readonly stalls?: boolean;
}

const LOST: Ending = { error: "ConnectionError", outcome: "unknown", again: "repeatable" };
const NOT_CONNECTED: Ending = { error: "ConnectionError", outcome: "not_sent", again: "each" };
const TIMED_OUT: Ending = { error: "TimeoutError", outcome: "unknown", again: "repeatable" };
const UNREADABLE: Ending = { error: "ResponseValidationError", outcome: "unknown", again: "none" };
const MISSHAPEN: Ending = { error: "ResponseValidationError", outcome: "accepted", again: "none" };
const RATE_LIMITED: Ending = { error: "RateLimitedError", outcome: "rejected", again: "each" };
const TOO_LONG_A_WAIT: Ending = { error: "RateLimitedError", outcome: "rejected", again: "none", retryable: true };
const SERVER_ERROR: Ending = { error: "ServerError", outcome: "unknown", again: "repeatable" };
const REDIRECTED: Ending = { error: "ConnectionError", outcome: "rejected", again: "none" };
const refused = (error: string): Ending => ({ error, outcome: "rejected", again: "none" });

const writes = (write: (answer: Answer) => void) => ({ kind: "answers" as const, write });
const text = (make: (answer: Answer) => string): Struck =>
  writes((answer) => void answer.socket.end(make(answer), "latin1"));

/** A response of which only `part` of the bytes are written, and then `end` is called. */
const cutAt = (part: (answer: Answer) => string, end: (answer: Answer) => void) =>
  writes((answer) => {
    answer.socket.write(part(answer), "latin1", () => setTimeout(() => end(answer), 5));
  });

const whole = ({ status, body, headers }: Answer) => head(status, body, headers) + body;
const beforeHead = () => "";
const inHead = ({ status }: Answer) => `HTTP/1.1 ${status} OK\r\ncontent-ty`;
const afterHead = ({ status, body, headers }: Answer) => head(status === 204 ? 200 : status, body || "{}", headers);
const inBody = (answer: Answer) => afterHead(answer) + (answer.body || "{}").slice(0, -1);

const RESET = ({ socket }: Answer) => void socket.resetAndDestroy();
const CLOSE = ({ socket }: Answer) => void socket.end();
const SAY_NOTHING = () => {};

const STAGES = [
  ["before the headers", beforeHead],
  ["in the headers", inHead],
  ["after the headers", afterHead],
  ["in the body", inBody],
] as const;

const refusalBody = (code: string) => JSON.stringify({ error: { code, message: `the service says ${code}` } });
const status = (code: number, body: string, headers: Record<string, string> = {}) =>
  text(() => head(code, body, headers) + body);
const rateLimited = (headers: Record<string, string>) => status(429, refusalBody("rate_limited"), headers);

const connection: readonly Fault[] = [
  { name: "connection refused", strikes: { kind: "refused" }, ending: NOT_CONNECTED },
  { name: "host name not found", strikes: { kind: "unknownHost" }, ending: NOT_CONNECTED },
  { name: "server without TLS", strikes: { kind: "noTls" }, ending: NOT_CONNECTED },
  { name: "certificate not trusted", strikes: { kind: "untrusted" }, ending: NOT_CONNECTED },
  { name: "reset while the request is sent", strikes: { kind: "resetAtOnce" }, ending: LOST },
];

/** Without a response body, the headers are the whole response. */
const HEAD_IS_ENOUGH = { withoutBody: "succeeds" } as const;

const broken: readonly Fault[] = STAGES.flatMap(([stage, part]) => {
  const rest = part === afterHead || part === inBody ? HEAD_IS_ENOUGH : {};
  const silence = { ending: TIMED_OUT, stalls: true, ...rest };
  return [
    { name: `reset ${stage}`, strikes: cutAt(part, RESET), ending: LOST, ...rest },
    { name: `closed ${stage}`, strikes: cutAt(part, CLOSE), ending: LOST, ...rest },
    { name: `silence ${stage}`, strikes: cutAt(part, SAY_NOTHING), ...silence },
  ];
});

const drip = (content: (answer: Answer) => string, pieces: number, ms: number) =>
  writes((answer) => {
    const all = content(answer);
    const size = Math.ceil(all.length / pieces);
    let sent = 0;
    const timer = setInterval(() => {
      answer.socket.write(all.slice(sent, sent + size), "latin1");
      sent += size;
      if (sent < all.length) return;
      clearInterval(timer);
      answer.socket.end();
    }, ms);
    answer.socket.on("close", () => clearInterval(timer));
  });

const slow: readonly Fault[] = [
  { name: "slow bytes within the limit", strikes: drip(whole, 8, 10), ending: undefined },
  {
    name: "slow bytes beyond the limit",
    // The body takes twice the limit, and no two of its bytes are as far apart as the limit.
    strikes: writes((answer) => {
      const bytes = " ".repeat(60);
      answer.socket.write(head(200, bytes));
      drip(() => bytes, bytes.length, (2 * answer.timeoutMs) / bytes.length).write(answer);
    }),
    ending: TIMED_OUT,
    stalls: true,
    ...HEAD_IS_ENOUGH,
  },
];

const gzipped = (bytes: string) => ({ "content-encoding": "gzip", "content-length": String(bytes.length) });
const GZIP_HEAD = "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03";

const bytes = (name: string, ending: Ending | undefined, make: (answer: Answer) => string): Fault => {
  return { name, strikes: text(make), ending };
};
const unreadable = (...row: Parameters<typeof bytes>): Fault => ({ ...bytes(...row), ...(row[1] && HEAD_IS_ENOUGH) });
const CHUNKED = chunked(200);

const wrong: readonly Fault[] = [
  unreadable("fewer bytes than Content-Length", LOST, ({ body, headers }) => {
    return head(200, "x".repeat(body.length + 100), headers) + body;
  }),
  unreadable("more bytes than Content-Length", undefined, (answer) => `${whole(answer)}and something more`),
  unreadable("Content-Length that cuts the body", UNREADABLE, ({ body }) => {
    return head(200, body.slice(0, -1) || "{") + (body || "{}");
  }),
  unreadable("invalid gzip", LOST, () => `${head(200, "not gzip", gzipped("not gzip"))}not gzip`),
  // Runtimes decompress the bytes that arrived, and report no error for the missing bytes.
  unreadable("gzip cut off", UNREADABLE, () => head(200, GZIP_HEAD, gzipped(GZIP_HEAD)) + GZIP_HEAD),
  unreadable("chunk of invalid length", LOST, () => `${CHUNKED}zz\r\n{}\r\n0\r\n\r\n`),
  // After "close", Node's fetch takes what has arrived for the whole body.
  unreadable("chunk that ends early", LOST, () => `${CHUNKED.replace("connection: close", "x: y")}50\r\n{`),
  bytes("bytes that are not HTTP", LOST, () => "garbage\r\n\r\n"),
  bytes("HTML of a proxy with status 200", UNREADABLE, () => {
    const page = "<!doctype html><title>Sign in</title>";
    return head(200, page, { "content-type": "text/html" }) + page;
  }),
  unreadable("empty body with status 200", UNREADABLE, () => head(200, "")),
  unreadable("JSON of another shape", MISSHAPEN, () => `${head(200, '{"unexpected":true}')}{"unexpected":true}`),
  unreadable("status 204 instead of a body", UNREADABLE, () => head(204, "")),
];

const UPGRADE = "connection: upgrade\r\nupgrade: h2c";
const informational: readonly Fault[] = [
  bytes("status 103 before the response", undefined, (answer) => {
    return `HTTP/1.1 103 Early Hints\r\nlink: </a>; rel=preload\r\n\r\n${whole(answer)}`;
  }),
  bytes("unexpected status 100", LOST, (answer) => `HTTP/1.1 100 Continue\r\n\r\n${whole(answer)}`),
  bytes("unexpected status 101", LOST, () => `HTTP/1.1 101 Switching Protocols\r\n${UPGRADE}\r\n\r\n`),
];

const ofStatus = (name: string, strikes: Struck, ending: Ending | undefined): Fault => ({ name, strikes, ending });

const redirects: readonly Fault[] = [300, 301, 302, 303, 304, 307, 308].map((code) =>
  ofStatus(`status ${code}`, status(code, "", { location: "/elsewhere" }), REDIRECTED),
);

const CLASSES: Readonly<Record<number, string>> = {
  ...{ 400: "BadRequestError", 401: "UnauthorizedError", 403: "ForbiddenError", 404: "NotFoundError" },
};
const refusedWith = (code: number) => refused(CLASSES[code] ?? "ApiError");
// 421 is not in the list: `fetch` itself sends such a request again, over a new connection.
const OTHER_4XX = [405, 406, 408, 409, 410, 411, 412, 413, 414, 415, 416, 417, 418, 422, 423, 424];
const MORE_4XX = [425, 426, 428, 431, 451, 499];

const refusals: readonly Fault[] = [400, 401, 402, 403, 404, ...OTHER_4XX, ...MORE_4XX].map((code) =>
  ofStatus(`status ${code}`, status(code, refusalBody("refused")), refusedWith(code)),
);

/** A firewall or a proxy refuses in place of the service. */
const foreign: readonly Fault[] = [400, 403, 404, 418].map((code) =>
  ofStatus(`HTML with status ${code}`, status(code, "<html>"), { ...refusedWith(code) }),
);

const DETAILS = JSON.stringify({ detail: [{ loc: ["query", "limit"], msg: "too large", type: "value" }] });
const envelopes: readonly Fault[] = [
  ofStatus("status 422 with a list of details", status(422, DETAILS), refused("InvalidRequestError")),
  ofStatus("code not_found with status 400", status(400, refusalBody("not_found")), refused("NotFoundError")),
];

const failures: readonly Fault[] = [500, 501, 502, 503, 504, 505, 507, 508, 511, 520, 599].map((code) =>
  ofStatus(`status ${code}`, status(code, "<html>"), SERVER_ERROR),
);

const farAway = "Fri, 31 Dec 9999 23:59:59 GMT";
const yearsAhead = "Sat, 01 Jan 2089 00:00:00 GMT";
const anHourAgo = new Date(Date.now() - 3_600_000).toUTCString();
const WAITS: [name: string, headers: Record<string, string>, Ending][] = [
  ["status 429", {}, RATE_LIMITED],
  ["Retry-After of 0", { "retry-after": "0" }, RATE_LIMITED],
  ["Retry-After of a thousand years", { "retry-after": "31536000000" }, TOO_LONG_A_WAIT],
  ["Retry-After in the year 9999", { "retry-after": farAway }, TOO_LONG_A_WAIT],
  ["Retry-After in the past", { "retry-after": anHourAgo, date: new Date().toUTCString() }, RATE_LIMITED],
  ["negative Retry-After", { "retry-after": "-5" }, RATE_LIMITED],
  ["unreadable Retry-After", { "retry-after": "soon" }, RATE_LIMITED],
  ["Retry-After from a clock that is an hour behind", { "retry-after": anHourAgo, date: anHourAgo }, RATE_LIMITED],
  ["Retry-After from a clock that is years ahead", { "retry-after": yearsAhead, date: yearsAhead }, RATE_LIMITED],
];
const waits = WAITS.map(([name, headers, ending]) => ofStatus(name, rateLimited(headers), ending));

const all = [connection, broken, slow, wrong, informational, redirects, refusals, foreign, envelopes, failures, waits];
export const FAULTS: readonly Fault[] = all.flat();
