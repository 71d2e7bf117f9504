/** The possible bodies of a response, and the result of the call. */
import { ApiError, type Notetaker, NotFoundError, ResponseValidationError, ServerError } from "notetaker-sdk";
import { describe, expect, it } from "vitest";
import { clientOf, json, rejectionOf } from "../support/recorder.js";
import * as samples from "../support/samples.js";

const NOT_JSON = ["<html>Welcome</html>", "", '[{"id":"whk_1","url":', "[] []", "OK", "NaN", "  \n "];

describe("a successful response that is not JSON", () => {
  it.each(NOT_JSON)("causes a ResponseValidationError with the status and the body: %j", async (text) => {
    const { notetaker } = clientOf(() => new Response(text, { status: 200, headers: { "content-type": "text/html" } }));
    const error = await rejectionOf(ResponseValidationError, notetaker.webhooks.list());
    expect(error).toMatchObject({ status: 200, body: text, outcome: "unknown", retryable: false, attempts: 1 });
    expect(error.issues).toMatchObject([{ path: "" }]);
    expect(error.headers.get("content-type")).toBe("text/html");
    expect(error.request).toEqual({ method: "GET", url: "https://api.example.com/v1/webhooks" });
  });

  it("is described by its length and its media type", async () => {
    const messages = ["<html>", ""].map(async (text) => {
      const { notetaker } = clientOf(() => new Response(text, { headers: { "content-type": "text/html" } }));
      return (await rejectionOf(ResponseValidationError, notetaker.webhooks.list())).message;
    });
    expect(await Promise.all(messages)).toEqual([
      "GET /webhooks answered 200, but the body is not complete JSON (received 6 characters of text/html)",
      "GET /webhooks answered 200, but the body is not complete JSON (received nothing)",
    ]);
  });

  it("leaves the first 2 KiB of the body in the error", async () => {
    const { notetaker } = clientOf(() => new Response("x".repeat(1_000_000)));
    const { body } = await rejectionOf(ResponseValidationError, notetaker.webhooks.list());
    expect(body).toBe("x".repeat(2_048));
  });

  it.each(["off", "warn"] as const)("causes an error even with validation %s", async (validation) => {
    const { notetaker } = clientOf(() => new Response("<html>"), { validation });
    await rejectionOf(ResponseValidationError, notetaker.webhooks.list());
  });
});

describe("a successful response of the wrong shape", () => {
  const SHAPES: [string, unknown, string][] = [
    ["null", null, ""],
    ["a number", 5, ""],
    ["a string", "[]", ""],
    ["an object", {}, ""],
    ["an error envelope", { error: { code: "not_found", message: "x" } }, ""],
    ["a list of null", [null], "[0]"],
    ["a list of invalid items", [{ ...samples.webhook, id: 5 }], "[0].id"],
    ["an id of another kind", [samples.webhook, { ...samples.webhook, id: "mtg_1" }], "[1].id"],
    ["a missing field", [{ ...samples.webhook, enabled: undefined }], "[0].enabled"],
    ["a time that does not exist", [{ ...samples.webhook, created_at: "2026-13-41T00:00:00Z" }], "[0].created_at"],
  ];
  it.each(SHAPES)("causes a ResponseValidationError that names the field: %s", async (_, body, path) => {
    const { notetaker } = clientOf(() => json(body));
    const error = await rejectionOf(ResponseValidationError, notetaker.webhooks.list());
    expect(error.issues.map((issue) => issue.path)).toEqual([path]);
    expect(error.body).toEqual(JSON.parse(JSON.stringify(body)));
    expect(error).toMatchObject({ outcome: "accepted", status: 200 });
  });

  it("causes an issue with path, expected type and received type for each field", async () => {
    const { notetaker } = clientOf(() => json(samples.page([{ ...samples.room, meeting_count: 1.5, title: null }])));
    const { message, issues } = await rejectionOf(ResponseValidationError, notetaker.rooms.list());
    expect(issues).toMatchObject([
      { path: "data[0].title" },
      { path: "data[0].meeting_count", message: "expected an integer, received a number with a fraction" },
    ]);
    expect(message).toContain(`data[0].title: ${issues[0]!.message}; data[0].meeting_count: `);
  });

  it("causes a message with at most three issues, and an error with all of them", async () => {
    const { notetaker } = clientOf(() => json({}));
    const { message, issues } = await rejectionOf(ResponseValidationError, notetaker.documents.get("doc_1"));
    expect(issues).toHaveLength(5);
    expect(message).toMatch(/, and 2 more$/);
  });
});

