/** The possible bodies of a response, and the result of the call. `body.test.ts` has how a body is read. */
import { type Notetaker, NotFoundError, ResponseValidationError, type ValidationMode } from "notetaker-sdk";
import { describe, expect, it } from "vitest";
import { CALLS } from "../support/calls.js";
import { clientOf, failureOf, json, rejectionOf } from "../support/recorder.js";
import * as samples from "../support/samples.js";

const asReceived = (value: unknown) => JSON.parse(JSON.stringify(value));

describe("a successful response that is not JSON", () => {
  it.each(["<html>Welcome</html>", "", '[{"id":"whk_1","url":', "[] []", "OK", "NaN", "  \n "])(
    "causes a ResponseValidationError with the status and the body, whatever the validation: %j",
    async (text) => {
      for (const validation of ["strict", "warn", "off"] as const) {
        const answer = () => new Response(text, { headers: { "content-type": "text/html" } });
        const error = await failureOf(answer, { validation });
        expect(error).toBeInstanceOf(ResponseValidationError);
        expect(error).toMatchObject({ status: 200, body: text, outcome: "unknown", retryable: false, attempts: 1 });
        expect(error.issues).toMatchObject([{ path: "" }]);
        expect((error.headers as Headers).get("content-type")).toBe("text/html");
        expect(error.request).toEqual({ method: "GET", url: "https://api.example.com/v1/webhooks" });
      }
    },
  );

  it("leaves the first 2 KiB of the body in the error", async () => {
    const { body } = await failureOf(() => new Response("x".repeat(1_000_000)));
    expect(body).toBe("x".repeat(2_048));
  });
});

describe("a successful response of the wrong shape", () => {
  it.each<[string, unknown, ...paths: string[]]>([
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
    ["two invalid fields", [{ ...samples.webhook, url: null, enabled: 1.5 }], "[0].url", "[0].enabled"],
  ])("causes a ResponseValidationError that names each field: %s", async (_, body, ...paths) => {
    const error = await failureOf(() => json(body));
    expect(error).toBeInstanceOf(ResponseValidationError);
    expect((error.issues as { path: string }[]).map(({ path }) => path)).toEqual(paths);
    expect(error.body).toEqual(asReceived(body));
    expect(error).toMatchObject({ outcome: "accepted", status: 200 });
  });

  const wrongFor = (answer: unknown) => {
    if (Array.isArray(answer)) return [5];
    // Valid enough for an iteration.
    return "data" in (answer as object) ? { data: [5], next_cursor: null, has_more: false } : { hello: "world" };
  };

  it.each(CALLS.filter(({ answer }) => answer !== undefined))(
    "is rejected by default, and returned unchanged with validation warn or off, as a right one is: $operation",
    async ({ make, answer, status }) => {
      const wrong = wrongFor(answer);
      for (const body of [wrong, answer]) {
        for (const validation of ["warn", "off"] as const) {
          const { notetaker } = clientOf(() => json(body, status), { validation });
          expect(asReceived(await make(notetaker))).toEqual(body);
        }
      }
      for (const options of [{}, { validation: "strict" as const }]) {
        expect(await failureOf(() => json(wrong, status), options, make)).toBeInstanceOf(ResponseValidationError);
      }
    },
  );
});

describe("a document in another format than the requested one", () => {
  const ask = (validation: ValidationMode, format: string) =>
    clientOf(() => json({ ...samples.document, format }), { validation }).notetaker.documents.get("doc_1", {
      format: "markdown",
    });

  it("is rejected, unless the validation is off", async () => {
    for (const format of ["html", "rtf"]) {
      const { issues } = await rejectionOf(ResponseValidationError, ask("strict", format));
      expect(issues).toMatchObject([{ path: "format", code: "invalid" }]);
      for (const validation of ["warn", "off"] as const) expect((await ask(validation, format)).format).toBe(format);
    }
    expect((await ask("strict", "markdown")).format).toBe("markdown");
  });
});

