/** Mutants that no test can find, because nothing that a user could notice differs: each with the reason. */
interface EquivalentMutant {
  file: string;
  from: string;
  to: string;
  why: string;
}

const LIMIT = "src/transport/throttle/limit.ts";
const LOG_FOLLOWER = "src/webhooks/relay/log-follower.ts";
const ONLY_MEMORY = "what is forgotten is never looked at again: only the memory differs";

export const EQUIVALENT: readonly EquivalentMutant[] = [
  {
    file: "src/errors/brand.ts",
    from: "true",
    to: "false",
    why: "instanceof asks only whether the property is there, not what it holds",
  },
  {
    file: "src/errors/error-record.ts",
    from: "{ return undefined; }",
    to: "{}",
    why: "a function that ends without a return returns undefined",
  },
  {
    file: "src/errors/error-record.ts",
    from: "bytesLeft <= 0",
    to: "bytesLeft < 0",
    why: "at exactly 0 the record has one field more, whose text is cut to nothing: it stays under 64 KB",
  },
  {
    file: "src/errors/http-date.ts",
    from: '""',
    to: '"Stryker was here!"',
    why: "each of them stands for a text that is no date, and this is no date, no month and no year either",
  },
  {
    file: "src/errors/http-date.ts",
    from: "[]",
    to: '["Stryker was here"]',
    why: "the first entry of a match is not read, and without a month there is no date",
  },
  {
    file: "src/errors/http-date.ts",
    from: "/^([a-z]{3}) ([a-z]{3}) ([ \\d]\\d) (\\S+) (\\d{4})$/i",
    to: "/^([a-z]{3}) ([a-z]{3}) ([ \\d]\\d) (\\S+) (\\d{4})/i",
    why: "what follows the year stays at the end of the text, where the other expression refuses it",
  },
  {
    file: "src/errors/retry-after.ts",
    from: '""',
    to: '"Stryker was here!"',
    why: "neither of them is a number or a date",
  },
  { file: LIMIT, from: "excess <= this.#longest", to: "true", why: ONLY_MEMORY },
  { file: LIMIT, from: "excess <= this.#longest", to: "excess < this.#longest", why: ONLY_MEMORY },
  {
    file: "src/transport/throttle/local-throttle.ts",
    from: "windows.other[0]?.max",
    to: "windows.other[0].max",
    why: "each limit has a window: the type alone does not say so",
  },
  {
    file: "src/transport/throttle/local-throttle.ts",
    from: "request.signal?.reason",
    to: "request.signal.reason",
    why: "it is read when the signal aborts, so there is one",
  },
  {
    file: "src/transport/throttle/throttle.ts",
    from: '"other"',
    to: '""',
    why: "the default of a list that has one entry at least; the other places with this text are held by tests",
  },
  {
    file: "src/transport/fake-page.ts",
    from: "() => fakePage<T>([])",
    to: "() => undefined",
    why: "the one page is the last one, so no other is fetched",
  },
  {
    file: "src/transport/fake-page.ts",
    from: "[]",
    to: '["Stryker was here"]',
    why: "the one page is the last one, so no other is fetched",
  },
  {
    file: "src/transport/read-response.ts",
    from: '"field"',
    to: '""',
    why: "it names unknown fields, and the schemas of responses allow those",
  },
  {
    file: "src/transport/time-limit.ts",
    from: "parent?.reason",
    to: "parent.reason",
    why: "it is read when the parent aborts, so there is one",
  },
  {
    file: "src/transport/page.ts",
    from: "signal?.reason",
    to: "signal.reason",
    why: "it is read when the signal aborts, so there is one",
  },
  {
    file: "src/transport/read-response.ts",
    from: "response === undefined",
    to: "false",
    why: "an operation without a promised body was answered before; the type alone does not say so",
  },
  {
    file: "src/transport/read-response.ts",
    from: "{ data }",
    to: "{}",
    why: "an operation without a promised body was answered before; the type alone does not say so",
  },
  {
    file: "src/transport/send-request.ts",
    from: "/^\\S+\\s+/",
    to: "/\\S+\\s+/",
    why: "a header's value begins with no blank",
  },
  {
    file: "src/webhooks/event/event.ts",
    from: "text === undefined",
    to: "false",
    why: "JSON.parse refuses undefined as it refuses a text that is not JSON; the type alone does not say so",
  },
  {
    file: "src/webhooks/event/event.ts",
    from: "{ return undefined; }",
    to: "{}",
    why: "a function that ends without a return returns undefined",
  },
  {
    file: "src/webhooks/http/node-listener.ts",
    from: "{ return undefined; }",
    to: "{}",
    why: "a function that ends without a return returns undefined",
  },
  {
    file: "src/webhooks/http/node-listener.ts",
    from: '"Host is not a host"',
    to: '""',
    why: "it is caught at once, and the response is a 400 without a body",
  },
  {
    file: "src/webhooks/http/node-listener.ts",
    from: '"ended"',
    to: '""',
    why: "it is compared only with the two other states",
  },
  {
    file: "src/webhooks/http/read-body.ts",
    from: "length > this.#bytes.byteLength",
    to: "length >= this.#bytes.byteLength",
    why: "the buffer grows one chunk earlier: only the memory differs",
  },
  {
    file: "src/webhooks/http/read-body.ts",
    from: `\`expected a body of at most \${maxBytes} bytes, received more\``,
    to: "``",
    why: "the response says too_large and no more, and the error is not reported",
  },
  { file: "src/webhooks/receive/receiver.ts", from: '"refused"', to: '""', why: 'it is compared only with "verified"' },
  {
    file: "src/webhooks/receive/sign.ts",
    from: "false",
    to: "true",
    why: "the key does not leave the function, so nobody can export it",
  },
  {
    file: "src/webhooks/relay/event-log.ts",
    from: "[]",
    to: '["Stryker was here"]',
    why: "the entry stands before the first number, which no id has, and is the first to be dropped",
  },
  {
    file: "src/webhooks/relay/heartbeat.ts",
    from: "false",
    to: "true",
    why: "a connection begins with a frame, and writing it sets the field; the other place is held by a test",
  },
  {
    file: LOG_FOLLOWER,
    from: '""',
    to: '"Stryker was here!"',
    why: "both fields are set before the stream can be read",
  },
  {
    file: LOG_FOLLOWER,
    from: "false",
    to: "true",
    why: "what is set before it is read, or read only together with an id; the other flags are held by tests",
  },
  {
    file: LOG_FOLLOWER,
    from: "this.#controller?.close",
    to: "this.#controller.close",
    why: "the stream sets it before anything else happens; the type alone does not say so",
  },
  {
    file: LOG_FOLLOWER,
    from: "this.#controller?.enqueue",
    to: "this.#controller.enqueue",
    why: "the stream sets it before anything else happens; the type alone does not say so",
  },
  {
    file: LOG_FOLLOWER,
    from: "this.#controller?.error",
    to: "this.#controller.error",
    why: "the stream sets it before anything else happens; the type alone does not say so",
  },
  {
    file: LOG_FOLLOWER,
    from: "this.#isStopped",
    to: "false",
    why: "a stream that has ended refuses what is written, and that error is ignored; the other places are held by tests",
  },
  {
    file: LOG_FOLLOWER,
    from: "this.#wake();",
    to: ";",
    why: "in #stop, it ends a wait for a stream that has ended: only the memory differs; the other places are held by tests",
  },
  {
    file: LOG_FOLLOWER,
    from: "this.#onStop();",
    to: ";",
    why: "what has ended is closed once more, which changes nothing: only the memory differs",
  },
  {
    file: "src/webhooks/relay/relay.ts",
    from: "() => openConnections.delete(follower)",
    to: "() => undefined",
    why: "what has ended is closed once more, which changes nothing: only the memory differs",
  },
  {
    file: "src/webhooks/subscribe/event-stream-parser.ts",
    from: "false",
    to: "true",
    why: "a stream that begins with a line end is the same without it; the other places are held by tests",
  },
  {
    file: "src/webhooks/subscribe/event-stream-parser.ts",
    from: 'part === ""',
    to: "false",
    why: "an empty part adds nothing to the line",
  },
  {
    file: "src/webhooks/subscribe/event-stream-parser.ts",
    from: '""',
    to: '"Stryker was here!"',
    why: "an empty part adds nothing to the line; the other places are held by tests",
  },
  {
    file: "src/webhooks/subscribe/event-subscription.ts",
    from: "signal?.reason",
    to: "signal.reason",
    why: "it is read when the signal aborts, so there is one",
  },
  {
    file: "src/webhooks/subscribe/event-subscription.ts",
    from: "{ receivedEvent, error: undefined, isLast: true }",
    to: "{}",
    why: "a subscription that is closed ends whatever the connection brought; the other place is held by a test",
  },
  {
    file: "src/webhooks/subscribe/event-subscription.ts",
    from: "true",
    to: "false",
    why: "a subscription that is closed ends whatever the connection brought; the other places are held by tests",
  },
  {
    file: "src/webhooks/subscribe/open-stream.ts",
    from: 'contentType?.split(";", 1)[0]?.trim',
    to: 'contentType?.split(";", 1)[0].trim',
    why: "a split always gives one part; the type alone does not say so",
  },
  {
    file: "src/webhooks/subscribe/read-events.ts",
    from: "text.length * 3 > maxBytes",
    to: "true",
    why: "it spares the exact count where that cannot exceed the limit: only the time differs",
  },
  {
    file: "src/webhooks/subscribe/read-events.ts",
    from: "text.length * 3 > maxBytes",
    to: "text.length * 3 >= maxBytes",
    why: "it spares the exact count where that cannot exceed the limit: only the time differs",
  },
  {
    file: "src/webhooks/subscribe/subscribe-options.ts",
    from: "/^https?:$/",
    to: "/^https?:/",
    why: "the colon is always the last character of a protocol",
  },
];
