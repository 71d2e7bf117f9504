/** The small rules of all schemas, each at its limits. */
import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { andMore, formatIssues, formatPath, omittedIn, quoted } from "../../src/schemas/format-issues.js";
import { httpUrl, isLoopbackHost, isSecureUrl } from "../../src/schemas/http-url.js";
import { idProblem, meetingId } from "../../src/schemas/ids.js";
import { plainPage, splitPageSchema } from "../../src/schemas/page-rows.js";
import { permissionSetParamsSchema } from "../../src/schemas/permission.js";
import {
  custom,
  date,
  enumOf,
  functionSchema,
  isCalendarDate,
  isTimestamp,
  maxLength,
  nonEmptyArray,
  nonEmptyString,
  numberOf,
  parseTimestamp,
  requestObject,
  timestamp,
} from "../../src/schemas/primitives.js";
import { parseWholeNumber } from "../../src/schemas/rate-limit.js";
import { responseArray, responseArrayOrEmpty } from "../../src/schemas/response-array.js";
import { nearestName } from "../../src/schemas/unknown-name.js";
import { extensionOfMediaType } from "../../src/schemas/upload.js";
import { ensureWebhookParamsSchema, webhookUpdateParamsSchema } from "../../src/schemas/webhook.js";

/** The problems of a value, as `path: message`. */
const problems = (schema: z.core.$ZodType, value: unknown): string[] => {
  const { error } = z.safeParse(schema, value);
  return error === undefined
    ? []
    : formatIssues(error.issues, value, schema).map(({ path, message }) => `${path}: ${message}`);
};

it("a misspelt name is read as the most similar name", () => {
  const cases: [name: string, allowed: string[], nearest: string | undefined][] = [
    // Names of up to four characters may differ by one edit, longer names by one for every three characters.
    ["lmit", ["limit"], "limit"],
    ["lt", ["limit"], undefined],
    ["abxy", ["abcd"], undefined],
    ["limix", ["limit"], "limit"],
    ["limxx", ["limit"], undefined],
    ["timeouXXX", ["timeoutMs"], "timeoutMs"],
    ["timeoXXXX", ["timeoutMs"], undefined],
    // Case, underscores, hyphens and spaces do not count.
    ["TIMEOUT_ms", ["timeoutMs"], "timeoutMs"],
    ["time-out ms", ["timeoutMs"], "timeoutMs"],
    // Of equally similar names, the first.
    ["start_dat", ["start_data", "start_date"], "start_data"],
    ["limits", ["limbs", "limit"], "limit"],
    ["", ["ab"], undefined],
    ["abc", [], undefined],
    ["x".repeat(65), [`${"x".repeat(64)}y`], undefined],
  ];
  for (const [name, allowed, nearest] of cases) expect(nearestName(name, allowed), name).toBe(nearest);
});

describe("the received value in a message", () => {
  it("of a parameter is quoted, up to 60 characters", () => {
    expect(quoted(5)).toBe("5");
    expect(quoted(true)).toBe("true");
    expect(quoted('a "b"')).toBe('"a \\"b\\""');
    expect(quoted("x".repeat(60))).toBe(`"${"x".repeat(60)}"`);
    expect(quoted("x".repeat(61))).toBe(`"${"x".repeat(60)}…"`);
    expect(quoted({})).toBe("an object");
    expect(quoted(undefined)).toBe("nothing");
  });
});

describe("the rule for ids", () => {
  const rule = "without white space, control characters, / \\ ? # and %";

  it("is named in the message, which repeats the value", () => {
    const message = `expected an id of the form mtg_…, ${rule}, received`;
    expect(idProblem("meetingId", "room_1")).toBe(`${message} "room_1"`);
    expect(idProblem("meetingId", undefined)).toBe(`${message} nothing`);
    expect(idProblem("permissionId", "")).toBe(`expected an id, ${rule}, received ""`);
    expect(problems(meetingId, "room_1")).toEqual([": expected an id of the form mtg_…, received a string"]);
  });
});

describe("the rule for URLs", () => {
  it.each<[string, string | undefined]>([
    ["https://a.example/x", "https://a.example/x"],
    ["HTTP://a.example", "http://a.example/"],
    ["ftp://a.example", undefined],
    ["xhttps://a.example", undefined],
    ["https:a.example", undefined],
    ["https:///a.example", undefined],
    ["https://", undefined],
    ["https://a.example/a b", undefined],
    ["https://a.example/\u0001", undefined],
    ["https://a.example\\x", undefined],
    [" https://a.example", undefined],
    ["https://[", undefined],
  ])("reads %j as %j", (text, href) => {
    expect(httpUrl(text)?.href).toBe(href);
  });

  it("says whether a host is this machine, and whether a URL is secure", () => {
    const loopback = ["localhost", "a.localhost", "[::1]", "127.0.0.1", "127.255.0.13"];
    const others = ["localhost.example", "xlocalhost", "127.0.0.1.example", "a127.0.0.1", "128.0.0.1", "127.0.0"];
    expect([...loopback, ...others].filter(isLoopbackHost)).toEqual(loopback);
    const secure = ["https://a.example", "http://127.0.0.1:8080/x", "http://localhost"];
    expect([...secure, "http://a.example", "ftp://localhost", "text"].filter(isSecureUrl)).toEqual(secure);
  });
});

