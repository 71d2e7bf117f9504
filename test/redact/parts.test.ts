/** The parts of the redactor: how much of a secret has to be found, and where each limit is. */
import { Buffer } from "node:buffer";
import { describe, expect, it, vi } from "vitest";
import { decodeText } from "../../src/redact/decode-text.js";
import { isPlainAndClean } from "../../src/redact/is-plain-and-clean.js";
import { knownHeaders } from "../../src/redact/known-headers.js";
import { patternFinder, wholeBase64 } from "../../src/redact/pattern.js";
import { addRange, type Range, replaceRanges } from "../../src/redact/ranges.js";
import { rebuildCause } from "../../src/redact/rebuild-cause.js";
import { redactQuery } from "../../src/redact/redact-query.js";
import { createRedactor } from "../../src/redact/redactor.js";
import { lowerCase } from "../../src/redact/secret-patterns.js";

const keep = (text: string) => text;

describe("patternFinder", () => {
  const SECRET = "abcdefghijklmnopqrst";
  const foundIn = (text: string, pattern = SECRET) =>
    patternFinder(pattern)(text).map(({ start, end }) => text.slice(start, end));

  it.each([
    ["the whole secret", `x ${SECRET} y`, [SECRET]],
    ["the whole secret at the end", `x ${SECRET}`, [SECRET]],
    ["the secret twice in a row", `${SECRET}${SECRET}`, [`${SECRET}${SECRET}`]],
    ["the secret twice", `${SECRET} ${SECRET}`, [SECRET, SECRET]],
    ["the first 12 characters of the secret in the middle", "x abcdefghijkl y", ["abcdefghijkl"]],
    ["nothing if only the first 11 characters are in the middle", "x abcdefghijk y", []],
    ["the first 6 characters of the secret at the end", "x abcdef", ["abcdef"]],
    ["nothing if only the first 5 characters are at the end", "x abcde", []],
    ["nothing if the first character is missing", "x bcdefghijklmnopqrst y", []],
    ["the whole secret right after its first characters", `abcdefg${SECRET}.`, [SECRET]],
    [
      "the whole secret right after its first 13 characters, as one match",
      `abcdefghijklm${SECRET}.`,
      [`abcdefghijklm${SECRET}`],
    ],
  ])("finds %s", (_, text, found) => {
    expect(foundIn(text)).toEqual(found);
  });

  it("finds a secret that consists of repetitions, wherever it starts inside a repetition", () => {
    expect(foundIn("aaaaaaab.", "aaaab")).toEqual(["aaaab"]);
    expect(foundIn("xabababacx", "ababac")).toEqual(["ababac"]);
    expect(foundIn("abcabcabd.", "abcabd")).toEqual(["abcabd"]);
    expect(foundIn("aabaaabaaac.", "aabaaac")).toEqual(["aabaaac"]);
    expect(foundIn("abacabababacabacx", "abacabac")).toEqual(["abacabac"]);
  });

  it("finds a short secret only as a whole, or by half of its characters at the end of a text", () => {
    expect(foundIn("x abcdefgh y", "abcdefgh")).toEqual(["abcdefgh"]);
    expect(foundIn("x abcdefg y", "abcdefgh")).toEqual([]);
    expect(foundIn("x abcd", "abcdefgh")).toEqual(["abcd"]);
    expect(foundIn("x abc", "abcdefgh")).toEqual([]);
    expect(foundIn("x abc", "abcde")).toEqual(["abc"]);
    expect(foundIn("x ab", "abcde")).toEqual([]);
  });

  it("finds nothing if the text differs from the secret after the first characters", () => {
    expect(foundIn("abcdef x zbcdefghijklmnopqrst y")).toEqual([]);
    expect(foundIn("aababxyz.", "aabxyz")).toEqual([]);
    expect(foundIn("abccdef.", "abcdef")).toEqual([]);
  });

  it("finds the secret again in the next text", () => {
    const find = patternFinder("aabaac");
    for (const text of ["x aabaac y", "aabaaabaac", "aabaac"]) expect(find(text)).toHaveLength(1);
  });
});