describe("a successful response with more than the documented content", () => {
  const rooms = (client: Notetaker) => client.rooms.list();
  const meetings = (client: Notetaker) => client.meetings.list();
  const webhooks = (client: Notetaker) => client.webhooks.list();
  const { room, meeting, webhook } = samples;
  const start = { source: "zoom", start_time: "2026-01-01T00:00:00Z" };
  const notYet = { title: null, duration: null, end_time: null, created_at: null };
  const nobody = { host: null, participants: null, documents: null };
  const odd = { status: "archived", source: "carrier_pigeon", mood: { color: "blue" } };
  const page = {
    ...samples.page([{ ...room, meetings: [{ ...samples.meetingSummary, ...odd }], tags: ["a"] }]),
    total: 1,
  };
  it.each<[string, unknown, (notetaker: Notetaker) => PromiseLike<unknown>]>([
    ["unknown fields and values", page, ({ rooms }) => rooms.list({ expand: ["meetings"] })],
    ["a room without share_url", samples.page([{ ...room, share_url: undefined }]), rooms],
    ["null in optional fields", samples.page([{ ...room, share_url: null, meetings: null, documents: null }]), rooms],
    ["a meeting that is not completed", samples.page([{ ...meeting, ...notYet, ...nobody }]), meetings],
    ["a meeting in its summary form", samples.page([{ id: "mtg_1", status: "scheduled", ...start }]), meetings],
    ["unknown people", samples.page([{ ...meeting, host: {}, participants: [{}] }]), meetings],
    ["no recording", { meeting_id: "mtg_1", recording_url: null }, ({ meetings }) => meetings.getRecording("mtg_1")],
    ["a format added later", { ...samples.document, format: "pdf" }, ({ documents }) => documents.get("doc_1")],
    ["an event kind added later", [{ ...webhook, events: ["meeting.deleted"] }], webhooks],
    ["any offset and fraction", [{ ...webhook, created_at: "2026-01-01T00:00:00.123456789+05:30" }], webhooks],
  ])("is returned as received: %s", async (_, body, call) => {
    const { notetaker } = clientOf(() => json(body));
    expect(asReceived(await call(notetaker))).toEqual(asReceived(body));
  });

  it("is not changed by a field named __proto__, or like a method of a page", async () => {
    const polluting = '"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"nextPage":1';
    const bodies = [
      `{"automation":"MANUAL",${polluting}}`,
      `{"data":[],"next_cursor":null,"has_more":false,${polluting}}`,
    ];
    const { notetaker } = clientOf((_, index) => new Response(bodies[index]));
    const automation = await notetaker.settings.getNotetakerAutomation();
    expect(Object.getPrototypeOf(automation)).toBe(Object.prototype);
    const rooms = await notetaker.rooms.list();
    expect(rooms.nextPage).toBeTypeOf("function");
    for (const value of [automation, rooms, {}]) expect((value as { polluted?: unknown }).polluted).toBeUndefined();
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
    "resolves to undefined, whatever JSON a successful response contains: %j",
    async (body) => {
      const { notetaker } = clientOf(() => new Response(body));
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
          expect(error).toMatchObject({ outcome: "unknown", status: 200 });
          expect(error.body).toContain(body.slice(0, 20));
        }
      }
    },
  );
});

describe("an error response without an envelope", () => {
  it.each([
    ...["<html>Bad gateway</html>", "", '{"error":{"code":"not_fo', "null", "[1]", "5", '"gone"', "{}"],
    ...['{"error":"gone"}', '{"error":null}', '{"error":{"message":"gone"}}', '{"error":{"code":404}}'],
  ])("causes the error class of its status, with the text as its body: %j", async (body) => {
    const error = await failureOf(() => new Response(body, { status: 404 }));
    expect(error).toBeInstanceOf(NotFoundError);
    const facts = { status: 404, code: undefined, details: undefined, outcome: "rejected", fromService: false };
    expect(error).toMatchObject({ ...facts, body });
  });
});