describe("the rule for times", () => {
  it("reads an offset without minutes", () => {
    expect(parseTimestamp("2026-03-01T10:00:00+02")).toBe(Date.UTC(2026, 2, 1, 8));
    expect(parseTimestamp("2026-03-01T10:00:00Z")).toBe(Date.UTC(2026, 2, 1, 10));
    expect(parseTimestamp("soon")).toBeNaN();
  });

  it.each([
    ["2026-03-01T10:00:00Z", true],
    ["2026-12-31T23:59:59.123456789+14:59", true],
    ["2026-03-01", true],
    ["2026-03-01T10:00:00+00", true],
    ["2026-03-01T10:00:00.5-05", true],
    ["2026-03-01T10:00:00+0", false],
    ["2026-13-01T10:00:00Z", false],
    ["soon", false],
    ["", false],
  ])("says whether %s is a timestamp: %s", (text, expected) => {
    expect(isTimestamp(text)).toBe(expected);
  });

  it("accepts only days that exist as dates", () => {
    const days = ["2026-02-28", "2024-02-29"];
    const others = ["2026-02-29", "2026-02-31", "2026-13-01", "2026-00-01", "2026-1-1", "x2026-01-01", "2026-01-01x"];
    expect([...days, ...others, "2026-01-01T00:00:00Z", ""].filter(isCalendarDate)).toEqual(days);
  });
});

describe("the rule for media types", () => {
  it("gives the usual file extension of a media type", () => {
    expect(extensionOfMediaType("audio/mpeg")).toBe("mp3");
    expect(extensionOfMediaType("audio/x-m4a")).toBe("m4a");
    expect(extensionOfMediaType("video/mp4; x=y")).toBe("mp4");
    expect(extensionOfMediaType("text/plain")).toBeUndefined();
  });
});

describe("a list of issues", () => {
  it("ends with the number of further issues, which can be read back", () => {
    expect(andMore(1_234)).toBe("and 1,234 more");
    expect(omittedIn({ path: "", message: "and 1,234 more" })).toBe(1_234);
    for (const [path, message] of [
      ["a", "and 5 more"],
      ["", "and 5 more things"],
      ["", "x and 5 more"],
      ["", "and many more"],
    ] as const)
      expect(omittedIn({ path, message })).toBe(0);
    expect(omittedIn(undefined)).toBe(0);
  });

  it("has paths of at most 200 characters", () => {
    expect(formatPath(["x".repeat(200)])).toBe("x".repeat(200));
    expect(formatPath(["x".repeat(201)])).toBe(`${"x".repeat(200)}…`);
    expect(formatPath(["x".repeat(199), 0, "tail"])).toBe(`${"x".repeat(199)}[…`);
  });

  it("names the received value even if its parent is missing", () => {
    const { error } = z.safeParse(z.object({ a: z.object({ b: z.string() }) }), { a: { b: 5 } });
    expect(formatIssues(error?.issues ?? [], { a: null })).toMatchObject([{ path: "a.b" }]);
  });
});

describe("the schema of a list in a response", () => {
  const list = responseArray(z.string());

  it("names the path of each of the first 20 invalid items, and counts the others", () => {
    expect(problems(list, ["a", 5])).toEqual([expect.stringMatching(/^\[1\]: /)]);
    expect(problems(list, Array(19).fill(5))).toHaveLength(19);
    expect(problems(list, Array(20).fill(5))).toHaveLength(20);
    expect(problems(list, [...Array(20).fill(5), "a"])).toHaveLength(20);
    expect(problems(list, Array(22).fill(5)).at(-1)).toBe(": and 2 more");
  });

  it("counts the issues of at most 100,000 further items", () => {
    expect(problems(list, Array(100_020).fill(5)).at(-1)).toBe(": and 100,000 more");
    expect(problems(list, Array(100_021).fill(5)).at(-1)).toBe(": and 100,000 more");
  });

  it("gives an empty list if the list is optional and missing", () => {
    const orEmpty = z.looseObject({ a: responseArrayOrEmpty(z.string()) });
    expect(z.parse(orEmpty, {})).toEqual({ a: [] });
    expect(z.parse(orEmpty, { a: null })).toEqual({ a: [] });
    expect(z.parse(orEmpty, { a: ["x"] })).toEqual({ a: ["x"] });
    expect(problems(orEmpty, { a: 5 })).toHaveLength(1);
    expect(problems(orEmpty, { a: [5] })).toEqual([expect.stringMatching(/^a\[0\]: /)]);
  });
});