describe("wholeBase64", () => {
  const widened = (text: string, pattern: string) =>
    wholeBase64(patternFinder(pattern))(text).map(({ start, end }) => text.slice(start, end));

  it("extends a match to all base64 characters around it, and to nothing else", () => {
    expect(widened("x: AAAwxyzBB== y", "wxyz")).toEqual(["AAAwxyzBB=="]);
    expect(widened("wxyz", "wxyz")).toEqual(["wxyz"]);
    for (const letter of ["_", "+", "/", "=", "-", "Z", "0"])
      expect(widened(`. ${letter}wxyz${letter} .`, "wxyz")).toEqual([`${letter}wxyz${letter}`]);
    for (const other of [".", " ", '"', "%", "\n", ":"])
      expect(widened(`a${other}wxyz${other}a`, "wxyz")).toEqual(["wxyz"]);
  });

  it("returns each base64 text once, however often it contains the secret", () => {
    expect(widened("a wxyzAwxyzB wxyz", "wxyz")).toEqual(["wxyzAwxyzB", "wxyz"]);
    expect(widened("Awxyz.Bwxyz", "wxyz")).toEqual(["Awxyz", "Bwxyz"]);
  });
});

describe("the ranges to redact", () => {
  const added = (...ranges: [number, number][]) => {
    const list: Range[] = [];
    for (const [start, end] of ranges) addRange(list, start, end);
    return list.map(({ start, end }) => [start, end]);
  };

  it("are merged if they touch or overlap", () => {
    expect(added([0, 2], [2, 4])).toEqual([[0, 4]]);
    expect(added([0, 3], [1, 5])).toEqual([[0, 5]]);
    expect(added([0, 9], [1, 5])).toEqual([[0, 9]]);
    expect(added([0, 2], [3, 4])).toEqual([
      [0, 2],
      [3, 4],
    ]);
  });

  it("are replaced in any order", () => {
    const ranges = [
      { start: 6, end: 8 },
      { start: 0, end: 2 },
      { start: 7, end: 9 },
    ];
    expect(replaceRanges("0123456789", ranges, "*")).toBe("*2345*9");
    expect(ranges[0]).toEqual({ start: 6, end: 8 });
    expect(replaceRanges("0123", [], "*")).toBe("0123");
    expect(replaceRanges("0123", [{ start: 2, end: 4 }], "*")).toBe("01*");
  });
});

describe("decodeText()", () => {
  it.each([
    ["%41%5a%7E", "AZ~"],
    ["%2541%25255a", "AZ"],
    ["&quot;&apos;&amp;&lt;&gt;", "\"'&<>"],
    ["&QUOT;&#65;&#x41;&#X5a;&#65&lt.", '"AAZA<.'],
    ["&amp;quot;&amp;amp;lt;&amp;#65;", '"<A'],
    ["\\u0041\\u005A\\x41\\x5a.", "AZAZ."],
    ["a\\b\\/", "a\\b\\/"],
    ["100 % of & and &unknown; \\q", "100 % of & and &unknown; \\q"],
    ["plain", "plain"],
    // Each of these texts decodes to a text that is encoded, too.
    ["&#37;26#65;", "A"],
    ["\\u0025265cu0041", "&5cu0041"],
  ])("decodes %j", (text, decoded) => {
    expect(decodeText(text)).toBe(decoded);
  });

  it("returns an empty text for an escape that is cut off", () => {
    for (const cut of ["%", "&", "%2", "\\u00"]) expect(decodeText(cut)).toBe("");
  });

  it("decodes at most four layers of different encodings", () => {
    // Each layer encodes the percent sign, the ampersand or the backslash of the previous layer in another way.
    const layers = ["A", "%41", "&#37;41", "\\u0026#37;41", "%5cu0026#37;41", "&#37;5cu0026#37;41"];
    for (const layered of layers.slice(0, 5)) expect(decodeText(layered)).toBe("A");
    expect(decodeText(layers[5] as string)).toBe("%41");
  });

  it.each([
    ...["%", "%2", "%25", "%252", "%25252"],
    ...["&", "&a", "&amp", "&amp;", "&#", "&#6", "&#x", "&#x4", "&q", "&quo", "&ap", "&apo", "&am", "&l", "&g"],
    ...["&amp;#", "&amp;q", "\\u", "\\u0", "\\u00", "\\u004", "\\x", "\\x4"],
  ])("omits an escape that is cut off at the end: %j", (cut) => {
    expect(decodeText(`%41bc${cut}`)).toBe("Abc");
  });

  it.each(["% and", "& and", "\\ and", "&#;a", "&qa", "%4 a", "\\u004 a", "\\x4 a"])(
    "returns %j unchanged, because nothing is cut off",
    (text) => {
      expect(decodeText(text)).toBe(text);
    },
  );
});

