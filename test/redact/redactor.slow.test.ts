/** The redactor removes secrets from texts, JSON and headers, in every documented encoding. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRedactor, knownHeaders, redactQuery } from "../../src/redact/redactor.js";
import { cpuTimeOf } from "../support/cpu-time.js";

const TOKEN = "tok_abc/def+ghi\"jkl\\mno=pqr&stu<vwx>'yz%41";
const SECRET = "whsec_9f8e7d6c5b4a3210";

const json = (text: string) => JSON.stringify(text).slice(1, -1);
const unicode = (text: string) =>
  json(text).replace(/[^a-z0-9\\]/gi, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);

const hex = (character: string) => character.charCodeAt(0).toString(16);
const references = (write: (character: string) => string) => (text: string) => text.replace(/[^a-z0-9_]/gi, write);
const NAMES: Record<string, string> = {
  "&": "amp",
  "<": "lt",
  ">": "gt",
  '"': "quot",
  "+": "plus",
  "/": "sol",
  "=": "equals",
};

const ENCODINGS: Record<string, (text: string) => string> = {
  unencoded: (text) => text,
  "in JSON": json,
  "in JSON in JSON": (text) => json(json(text)),
  "in JSON with escaped slashes": (text) => json(text).replaceAll("/", "\\/"),
  "in JSON with escaped punctuation": unicode,
  "percent-encoded": encodeURIComponent,
  "percent-encoded with lower-case hex": (text) =>
    encodeURIComponent(text).replace(/%../g, (code) => code.toLowerCase()),
  "in a form": (text) => new URLSearchParams({ t: text }).toString().slice(2),
  "in HTML with decimal references": references((character) => `&#${character.charCodeAt(0)};`),
  "in HTML with hexadecimal references": references((character) => `&#x${hex(character).toUpperCase()};`),
  "in HTML with padded references": references((character) => `&#x00${hex(character)};`),
  "in HTML with named references": references((character) =>
    character in NAMES ? `&${NAMES[character]};` : character,
  ),
};

describe("text() with a secret's value", () => {
  it.each(Object.entries(ENCODINGS))("redacts a token %s", (_, encode) => {
    expect(createRedactor([TOKEN]).text(`before ${encode(TOKEN)} after`)).toBe("before [redacted] after");
  });

  const LINK = "https://storage.example.com/recordings/r1?sig=s3cr3t_signature";
  it.each([
    [["abcd"], "x abcd y", "x [redacted] y"],
    // Too short to be told from other text.
    [["abc"], "x abc y", "x abc y"],
    [["пароль"], "x пароль y", "x [redacted] y"],
    [["first_token", "second_token"], "second_token, first_token", "[redacted], [redacted]"],
    // The longest of two that begin alike.
    [["abcd", "abcdefgh"], "abcdefgh", "[redacted]"],
    [["aaaabaaaabaaaabc"], "x aaaabaaaabaaaabaaaabc y", "x aaaab[redacted] y"],
    // A link, whole and without its host.
    [[LINK], `GET ${LINK}.`, "GET [redacted]."],
    [[LINK], "GET /recordings/r1?sig=s3cr3t_signature.", "GET [redacted]."],
    [[LINK], "with sig=s3cr3t_signature.", "with [redacted]."],
    [["http://localhost:80/1234567"], "GET /1234567.", "GET [redacted]."],
    [["https://a.example/123456"], "GET /123456.", "GET /123456."],
  ])("with the secrets %j turns %j into %j", (secrets, text, redacted) => {
    expect(createRedactor(secrets).text(text)).toBe(redacted);
  });

  it("returns every text without a secret unchanged", () => {
    const redactor = createRedactor(["~no~such~token~in~it~", "ab"]);
    expect(redactor.text("100 % of &, \\ and %zz %41 \\u00 \\u0041")).toBe("100 % of &, \\ and %zz %41 \\u00 \\u0041");
    fc.assert(
      fc.property(fc.string(), (text) => {
        fc.pre(!/secret|recording_url/i.test(text));
        expect(redactor.text(text)).toBe(text);
      }),
    );
  });
});

it.each([
  ["/a?token=x&limit=5", "/a?token=[redacted]&limit=5"],
  ["/a?my_api-key=x#y", "/a?my_api-key=[redacted]#y"],
  ["/a?X-Amz-Signature=abc&b=1", "/a?X-Amz-Signature=[redacted]&b=1"],
  [
    "'/a?PASSWORD=x' \"?client_secret=y\" `?q=1&passwd=z` <?token=w>",
    "'/a?PASSWORD=[redacted]' \"?client_secret=[redacted]\" `?q=1&passwd=[redacted]` <?token=[redacted]>",
  ],
  ["/a?limit=5&tok=1", "/a?limit=5&tok=1"],
  ["token=x", "token=x"],
  ["/a?secretary=ada&secretKey=x", "/a?secretary=ada&secretKey=[redacted]"],
])("redactQuery() turns %s into %s", (text, redacted) => {
  expect(redactQuery(text)).toBe(redacted);
});

describe("json()", () => {
  it("redacts a token in values and keys, and the contents of secret fields, also of JSON in a text", () => {
    const value = {
      a: [`x ${TOKEN}`, { [TOKEN]: 1, secret: 5, "client-secret": ["y"], recording_url: null }],
      b: `{"secret":"${SECRET}"}`,
      n: 1,
    };
    expect(createRedactor([TOKEN]).json(value)).toEqual({
      a: [
        "x [redacted]",
        { "[redacted]": 1, secret: "[redacted]", "client-secret": "[redacted]", recording_url: null },
      ],
      b: '{"secret":"[redacted]"}',
      n: 1,
    });
  });

  it.each([
    ["Secret Santa at the office, 5 p.m.", "Secret Santa at the office, 5 p.m."],
    ["a webhook with a secret must use https", "a webhook with a secret must use https"],
    ["secret: expected a text of 12 characters", "secret: expected a text of 12 characters"],
    [`the secret ${SECRET} is too old`, "the secret [redacted] is too old"],
    [`{"secret": "abc", "n": 1}`, '{"secret":"[redacted]","n":1}'],
    [`refused {"secret": "abc", "n": 1}`, 'refused {"secret": "[redacted]", "n": 1}'],
    ["refused: client_secret=abc and so on", "refused: [redacted] and so on"],
  ])("turns the text %j into %j", (text, redacted) => {
    expect(createRedactor([]).json(text)).toBe(redacted);
    expect(createRedactor([]).json({ message: text })).toEqual({ message: redacted });
    expect(createRedactor([]).cause(new Error(text))).toMatchObject({ message: redacted });
  });

  it.each(["secretary", "Secretary", "secretariat", "undersecretary", "secrétariat", "secrecy", "SECRETARY"])(
    "does not take %s for a secret",
    (word) => {
      const text = `the ${word} of mtg_0123456789abcdef: ${word}=0123456789abcdef`;
      const redactor = createRedactor([]);
      expect(redactor.json({ message: text, [word]: "ada" })).toEqual({ message: text, [word]: "ada" });
      expect(redactor.text(`<html>${text}</html>`)).toBe(`<html>${text}</html>`);
    },
  );

  it.each([
    ...["secret", "secrets", "Secret", "SECRET", "client_secret", "client-secret", "CLIENT_SECRET", "secret_key"],
    ...["clientSecret", "secretKey", "SecretKey", "x.secret", "recording_url", "recordingUrl", "RECORDING_URL"],
  ])("takes the name %s for that of a secret", (name) => {
    const redactor = createRedactor([]);
    expect(redactor.json({ [name]: "abc" })).toEqual({ [name]: "[redacted]" });
    expect(redactor.json(`refused: ${name}: "0123456789abcdef", n=1`)).not.toContain("0123456789abcdef");
    expect(redactor.json(`refused: "${name}": "abc", n=1`)).toMatch(/^refused: .* "\[redacted\]", n=1$/);
    expect(redactor.text(`<html>${name}=abc`)).toBe("[redacted]");
    expect(redactQuery(`/a?${name}=abc`)).toBe(`/a?${name}=[redacted]`);
  });

  it("keeps the other fields of a text that is JSON and mentions a secret field", () => {
    const text = JSON.stringify({ id: "whk_1", secret: SECRET, url: "https://a.example" });
    expect(createRedactor([]).text(text)).toBe('{"id":"whk_1","secret":"[redacted]","url":"https://a.example"}');
  });

  it("redacts a token that is a number", () => {
    expect(createRedactor(["12345678"]).json({ a: 12345678, b: 1234 })).toEqual({ a: "[redacted]", b: 1234 });
  });

  it("keeps a field with the name __proto__ as a normal field", () => {
    const copy = createRedactor([]).json(JSON.parse('{"__proto__":{"a":1}}')) as object;
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
    expect(JSON.stringify(copy)).toBe('{"__proto__":{"a":1}}');
  });

  it.each([
    ["[", "]"],
    ['{"a":', "}"],
  ])("keeps a hundred levels, and marks deeper levels as omitted: %s…%s", (open, close) => {
    const nested = (levels: number, inner = "1") => `${open.repeat(levels)}${inner}${close.repeat(levels)}`;
    const copy = (levels: number) => JSON.stringify(createRedactor([]).parse(nested(levels)));
    expect(copy(100)).toBe(nested(100));
    for (const levels of [101, 100_000]) expect(copy(levels)).toBe(nested(100, '"[nested too deep]"'));
  });
});

describe("headers()", () => {
  it("copies headers without secrets", () => {
    const received = new Headers({ "x-echo": `Bearer ${TOKEN}`, "x-other": "a", "x-webhook": `secret=${SECRET}` });
    expect(Object.fromEntries(createRedactor([TOKEN]).headers(received))).toEqual({
      "x-echo": "Bearer [redacted]",
      "x-other": "a",
      "x-webhook": "[redacted]",
    });
  });

  it("replaces characters that no header may contain: JSON is shown without its escapes", () => {
    const headers = createRedactor([]).headers(new Headers({ "x-echo": '{"secret":"a","b":"\\u0436\\u00ff"}' }));
    expect(headers.get("x-echo")).toBe('{"secret":"[redacted]","b":"?\u00ff"}');
  });

  it("knownHeaders keeps only headers that contain no secrets", () => {
    const shown = ["content-type", "content-length", "date", "retry-after", "x-ratelimit-limit", "x-request-id"];
    const hidden = ["set-cookie", "x-content-type", "content-location", "x-ratelimit-1", "authorization", "location"];
    const headers = new Headers([...shown, ...hidden].map((name): [string, string] => [name, "1"]));
    expect([...knownHeaders(headers)].map(([name]) => name)).toEqual([...shown].sort());
  });
});

describe("with a large text, the redactor takes linear time:", () => {
  const filled = (part: string, size: number) => part.repeat(Math.ceil(size / part.length));
  const JWT = `eyJ${"Zm9vYmFy".repeat(2_000)}.sig`;
  // A search that reads a character many times would take minutes for each of these texts.
  it.each([
    ...["a", "%", "%25", "25", "\\", "\\u0061", "QUJD", '"', "eyJZm9vYmFyZ", "Zm9vYmFy", "secret"],
    ...["?token=", "&token", "{", "&#", "&#43;", "\\\\\\+"],
  ])("1 MB of %s", async (part) => {
    const text = `%&\\${filled(part, 1_000_000)}`;
    for (const token of [JWT, `${"a".repeat(1_999)}b`]) {
      expect(await cpuTimeOf(() => createRedactor([token]).text(text))).toBeLessThan(20_000);
      expect(await cpuTimeOf(() => createRedactor([token]).json([text, "x"]))).toBeLessThan(20_000);
    }
  });
});
