/** The small rules of all schemas, each at its limits. */
import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { conferenceService, linkProblem, serviceOfHost } from "../../src/schemas/conference-link.js";
import { expandedSchemas } from "../../src/schemas/expansion.js";
import {
  andMore,
  expectedType,
  formatIssues,
  formatPath,
  kindOf,
  omittedIn,
  quoted,
} from "../../src/schemas/format-issues.js";
import { httpUrl, isLoopbackHost, isSecureUrl, parseUrl } from "../../src/schemas/http-url.js";
import { idProblem, isMeetingId, meetingId } from "../../src/schemas/ids.js";
import { upcomingMeetingsOf } from "../../src/schemas/meeting-list.js";
import { oncePerSchema } from "../../src/schemas/once-per-schema.js";
import { pageParams } from "../../src/schemas/page.js";
import { plainPage, splitPageSchema, validRowsBefore } from "../../src/schemas/page-rows.js";
import { permissionSetParamsSchema } from "../../src/schemas/permission.js";
import {
  countCharacters,
  custom,
  date,
  enumOf,
  functionSchema,
  integer,
  isCalendarDate,
  isLongerThan,
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
import { nearestName, unknownName } from "../../src/schemas/unknown-name.js";
import {
  extensionOfMediaType,
  isGenericMediaType,
  mediaType,
  mediaTypeEssence,
  mediaTypeOfName,
} from "../../src/schemas/upload.js";
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

it("the message about an unknown name has the similar name, or all names", () => {
  expect(unknownName("serch", ["search", "limit"])).toBe("unknown option; did you mean search?");
  expect(unknownName("colour", ["search", "limit"], "tool")).toBe("unknown tool; expected one of search, limit");
  expect(unknownName("colour", [], "field")).toBe("unknown field");
});

describe("the received value in a message", () => {
  it("is named by its type", () => {
    expect(kindOf("")).toBe("an empty string");
    expect(kindOf("x")).toBe("a string");
    expect(kindOf(5)).toBe("a number");
    expect(kindOf(Number.POSITIVE_INFINITY)).toBe("Infinity");
    expect(expectedType("integer", "x")).toBe("expected an integer, received a string");
    expect(expectedType("array", undefined)).toBe("expected an array, received nothing");
    expect(expectedType("undefined", null)).toBe("expected a undefined, received null");
  });

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

  it("accepts characters that cannot change a path", () => {
    const ids = ["mtg_1", "mtg_.a", "mtg_a.b", "mtg_...", "mtg_é😀", "mtg_;", "mtg_a;x"];
    for (const id of ids) expect(idProblem("meetingId", id)).toBeUndefined();
  });

  it("refuses every other value, and repeats it", () => {
    const wrong = ["mtg_", "MTG_1", "xmtg_1", "room_1", "mtg_.", "mtg_..", "mtg_..;x", "mtg_.;x", "mtg_a b"];
    const unsafe = ["mtg_a\u0000", "mtg_a/b", "mtg_a\\b", "mtg_a?b", "mtg_a#b", "mtg_a%b", "mtg_\ud83d"];
    const messageFor = (received: string) => `expected an id of the form mtg_…, ${rule}, received ${received}`;
    for (const id of [...wrong, ...unsafe]) expect(idProblem("meetingId", id)).toBe(messageFor(JSON.stringify(id)));
    expect(idProblem("meetingId", 5)).toBe(messageFor("5"));
    expect(idProblem("meetingId", undefined)).toBe(messageFor("nothing"));
  });

  it("requires no prefix for a permission's id", () => {
    expect(idProblem("permissionId", "anything")).toBeUndefined();
    expect(idProblem("permissionId", "")).toBe(
      `expected an id, ${rule}, received an empty string`.replace("an empty string", '""'),
    );
  });

  it("recognises a meeting's id by its prefix", () => {
    expect(["mtg_", "mtg_1", "room_1", "1mtg_", 5].map(isMeetingId)).toEqual([true, true, false, false, false]);
  });

  it("requires only the prefix for an id in a response", () => {
    expect(problems(meetingId, "mtg_")).toEqual([]);
    expect(problems(meetingId, "room_1")).toEqual([": expected an id of the form mtg_…, received a string"]);
    expect(problems(meetingId, 5)).toEqual([": expected a string, received a number"]);
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

  it("accepts a URL that is relative to a base", () => {
    expect(parseUrl("/x", "https://a.example")?.href).toBe("https://a.example/x");
    expect(parseUrl("/x")).toBeUndefined();
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

describe("the length of a text", () => {
  it("is counted in characters, not in UTF-16 units", () => {
    expect(countCharacters("a😀b")).toBe(3);
    expect(countCharacters("")).toBe(0);
  });

  it.each([
    ["abc", 3, false],
    ["abcd", 3, true],
    ["😀😀😀", 3, false],
    ["😀😀😀😀", 3, true],
    ["😀😀a", 3, false],
    ["😀😀ab", 3, true],
    ["a".repeat(7), 3, true],
    ["", 0, false],
    ["a", 0, true],
  ])("%s is longer than %d: %s", (text, max, expected) => {
    expect(isLongerThan(text, max)).toBe(expected);
  });
});

describe("the rule for media types", () => {
  it.each<[string, string | undefined]>([
    ["audio/mpeg", "audio/mpeg"],
    [" Audio/MPEG ; x=y", "audio/mpeg"],
    ["audio/mp3", "audio/mpeg"],
    ["audio/x-m4a", "audio/mp4"],
    ["audio/vnd.wave", "audio/wav"],
    ["audio/opus", "audio/ogg"],
    ["application/ogg", "audio/ogg"],
    ["video/x-matroska;codecs=avc1", "video/webm"],
    ["audio/x-matroska; CODECS = opus", "audio/webm"],
    ["video/x-matroska", undefined],
    ["video/x-matroska; other=1", undefined],
    ["text/plain", undefined],
    ["toString", undefined],
    ["constructor; codecs=x", undefined],
    ["", undefined],
  ])("reads %j as the service's %s", (value, type) => {
    expect(mediaType(value)).toBe(type);
  });

  it.each<[string, string | undefined]>([
    ["a.mp3", "audio/mpeg"],
    ["a.b.MOV", "video/quicktime"],
    ["a.opus", "audio/ogg"],
    ["a.mp3.txt", undefined],
    ["mp3", undefined],
    ["a.mp3 ", undefined],
    ["a.constructor", undefined],
    ["a.", undefined],
  ])("finds the media type of the file %j: %s", (name, type) => {
    expect(mediaTypeOfName(name)).toBe(type);
  });

  it("recognises the generic media types of any bytes", () => {
    expect(isGenericMediaType("application/octet-stream; x=y")).toBe(true);
    expect(isGenericMediaType("binary/octet-stream")).toBe(true);
    expect(isGenericMediaType("audio/mpeg")).toBe(false);
    expect(mediaTypeEssence(" A/B ; c")).toBe("a/b");
  });

  it("gives the usual file extension of a media type", () => {
    expect(extensionOfMediaType("audio/mpeg")).toBe("mp3");
    expect(extensionOfMediaType("audio/x-m4a")).toBe("m4a");
    expect(extensionOfMediaType("video/mp4; x=y")).toBe("mp4");
    expect(extensionOfMediaType("text/plain")).toBeUndefined();
  });
});

describe("the rule for join links", () => {
  it.each<[string, string | undefined]>([
    ["zoom.us", "zoom"],
    ["us02web.zoom.us", "zoom"],
    ["notzoom.us", undefined],
    ["zoom.us.evil.example", undefined],
    ["meet.google.com", "google_meet"],
    ["google.com", undefined],
    ["teams.microsoft.com.mcas.ms", "teams"],
    ["teams.microsoft.us.mcas-gov.us", "teams"],
    ["teams.microsoft.us.mcas-gov.ms", "teams"],
    ["teams.microsoft.com.mcas.ms.evil.example", undefined],
    ["acme.webex.com", "webex"],
  ])("reads the host %s as the service %s", (host, service) => {
    expect(serviceOfHost(host)).toBe(service);
  });

  it("accepts an additional host, and refuses credentials", () => {
    expect(conferenceService("https://zoom.us/j/1")).toBe("zoom");
    expect(conferenceService("https://meet.acme.example/1")).toBeUndefined();
    expect(conferenceService("https://meet.acme.example/1", ["ACME.example"])).toBe("other");
    expect(conferenceService("https://zoom.us/j/1", ["zoom.us"])).toBe("zoom");
    expect(conferenceService("https://notacme.example/1", ["acme.example"])).toBeUndefined();
    for (const user of ["ada@", "ada:secret@", ":secret@"])
      expect(conferenceService(`https://${user}zoom.us/j/1`)).toBeUndefined();
    expect(conferenceService("zoom.us/j/1")).toBeUndefined();
  });

  it("causes a message with only the host of another link", () => {
    const expected = "expected a Zoom, Google Meet, Microsoft Teams or Webex join link, received";
    expect(linkProblem("https://a.example/secret")).toBe(`${expected} a link to "a.example" (see conferenceHosts)`);
    expect(linkProblem("secret")).toBe(`${expected} text that is not a URL`);
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

  it("names the unknown fields of a nested schema, even inside an optional field", () => {
    const schema = z.strictObject({ a: z.optional(z.nullable(z.strictObject({ limit: z.optional(z.number()) }))) });
    expect(problems(schema, { a: { limitt: 1 } })).toEqual(["a.limitt: unknown option; did you mean limit?"]);
    const { error } = z.safeParse(schema, { a: { limitt: 1 } });
    expect(formatIssues(error?.issues ?? [], {}, undefined, "field")).toEqual([
      { path: "a.limitt", message: "unknown field" },
    ]);
  });

  it("names the received value even if its parent is missing", () => {
    const { error } = z.safeParse(z.object({ a: z.object({ b: z.string() }) }), { a: { b: 5 } });
    expect(formatIssues(error?.issues ?? [], { a: null })).toEqual([
      { path: "a.b", message: "expected a string, received nothing" },
    ]);
  });
});

describe("the schema of a list in a response", () => {
  const list = responseArray(z.string());

  it.each([
    [undefined, "nothing"],
    [null, "null"],
    [{}, "an object"],
    ["x", "a string"],
  ])("refuses %j", (value, kind) => {
    expect(problems(list, value)).toEqual([`: expected an array, received ${kind}`]);
  });

  it("names the path of each of the first 20 invalid items, and counts the others", () => {
    expect(problems(list, ["a", 5])).toEqual(["[1]: expected a string, received a number"]);
    expect(problems(list, Array(19).fill(5))).toHaveLength(19);
    expect(problems(list, Array(20).fill(5))).toHaveLength(20);
    expect(problems(list, [...Array(20).fill(5), "a"])).toHaveLength(20);
    expect(problems(list, Array(22).fill(5)).at(-1)).toBe(": and 2 more");
  });

  it("counts the issues of at most 100,000 further items", () => {
    expect(problems(list, Array(100_020).fill(5)).at(-1)).toBe(": and 100,000 more");
    expect(problems(list, Array(100_021).fill(5)).at(-1)).toBe(": and 100,000 more");
  });

  it("returns each item as its schema parses it", () => {
    const loose = responseArray(z.object({ a: z.string() }));
    expect(z.parse(loose, [{ a: "x", b: 1 }])).toEqual([{ a: "x" }]);
  });

  it("gives an empty list if the list is optional and missing", () => {
    const orEmpty = z.looseObject({ a: responseArrayOrEmpty(z.string()) });
    expect(z.parse(orEmpty, {})).toEqual({ a: [] });
    expect(z.parse(orEmpty, { a: null })).toEqual({ a: [] });
    expect(z.parse(orEmpty, { a: ["x"] })).toEqual({ a: ["x"] });
    expect(problems(orEmpty, { a: 5 })).toEqual(["a: expected an array, received a number"]);
    expect(problems(orEmpty, { a: [5] })).toEqual(["a[0]: expected a string, received a number"]);
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
    expect(problems(maxLength(3), "abc")).toEqual([]);
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
    expect(problems(integer(), 1.5)).toEqual([": expected an integer, received a number with a fraction"]);
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

  it("accepts a page size from 1 to 100", () => {
    const schema = z.strictObject(pageParams);
    for (const limit of [1, 100]) expect(problems(schema, { limit })).toEqual([]);
    for (const limit of [0, 101, 1.5])
      expect(problems(schema, { limit })).toEqual([`limit: expected an integer from 1 to 100, received ${limit}`]);
    expect(problems(schema, { cursor: "" })).toHaveLength(1);
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

  it("are divided into valid and invalid rows", () => {
    const value = page({ id: "a" }, { id: 5 }, null, { id: "b" }, 5);
    expect(z.parse(sorted, value)).toEqual({
      ...{ next_cursor: null, has_more: false, data: [{ id: "a" }, { id: "b" }] },
      invalid: [
        { index: 1, value: { id: 5 }, issues: [{ path: "id", message: "expected a string, received a number" }] },
        { index: 2, value: null, issues: [{ path: "", message: "expected an object, received null" }] },
        { index: 4, value: 5, issues: [{ path: "", message: "expected an object, received a number" }] },
      ],
    });
    const strict = splitPageSchema(z.strictObject({ id: z.string() }), plainPage);
    expect(z.parse(strict, page({ id: "x", idd: 1 })).invalid[0]?.issues).toEqual([
      { path: "idd", message: "unknown field; did you mean id?" },
    ]);
    const other = splitPageSchema(z.looseObject({ id: z.string(), a: z.string() }), plainPage);
    expect(z.parse(other, page({ id: "x" })).invalid[0]).toMatchObject({ index: 0, id: "x" });
  });

  it("cause an error if more than 1,000 of them are invalid", () => {
    expect(z.parse(sorted, page(...Array(1_000).fill(5))).invalid).toHaveLength(1_000);
    expect(problems(sorted, page(...Array(1_001).fill(5)))).toEqual([
      "data: more than 1,000 rows do not match their schema",
    ]);
  });

  it("are not checked if the page itself is invalid", () => {
    expect(problems(sorted, { data: [{ id: 5 }] })).toEqual(["has_more: expected a boolean, received nothing"]);
    expect(problems(sorted, { data: 5, has_more: false })).toEqual(["data: expected an array, received a number"]);
  });

  it("that precede the first invalid row are returned by validRowsBefore", () => {
    expect(validRowsBefore(row, page({ id: "a" }, 5, { id: "b" }))).toEqual([{ id: "a" }]);
    for (const none of [null, undefined, {}, { data: "x" }, 5]) expect(validRowsBefore(row, none)).toEqual([]);
  });

  it("are found in a bare array or in a page", () => {
    expect(upcomingMeetingsOf([1])).toEqual([1]);
    expect(upcomingMeetingsOf({ data: [1] })).toEqual([1]);
    expect(upcomingMeetingsOf(null)).toBeUndefined();
  });
});

it("a number in a header has at most twelve digits", () => {
  expect(parseWholeNumber("999999999999")).toBe(999_999_999_999);
  for (const text of ["1000000000000", "-1", "1.5", "1a", "a1", "", " 1", null])
    expect(parseWholeNumber(text)).toBeUndefined();
});

it("oncePerSchema computes a value once for each schema", () => {
  let made = 0;
  const once = oncePerSchema(() => {
    made += 1;
    return made;
  });
  const [first, second] = [z.string(), z.string()];
  expect([once(first), once(first), once(second), once(first)]).toEqual([1, 1, 2, 1]);
});

it("expandedSchemas requires the requested expansions, and creates each combination once", () => {
  const fields = { id: z.string(), a: z.optional(z.string()), b: z.optional(z.string()) };
  const schemaWith = expandedSchemas<{ id: string; a?: string; b?: string }>(fields as never, {
    ...{ a: z.string(), b: z.string() },
  });
  expect(problems(schemaWith(undefined), { id: "x" })).toEqual([]);
  expect(problems(schemaWith(["a"]), { id: "x" })).toEqual(["a: expected a string, received nothing"]);
  expect(problems(schemaWith(["b", "a"]), { id: "x" })).toHaveLength(2);
  expect(problems(schemaWith(["other"]), { id: "x" })).toEqual([]);
  expect(schemaWith(["b", "a"])).toBe(schemaWith(["a", "b"]));
  expect(schemaWith(["a"])).not.toBe(schemaWith(["b"]));
});