describe("the redactor's text()", () => {
  it.each([
    ["abcd", "x abcd y", "x [redacted] y"],
    ["abcd", "abcd", "[redacted]"],
    // Three characters are also too few for the first part of a secret.
    ["abcd", "abc", "abc"],
    ["abc", "x abc y", "x abc y"],
    ["ééé", Buffer.from("ééé").toString("hex"), "c3a9c3a9c3a9"],
    ["abc\tdef", Buffer.from("abc\tdef").toString("hex"), "[redacted]"],
    ["token_1", "a\\b %41", "a\\b %41"],
    // The hexadecimal or base64 form of four or five characters could occur by chance.
    ["abcd", Buffer.from("abcd").toString("hex"), "61626364"],
    ["abcde", Buffer.from("abcde").toString("base64"), "YWJjZGU="],
    ["abcdef", Buffer.from("abcdef").toString("hex"), "[redacted]"],
    ["abcdef", Buffer.from("abcdef").toString("base64"), "[redacted]"],
    ["abcdef", Buffer.from("1abcdef1").toString("base64"), "[redacted]"],
    ["abcdef", Buffer.from("12abcdef12").toString("base64"), "[redacted]"],
    ["~~~???~~~???", Buffer.from("~~~???~~~???").toString("base64url"), "[redacted]"],
    ["a%41%41%41", "x aAAA y", "x [redacted] y"],
    // The decoded secret is too short to be redacted.
    ["a%41%41", "x aAA y", "x aAA y"],
    ["TOKEN_abc", "x token_ABC y", "x [redacted] y"],
    ["tökén_abc", "x TÖKÉN_abc y", "x [redacted] y"],
    ["token", "İ TOKEN", "İ [redacted]"],
  ])("with the secret %j turns %j into %j", (secret, text, redacted) => {
    expect(createRedactor([secret]).text(text)).toBe(redacted);
  });

  const LINK = "https://storage.example.com/recordings/r1?sig=s3cr3t_signature";
  it.each([
    ["a link", LINK, `GET ${LINK}.`, "GET [redacted]."],
    ["the path of a link", LINK, "GET /recordings/r1?sig=s3cr3t_signature.", "GET [redacted]."],
    ["the query of a link", LINK, "with sig=s3cr3t_signature.", "with [redacted]."],
    ["a path of eight characters", "https://a.example/1234567", "GET /1234567.", "GET [redacted]."],
    ["nothing of a path of seven characters", "https://a.example/123456", "GET /123456.", "GET /123456."],
    ["the path of a link in capital letters", "HTTP://A.EXAMPLE/1234567#x", "GET /1234567.", "GET [redacted]."],
    ["nothing if the secret is not a link", "a https://a.example/1234567", "GET /1234567.", "GET /1234567."],
  ])("redacts %s", (_, secret, text, redacted) => {
    expect(createRedactor([secret]).text(text)).toBe(redacted);
  });

  it("uses lowerCase, which keeps the length of a text even if a letter becomes two in lower case", () => {
    expect(lowerCase("İABC")).toBe("İabc");
    expect(lowerCase("ÄBC")).toBe("äbc");
  });

  it.each([
    ["/a?token=x&limit=5", "/a?token=[redacted]&limit=5"],
    ["/a?my_api-key=x#y", "/a?my_api-key=[redacted]#y"],
    ["/a?apikey=x y", "/a?apikey=[redacted] y"],
    ["/a?X-Amz-Signature=abc&b=1", "/a?X-Amz-Signature=[redacted]&b=1"],
    [
      "'/a?PASSWORD=x' \"?client_secret=y\" `?q=1&passwd=z` <?token=w>",
      "'/a?PASSWORD=[redacted]' \"?client_secret=[redacted]\" `?q=1&passwd=[redacted]` <?token=[redacted]>",
    ],
    ["/a?limit=5&tok=1", "/a?limit=5&tok=1"],
    ["token=x", "token=x"],
  ])("redacts the value of a query parameter in %s", (text, redacted) => {
    expect(redactQuery(text)).toBe(redacted);
  });
});

