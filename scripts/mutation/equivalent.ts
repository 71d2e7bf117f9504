/** Mutants that no test can find, because nothing that a user could notice differs: each with the reason. */
interface EquivalentMutant {
  file: string;
  from: string;
  to: string;
  why: string;
}

const LIMIT = "src/transport/throttle/limit.ts";
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
];
