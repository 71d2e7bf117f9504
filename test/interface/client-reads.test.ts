/**
 * The client's schemas, compared with the transcription of the API specification: each field, its type, and whether it
 * is required. A missing or additional field fails the test with its name.
 */
import * as sdk from "notetaker-sdk";
import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { AUTOMATION_MODES } from "../../src/schemas/automation.js";
import { BOT_SCHEDULE_ACTIONS } from "../../src/schemas/bot.js";
import { DOCUMENT_FORMATS, documentReferenceSchema } from "../../src/schemas/document.js";
import {
  errorDetailSchema,
  errorEnvelopeSchema,
  validationEnvelopeSchema,
  validationIssueSchema,
} from "../../src/schemas/error-envelope.js";
import { MEDIA_TYPES } from "../../src/schemas/media-type.js";
import {
  hostSchema,
  MEETING_EXPANSIONS,
  MEETING_SOURCES,
  meetingSummarySchema,
  participantSchema,
} from "../../src/schemas/meeting.js";
import { pageSchema } from "../../src/schemas/page.js";
import { permissionPageSchema, RECIPIENT_ANYONE, ROLE_READ, recipientSchema } from "../../src/schemas/permission.js";
import { ROOM_EXPANSIONS } from "../../src/schemas/room.js";
import { segmentSchema, speakerSchema } from "../../src/schemas/transcript.js";
import { UPLOAD_STATUSES } from "../../src/schemas/upload.js";
import { clientOf, json } from "../support/recorder.js";
import { ENUMERATIONS, type FieldType, NEVER, RATE_LIMIT_HEADERS, RESOURCES } from "./interface.js";
import { fieldsOf, objectOf, sampleOf, shapeOf } from "./sample.js";

const EXPORTED: Readonly<Record<string, unknown>> = {
  ...sdk,
  // Parts of responses, whose schemas are internal.
  ...{ hostSchema, participantSchema, meetingSummarySchema, documentReferenceSchema, recipientSchema },
  ...{ segmentSchema, speakerSchema },
  ...{ errorEnvelopeSchema, errorDetailSchema, validationEnvelopeSchema, validationIssueSchema },
};

const PAGE = /Page$/;

/** The schema of `Room` is `roomSchema`, and that of `RoomPage` is a page of it. */
function schemaOf(name: string): z.core.$ZodType {
  if (name === "PermissionPage") return permissionPageSchema(sdk.permissionSchema);
  if (PAGE.test(name)) return pageSchema(schemaOf(name.replace(PAGE, "")));
  return EXPORTED[`${name.charAt(0).toLowerCase()}${name.slice(1)}Schema`] as z.core.$ZodType;
}

/** Where the client accepts more than the transcription documents, and why. A test confirms each entry. */
const READ_ALSO: Readonly<Record<string, { values: readonly unknown[]; why: string }>> = {
  "Document.format": { values: ["pdf"], why: "a format added later passes, as every value of an enumeration does" },
  "Host.id": { values: ["42"], why: "documented: a host is shown, and never asked for by its id" },
  "ValidationIssue.loc": { values: [["body", "events", 0]], why: "the place in a list may come as a number" },
};
/** Fields that the transcription requires and the client does not. */
const DONE_WITHOUT: Readonly<Record<string, string>> = Object.fromEntries(
  Object.keys(RESOURCES)
    .filter((name) => PAGE.test(name))
    .map((page) => [`${page}.next_cursor`, "has_more says whether there is a further page"]),
);
/** Fields that the client requires although the transcription allows them to be absent. */
const PROMISED: Readonly<Record<string, string>> = {
  "PermissionPage.share_url": "the API specification shows it without a condition",
};

function probes(type: FieldType): { good: readonly unknown[]; bad: readonly unknown[] } {
  const noText = [5, true, {}, []];
  switch (type.kind) {
    case "string":
      return { good: ["", "é 日 😀"], bad: noText };
    case "id":
      return {
        good: [`${type.prefix}A-b_9`],
        bad: ["1a", type.prefix.toUpperCase(), ` ${type.prefix}1`, "", ...noText],
      };
    case "enum":
      return { good: type.open ? [...type.values, "added_later"] : type.values, bad: noText };
    case "timestamp":
      return {
        good: [
          ...["2026-03-01T10:00:00Z", "2026-03-01T10:00:00.123456-11:30", "2026-12-31T23:59:59.123456789+14:59"],
          ...["2026-03-01", "2026-03-01T10:00:00", "2026-03-01T10:00:00+00", "2026-03-01T10:00:00.5-05"],
        ],
        bad: [
          "2026-02-30T25:00:00Z",
          "2026-13-01T10:00:00Z",
          "2026-03-01T10:00:00+0",
          "yesterday",
          "",
          1_750_000_000,
          ...noText,
        ],
      };
    case "integer":
      return { good: [0, 1, 2 ** 31], bad: [1.5, "1", null, true, {}, []] };
    case "number":
      return { good: [0, 12, 0.001], bad: ["1.5", null, true, {}, []] };
    case "boolean":
      return { good: [true], bad: ["true", 1, 0, {}, []] };
    case "any":
      return { good: [5, "x", null, [], {}], bad: [] };
    case "object":
      return { good: [objectOf(fieldsOf(type.of), { added_later: { a: 1 } })], bad: [5, "x", [], true] };
    case "array":
      return {
        good: [[], [sampleOf(type.of), sampleOf(type.of)]],
        bad: ["x", {}, 5, ...probes(type.of).bad.map((one) => [sampleOf(type.of), one]), [null]],
      };
    default:
      throw new Error(`${type.kind} is not received`);
  }
}