describe("text() for a field with a secret name", () => {
  const redact = (text: string) => createRedactor([]).text(text);

  it.each([
    // In plain JSON, only the value is redacted.
    ['{"secret": "abc", "a": 1}', '{"secret": "[redacted]", "a": 1}'],
    ['{"a_secret_b":"abc","a":1}', '{"a_secret_b":"[redacted]","a":1}'],
    ['{"recording_url":"abc","secret":"d","a":1}', '{"recording_url":"[redacted]","secret":"[redacted]","a":1}'],
    ['{"SECRET":"abc"}', '{"SECRET":"[redacted]"}'],
    // In other texts, everything after the name is redacted.
    ["secret: abc, a: 1", "secret:[redacted]"],
    ["Recording_URL = abc", "Recording_URL =[redacted]"],
    ["{secret => abc}", "{secret =[redacted]"],
    ["secret-key: abc", "secret-key:[redacted]"],
    ["a <secret>abc</secret>", "a <secret[redacted]"],
    ["a <w:my-secret>abc</w:my-secret>", "a <w:my-secret[redacted]"],
    ["<b>secret</b>abc", "<b>secret</b>[redacted]"],
    // These texts contain no value to redact.
    ['{"secret": null, "a": 1}', '{"secret": null, "a": 1}'],
    ['{"secret":"[redacted]"}', '{"secret":"[redacted]"}'],
    ["secret: [redacted]", "secret: [redacted]"],
    ["secret is wrong", "secret is wrong"],
    ["at secrets.test.ts:10:5", "at secrets.test.ts:10:5"],
    ["at my-secret.mjs:10:5", "at my-secret.mjs:10:5"],
    ["at secret.cjs:1:1, secret.js:2:2 and secret.tsx:3:3", "at secret.cjs:1:1, secret.js:2:2 and secret.tsx:3:3"],
    // These names only look like file names.
    ["secret.tss: abc", "secret.tss:[redacted]"],
    ["secret.js.b: abc", "secret.js.b:[redacted]"],
    // The first name is a file name, the second is not.
    ["at secret.ts:1 secret: abc", "at secret.ts:1 secret:[redacted]"],
    ["secret: nullable", "secret:[redacted]"],
  ])("turns %s into %s", (text, redacted) => {
    expect(redact(text)).toBe(redacted);
  });
});

describe("the redactor's json()", () => {
  const json = (value: unknown, ...secrets: string[]) => createRedactor(secrets).json(value);

  it("redacts numbers that equal a secret or contain its digits", () => {
    expect(json([1234, 51_234, 123, 4321], "1234")).toEqual(["[redacted]", "[redacted]", 123, 4321]);
    expect(json([12.5, 12.51, 13], "12.50")).toEqual(["[redacted]", 12.51, 13]);
    expect(json([123, 1], "123", "12a4")).toEqual([123, 1]);
    expect(json([1234], "x1234", "1234x")).toEqual([1234]);
  });

  it("keeps booleans and null, even null in a secret field", () => {
    expect(json({ a: true, b: null, secret: null, recording_url: false }, "abcd")).toEqual({
      a: true,
      b: null,
      secret: null,
      recording_url: "[redacted]",
    });
  });

  it("keeps a hundred levels, and marks deeper levels as omitted", () => {
    const nested = (levels: number): unknown => (levels === 0 ? "core" : { a: nested(levels - 1) });
    const core = (value: unknown): unknown =>
      typeof value === "object" && value !== null && "a" in value ? core(value.a) : value;
    expect(core(json(nested(100)))).toBe("core");
    expect(core(json(nested(101)))).toBe("[nested too deep]");
    const arrays = (levels: number): unknown => (levels === 0 ? "core" : [arrays(levels - 1)]);
    expect(JSON.stringify(json(arrays(101)))).toContain("[nested too deep]");
    expect(JSON.stringify(json(arrays(100)))).toContain("core");
  });

  it("keeps a field with the name __proto__ as a normal field", () => {
    const copy = json(JSON.parse('{"__proto__":{"a":1},"b":2}')) as object;
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
    expect(Object.getOwnPropertyDescriptor(copy, "__proto__")).toEqual({
      ...{ value: { a: 1 }, enumerable: true, configurable: true, writable: true },
    });
  });
});