describe("a successful response with more than the documented content", () => {
  it("keeps unknown fields and unknown values", async () => {
    const odd = { status: "archived", source: "carrier_pigeon", mood: { color: "blue" } };
    const meetings = [{ ...samples.meetingSummary, ...odd }];
    const body = { ...samples.page([{ ...samples.room, meetings, tags: ["a"] }]), total: 1 };
    const { notetaker } = clientOf(() => json(body));
    const page = await notetaker.rooms.list({ expand: ["meetings"] });
    expect(JSON.parse(JSON.stringify(page))).toEqual(body);
  });

  const listRooms = ({ rooms }: Notetaker) => rooms.list();
  const listMeetings = ({ meetings }: Notetaker) => meetings.list();
  const listWebhooks = ({ webhooks }: Notetaker) => webhooks.list();
  const { room, meeting, webhook } = samples;
  const start = { source: "zoom", start_time: "2026-01-01T00:00:00Z" };
  const notYet = { title: null, duration: null, end_time: null, created_at: null };
  const nobody = { host: null, participants: null, documents: null };
  const noLink = { meeting_id: "mtg_1", recording_url: null };
  it.each<[string, unknown, (notetaker: Notetaker) => PromiseLike<unknown>]>([
    ["a room without share_url", samples.page([{ ...room, share_url: undefined }]), listRooms],
    [
      "null in optional fields",
      samples.page([{ ...room, share_url: null, meetings: null, documents: null }]),
      listRooms,
    ],
    ["a meeting that is not completed", samples.page([{ ...meeting, ...notYet, ...nobody }]), listMeetings],
    ["a meeting in its summary form", samples.page([{ id: "mtg_1", status: "scheduled", ...start }]), listMeetings],
    ["unknown people", samples.page([{ ...meeting, host: {}, participants: [{}] }]), listMeetings],
    ["a meeting without a recording", noLink, ({ meetings }) => meetings.getRecording("mtg_1")],
    ["a format added later", { ...samples.document, format: "pdf" }, ({ documents }) => documents.get("doc_1")],
    ["an event kind added later", [{ ...webhook, events: ["meeting.deleted"] }], listWebhooks],
    ["any offset and fraction", [{ ...webhook, created_at: "2026-01-01T00:00:00.123456789+05:30" }], listWebhooks],
  ])("is accepted: %s", async (_, body, call) => {
    const { notetaker } = clientOf(() => json(body));
    expect(JSON.parse(JSON.stringify(await call(notetaker)))).toEqual(JSON.parse(JSON.stringify(body)));
  });

  it("is not changed by a field named __proto__", async () => {
    const body = '{"automation":"MANUAL","__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}';
    const { notetaker } = clientOf(() => new Response(body));
    const result = await notetaker.settings.getNotetakerAutomation();
    expect(result.automation).toBe("MANUAL");
    expect((result as { polluted?: unknown }).polluted).toBeUndefined();
    expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it("is not changed by a field of a page that is named __proto__ or like a method", async () => {
    const names = '"__proto__":{"polluted":true},"nextPage":1,"constructor":2';
    const { notetaker } = clientOf(() => new Response(`{"data":[],"next_cursor":null,"has_more":false,${names}}`));
    const page = await notetaker.rooms.list();
    expect(page.nextPage).toBeTypeOf("function");
    expect((page as { polluted?: unknown }).polluted).toBeUndefined();
  });
});

describe("a requested expansion", () => {
  it.each([
    [["meetings"], "data[0].meetings"],
    [["documents"], "data[0].documents"],
  ] as const)("is required in the response: %s", async (expand, path) => {
    const { notetaker } = clientOf(() => json(samples.page([samples.room])));
    await notetaker.rooms.list();
    const error = await rejectionOf(ResponseValidationError, notetaker.rooms.list({ expand }));
    expect(error.issues).toMatchObject([{ path }]);
  });
});

describe("a method without a result", () => {
  const both = ({ webhooks, permissions }: Notetaker) => [webhooks.delete("whk_1"), permissions.revoke("mtg_1", "p1")];

  it.each([null, "", "\n", '{"deleted":true}', "[]", '"gone"', '{"deleted":'])(
    "is done if the body is %j",
    async (body) => {
      const { notetaker } = clientOf(() => new Response(body, { status: 200 }));
      expect(await Promise.all(both(notetaker))).toEqual([undefined, undefined]);
    },
  );

  it.each(["<html>Sign in</html>", "\n<!doctype html>", `<p>${"x".repeat(100_000)}`, "blocked"])(
    "is not done if a proxy answers in its place: %.30j",
    async (body) => {
      for (const validation of ["strict", "off"] as const) {
        const { notetaker } = clientOf(() => new Response(body), { validation });
        for (const call of both(notetaker)) {
          const error = await rejectionOf(ResponseValidationError, call);
          expect(error).toMatchObject({
            outcome: "unknown",
            status: 200,
            body: expect.stringContaining(body.slice(0, 20)),
          });
        }
      }
    },
  );
});

describe("an error response without an envelope", () => {
  it.each([
    ...[
      "<html>Bad gateway</html>",
      "",
      '{"error":{"code":"not_fo',
      "null",
      "[1]",
      "5",
      '"gone"',
      "{}",
      '{"error":"gone"}',
    ],
    ...['{"error":null}', '{"error":{"message":"gone"}}', '{"error":{"code":404}}'],
  ])("causes the error class of its status, with the text as its body: %j", async (body) => {
    const { notetaker } = clientOf(() => new Response(body, { status: 404 }));
    const error = await rejectionOf(NotFoundError, notetaker.webhooks.list());
    const facts = { status: 404, code: undefined, details: undefined, outcome: "rejected", fromService: false };
    expect(error).toMatchObject({ ...facts, body });
  });

  it("leaves the first 2 KiB of its text in the error", async () => {
    const { notetaker } = clientOf(() => new Response("é".repeat(100_000), { status: 502 }), { maxRetries: 0 });
    const { body } = await rejectionOf(ServerError, notetaker.webhooks.list());
    expect(body).toBe("é".repeat(2_048));
  });

  it("is not read to its end if it never ends", async () => {
    const block = new Uint8Array(64 * 1024).fill(120);
    const { notetaker } = clientOf(
      () => new Response(new ReadableStream({ pull: (controller) => controller.enqueue(block) }), { status: 403 }),
    );
    expect((await rejectionOf(ApiError, notetaker.webhooks.list())).status).toBe(403);
  });
});