const paths = (schema: z.core.$ZodType, value: unknown) => {
  const result = z.safeParse(schema, value);
  return result.success ? [] : result.error.issues.map(({ path }) => String(path[0]));
};

describe.each(Object.entries(RESOURCES))("the schema of %s", (resource, fields) => {
  const schema = schemaOf(resource);

  it("has exactly the fields of the API specification", () => {
    expect(Object.keys(shapeOf(schema)).sort()).toEqual(fields.map(({ name }) => name).sort());
  });

  it("accepts a complete resource with additional fields, and keeps them", () => {
    const whole = objectOf(fields, { added_later: { a: [1, null] } });
    expect(z.safeParse(schema, whole)).toMatchObject({ success: true, data: whole });
  });

  it("accepts a resource without its optional fields", () => {
    const least = Object.fromEntries(
      Object.entries(objectOf(fields)).filter(
        ([name]) => fields.find((field) => field.name === name)!.required || `${resource}.${name}` in PROMISED,
      ),
    );
    expect(paths(schema, least)).toEqual([]);
  });

  it.each(fields)(
    `checks the type of ${resource}.$name, and whether it may be absent or null`,
    ({ name, type, required, nullable }) => {
      const full = `${resource}.${name}`;
      const wanted = (required && !(full in DONE_WITHOUT)) || full in PROMISED;
      expect(paths(schema, objectOf(fields, { [name]: undefined })), "absent").toEqual(wanted ? [name] : []);
      const mayBeNull = !wanted || nullable === true || type.kind === "any";
      expect(paths(schema, objectOf(fields, { [name]: null })), "null").toEqual(mayBeNull ? [] : [name]);

      const { good, bad } = probes(type);
      const also = READ_ALSO[full]?.values ?? [];
      for (const value of [...good, ...also]) {
        expect(paths(schema, objectOf(fields, { [name]: value })), JSON.stringify(value)).toEqual([]);
      }
      for (const value of bad.filter((one) => one !== null || !mayBeNull)) {
        if (full === "Host.id" && typeof value === "string") continue;
        if (full === "ValidationIssue.loc" && Array.isArray(value) && typeof value[1] === "number") continue;
        expect(new Set(paths(schema, objectOf(fields, { [name]: value }))), JSON.stringify(value)).toEqual(
          new Set([name]),
        );
      }
    },
  );
});

it.each(NEVER)(
  "a field that the API specification excludes is not in the schema: $field of $operation",
  ({ field }) => {
    expect(Object.keys(shapeOf(sdk.webhookSchema))).not.toContain(field);
  },
);

it("the client's enumerations have exactly the values of the API specification", () => {
  const ours: Record<keyof typeof ENUMERATIONS, readonly string[]> = {
    documentFormat: DOCUMENT_FORMATS,
    automationMode: AUTOMATION_MODES,
    botScheduleAction: BOT_SCHEDULE_ACTIONS,
    scope: sdk.SCOPES,
    roomExpansion: ROOM_EXPANSIONS,
    eventKind: sdk.EVENT_KINDS,
    mediaType: MEDIA_TYPES,
    uploadStatus: UPLOAD_STATUSES,
    recipientType: [RECIPIENT_ANYONE],
    role: [ROLE_READ],
    meetingStatus: sdk.MEETING_STATUSES,
    meetingSource: MEETING_SOURCES,
    meetingExpansion: MEETING_EXPANSIONS,
  };
  expect(ours).toEqual(ENUMERATIONS);
});

it("the client reads the rate limit from the response headers", async () => {
  const values = ["60", "3", "1750000000"];
  const headers = Object.fromEntries(RATE_LIMIT_HEADERS.map((name, index) => [name, values[index]!]));
  const { notetaker } = clientOf(() => json([], 200, headers));
  const { rateLimit } = await notetaker.webhooks.list().withResponse();
  expect(rateLimit).toEqual({ limit: 60, remaining: 3, resetAt: new Date(1_750_000_000_000) });
});