describe("the schema of an argument", () => {
  it("checks the rule that its message names", () => {
    const schema = requestObject<{ a: number }>({ a: numberOf((value) => value > 1, "a number above 1") });
    expect(problems(schema, { a: 1 })).toEqual(["a: expected a number above 1, received 1"]);
    expect(problems(schema, { a: 2 })).toEqual([]);
    expect(problems(schema, { a: "5" })).toEqual(['a: expected a number above 1, received "5"']);
    expect(problems(enumOf(["a", "b"]), "c")).toEqual([': expected one of a, b, received "c"']);
    expect(problems(enumOf(["a"]), "c")).toEqual([': expected a, received "c"']);
    expect(problems(enumOf(["a"]), "a")).toEqual([]);
    expect(problems(maxLength(3), "abcd")).toEqual([": expected at most 3 characters, received 4"]);
    expect(problems(maxLength(3), "😀😀😀😀")).toEqual([": expected at most 3 characters, received 4"]);
    for (const text of ["abc", "😀😀😀"]) expect(problems(maxLength(3), text)).toEqual([]);
    expect(problems(nonEmptyString(), "")).toEqual([": expected a string that is not empty, received an empty string"]);
    expect(problems(nonEmptyString(), "a")).toEqual([]);
    expect(problems(functionSchema, 5)).toEqual([": expected a function, received a number"]);
    expect(problems(date(), "2026-02-28")).toEqual([]);
    expect(problems(date(), "2026-02-30")).toEqual([
      ': expected a calendar date of the form YYYY-MM-DD, received "2026-02-30"',
    ]);
    expect(
      problems(
        custom(() => false, "a thing"),
        "secret",
      ),
    ).toEqual([": expected a thing, received a string"]);
    expect(problems(timestamp(), "soon")).toEqual([": expected an ISO 8601 timestamp, received a string"]);
  });

  it("can limit the length of a list", () => {
    const some = nonEmptyArray(z.string(), "ids", 2);
    expect(problems(some, [])).toEqual([": expected 1 to 2 ids, received 0"]);
    expect(problems(some, ["a", "b", "c"])).toEqual([": expected 1 to 2 ids, received 3"]);
    expect(problems(some, ["a", "b"])).toEqual([]);
    expect(problems(nonEmptyArray(z.string(), "kind"), [])).toEqual([": expected at least 1 kind, received 0"]);
    expect(problems(nonEmptyArray(z.string(), "kinds"), Array(500).fill("a"))).toEqual([]);
  });

  it("accepts only the role read for anyone", () => {
    const sent = (type: string, role: string) => problems(permissionSetParamsSchema, { recipient: { type }, role });
    expect(sent("anyone", "read")).toEqual([]);
    expect(sent("teammate", "edit")).toEqual([]);
    expect(sent("anyone", "edit")).toEqual(['role: expected "read": access for anyone with the link is read-only']);
  });

  it("requires a change of a webhook, and a secret store with both functions", () => {
    expect(problems(webhookUpdateParamsSchema, {})).toEqual([
      ": expected at least one of url, events and enabled, received none",
    ]);
    expect(problems(webhookUpdateParamsSchema, { enabled: undefined })).toHaveLength(1);
    expect(problems(webhookUpdateParamsSchema, { enabled: false })).toEqual([]);
    const ensured = (secretStore: unknown) =>
      problems(ensureWebhookParamsSchema, {
        ...{ url: "https://a.example", events: ["meeting.transcript_ready"], secretStore },
      });
    expect(ensured({ get() {}, set() {} })).toEqual([]);
    for (const store of [{ get() {} }, { set() {} }, {}])
      expect(ensured(store)).toEqual(["secretStore: expected an object with get and set, received an object"]);
    expect(ensured(undefined)).toEqual(["secretStore: expected an object with get and set, received nothing"]);
  });
});

describe("the rows of a page", () => {
  const row = z.looseObject({ id: z.string() });
  const sorted = splitPageSchema(row, plainPage);
  const page = (...data: unknown[]) => ({ data, next_cursor: null, has_more: false });

  it("cause an error if more than 1,000 of them are invalid", () => {
    expect(z.parse(sorted, page(...Array(1_000).fill(5))).invalid).toHaveLength(1_000);
    expect(problems(sorted, page(...Array(1_001).fill(5)))).toEqual([
      "data: more than 1,000 rows do not match their schema",
    ]);
  });
});

it("a number in a header has at most twelve digits", () => {
  expect(parseWholeNumber("999999999999")).toBe(999_999_999_999);
  for (const text of ["1000000000000", "-1", "1.5", "1a", "a1", "", " 1", null])
    expect(parseWholeNumber(text)).toBeUndefined();
});