it("knownHeaders keeps only the headers of this list", () => {
  const shown = [
    ...["content-type", "content-length", "content-encoding", "content-language", "date", "retry-after"],
    ...["x-ratelimit-limit", "x-ratelimit-reset", "request-id", "x-request-id"],
  ];
  const hidden = [
    ...["set-cookie", "x-content-type", "content-type-x", "content-location", "x-date", "x-my-request-id"],
    ...["x-ratelimit", "x-ratelimit-1", "authorization", "location", "request-id-2", "my-retry-after"],
  ];
  const headers = new Headers([...shown, ...hidden].map((name): [string, string] => [name, "1"]));
  expect([...knownHeaders(headers)].map(([name]) => name)).toEqual([...shown].sort());
});

describe("isPlainAndClean", () => {
  const isKept = (cause: unknown) => isPlainAndClean(cause, keep);
  const nested = (levels: number): object => (levels === 0 ? {} : { a: nested(levels - 1) });
  const objects = (length: number) => Array.from({ length }, () => ({}));

  it.each<[string, unknown, boolean]>([
    ["strings, numbers and null", { a: "b", c: 1, d: null, e: undefined, f: [true] }, true],
    ["six levels of objects", nested(5), true],
    ["seven levels of objects", nested(6), false],
    ["100 objects", [objects(48), objects(48), {}], true],
    ["101 objects", [objects(48), objects(48), {}, {}], false],
    ["the same object 98 times", ((one) => [Array(49).fill(one), Array(49).fill(one)])({}), true],
    ["50 fields", Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`f${index}`, 1])), true],
    ["51 fields", Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`f${index}`, 1])), false],
    ["a string of 10,000 characters", { a: "x".repeat(10_000) }, true],
    ["a longer string", { a: "x".repeat(10_001) }, false],
    ["a key of 10,001 characters", { ["x".repeat(10_001)]: 1 }, false],
    ["a function", { a: () => {} }, false],
    ["a symbol", { a: Symbol("s") }, false],
    ["a symbol as a key", { [Symbol("s")]: 1 }, false],
    ["a secret field", { secret: "x" }, false],
    ["a getter", Object.defineProperty({}, "a", { get: () => 1 }), false],
    ["a getter for its stack", Object.defineProperty(new Error("m"), "stack", { get: () => "at a" }), true],
    ["an object without a prototype", Object.create(null), false],
    ["an object of a class", new (class Other {})(), false],
    ["a Map", new Map(), false],
    ["built-in errors", [new EvalError(), new RangeError(), new ReferenceError(), new SyntaxError()], true],
    ["more built-in errors", [new TypeError(), new URIError(), new AggregateError([])], true],
    [
      "a proxy that throws",
      new Proxy(
        {},
        {
          getPrototypeOf() {
            throw new Error("no");
          },
        },
      ),
      false,
    ],
  ])("decides about a cause with %s: %#", (_, cause, expected) => {
    expect(isKept(cause)).toBe(expected);
  });

  it("is true for a built-in error even in an engine without AggregateError", () => {
    vi.stubGlobal("AggregateError", undefined);
    try {
      expect(isKept(new TypeError("m"))).toBe(true);
    } finally {
      vi.unstubAllGlobals();
    }
  });

  it("is true for a cause that contains itself", () => {
    const cyclic: Record<string, unknown> = {};
    cyclic.self = cyclic;
    expect(isKept(cyclic)).toBe(true);
  });

  it("is false if a string, a number or a key contains a secret", () => {
    const redact = (text: string) => text.replace("1234", "*");
    for (const cause of ["1234", 1234, { a: "1234" }, { a: 51_234 }, { a1234: 1 }, [["1234"]], new Error("1234")])
      expect(isPlainAndClean(cause, redact)).toBe(false);
    expect(isPlainAndClean({ a: "12 34" }, redact)).toBe(true);
  });
});

describe("rebuildCause", () => {
  const rebuild = (cause: unknown) => rebuildCause(cause, keep) as Error & Record<string, unknown>;

  it("returns undefined, null, true and false unchanged", () => {
    for (const value of [undefined, null, true, false]) expect(rebuild(value)).toBe(value);
  });

  it("returns a string for a value that is not an error", () => {
    expect(rebuild(5)).toBe("5");
    expect(rebuild("x".repeat(3_000))).toHaveLength(2_000);
    expect(rebuild({ message: 5 })).toBe("[object Object]");
    expect(rebuild(Object.create(null))).toBe("object");
    expect(rebuildCause("a secret", () => "hidden")).toBe("hidden");
  });

  it("creates the built-in class that the error names, or an Error with its name", () => {
    expect(rebuild({ name: "RangeError", message: "m" })).toBeInstanceOf(RangeError);
    const other = rebuild({ name: "SocketError", message: "m" });
    expect(Object.getPrototypeOf(other)).toBe(Error.prototype);
    expect(Object.getOwnPropertyDescriptor(other, "name")).toEqual({
      ...{ value: "SocketError", writable: true, configurable: true, enumerable: false },
    });
    expect(other.stack).toBe("SocketError: m");
    expect(Object.hasOwn(rebuild({ name: "TypeError", message: "m" }), "name")).toBe(false);
    expect(rebuild({ message: "m" }).stack).toBe("Error: m");
  });

  it("shortens the name, the message and the stack", () => {
    const long = "x".repeat(20_000);
    const rebuilt = rebuild({ name: long, message: long, stack: long, code: long, syscall: long });
    expect(
      [rebuilt.name, rebuilt.message, rebuilt.stack, rebuilt.code, rebuilt.syscall].map((text) => String(text).length),
    ).toEqual([100, 2_000, 8_000, 100, 100]);
  });

  it("keeps the code (a string or a number) and the system call (a string)", () => {
    expect({ ...rebuild({ message: "m", code: "ECONNREFUSED", syscall: "connect" }) }).toEqual({
      ...{ code: "ECONNREFUSED", syscall: "connect" },
    });
    expect({ ...rebuild({ message: "m", code: 20, syscall: 5 }) }).toEqual({ code: 20 });
    expect({ ...rebuild({ message: "m", code: { a: 1 } }) }).toEqual({});
  });

  it("keeps five nested causes, and five errors of an AggregateError", () => {
    const nested = (levels: number): object => ({
      message: `m${levels}`,
      ...(levels > 0 && { cause: nested(levels - 1) }),
    });
    const messages: unknown[] = [];
    for (let error: unknown = rebuild(nested(9)); error instanceof Error; error = error.cause)
      messages.push(error.message);
    expect(messages).toEqual(["m9", "m8", "m7", "m6", "m5", "m4"]);
    const errors = Array.from({ length: 9 }, (_, index) => ({ message: `e${index}` }));
    const summed = rebuild({ message: "m", errors });
    expect((summed.errors as Error[]).map(({ message }) => message)).toEqual(["e0", "e1", "e2", "e3", "e4"]);
    expect(Object.keys(summed)).toEqual([]);
    expect(rebuild({ message: "m", errors: errors.slice(0, 1) }).errors as Error[]).toHaveLength(1);
    expect(Object.hasOwn(rebuild({ message: "m", errors: "many" }), "errors")).toBe(false);
    expect(Object.hasOwn(rebuild({ message: "m" }), "cause")).toBe(false);
    const inErrors = rebuild({ message: "m", errors: [nested(9)] });
    let depth = 0;
    for (let error = (inErrors.errors as Error[])[0]; error instanceof Error; error = error.cause as Error) depth += 1;
    expect(depth).toBe(5);
  });

  it("omits fields whose getters throw", () => {
    const hostile = Object.defineProperties(new Error("m"), {
      code: {
        get() {
          throw new Error("no");
        },
      },
      cause: {
        get() {
          throw new Error("no");
        },
      },
    });
    const rebuilt = rebuild(hostile);
    expect(rebuilt.message).toBe("m");
    expect(Object.keys(rebuilt)).toEqual([]);
    expect(Object.hasOwn(rebuilt, "cause")).toBe(false);
  });

  it("redacts secrets in every string of the error", () => {
    const redact = (text: string) => text.replaceAll("1234", "*");
    const thrown = { name: "N1234", message: "m1234", stack: "s1234", code: "c1234", syscall: "y1234", cause: "1234" };
    const rebuilt = rebuildCause(thrown, redact) as Error & Record<string, unknown>;
    expect([rebuilt.name, rebuilt.message, rebuilt.stack, rebuilt.code, rebuilt.syscall, rebuilt.cause]).toEqual([
      "N*",
      "m*",
      "s*",
      "c*",
      "y*",
      "*",
    ]);
  });
});
