/** The emulator, compared with the API specification as data, row by row, with plain `fetch`. */
import { describe, expect, test } from "vitest";
import { differences } from "../../interface/conforms.js";
import {
  CONFERENCE_LINKS,
  ENDPOINTS,
  type Endpoint,
  ERROR_CODES,
  type Field,
  type FieldType,
  NEVER,
  RATE_LIMIT_HEADERS,
  RATE_LIMITS,
  RESOURCES,
  RETRY_AFTER_HEADER,
} from "../../interface/interface.js";
import { type Answered, badValues, endpoint, goodValues, listening, rightRequest } from "./plain-requests.js";

const named = ENDPOINTS.map((one) => [`${one.method} ${one.path}`, one] as const);

/** The names of the invalid fields in a response, from either envelope. */
function blamed({ status, body }: Answered, { invalid }: Endpoint): string[] {
  expect(status).toBe(invalid.status);
  if (invalid.envelope === "validation") {
    expect(differences({ kind: "object", of: "ValidationEnvelope" }, body, "body")).toEqual([]);
    return (body as { detail: { loc: string[] }[] }).detail.map(({ loc }) => loc.at(-1)!);
  }
  expect(differences({ kind: "object", of: "ErrorEnvelope" }, body, "body")).toEqual([]);
  expect(body).toMatchObject({ error: { code: "bad_request" } });
  return (body as { error: { details: { field: string }[] } }).error.details.map(({ field }) => field);
}

function expectError({ status, body }: Answered, wanted: number): void {
  expect(status).toBe(wanted);
  expect(differences({ kind: "object", of: "ErrorEnvelope" }, body, "body")).toEqual([]);
  const row = ERROR_CODES.find((one) => one.status === wanted)!;
  const { code, message } = (body as { error: { code: string; message: string } }).error;
  expect(code).toBe(row.code);
  if ("message" in row && wanted === 401) expect(message).toBe(row.message);
}

describe.each(named)("the emulator's %s", (_, row) => {
  test("responds to a valid request with the documented status and fields", async () => {
    const { service, send } = await listening();
    const { status, body } = await send(row.method, rightRequest(service, row));
    expect(status).toBe(row.response.status);
    if (row.response.type === "none") expect(body).toBeUndefined();
    else expect(differences(row.response.type, body, row.operation)).toEqual([]);
    if (row.answers) expect(body).toMatchObject(row.answers);
  });

  test("responds with 401 and the error envelope without the token, and changes nothing", async () => {
    const { service, send } = await listening();
    const request = rightRequest(service, row);
    const before = JSON.stringify([service.webhooks.list(), service.meetings.list(), service.bots.list()]);
    for (const authorization of [
      "",
      "Bearer",
      "Bearer ",
      `Bearer ${service.token}x`,
      `Basic ${service.token}`,
      service.token,
    ]) {
      expectError(await send(row.method, { ...request, headers: { ...request.headers, authorization } }), 401);
    }
    expect(JSON.stringify([service.webhooks.list(), service.meetings.list(), service.bots.list()])).toBe(before);
  });

  test("has rate limit headers with every status", async () => {
    const { service, send } = await listening();
    const request = rightRequest(service, row);
    const answers = [
      await send(row.method, request),
      await send(row.method, { ...request, query: new URLSearchParams({ nonsense: "1" }) }),
      await send(row.method, { ...request, headers: { authorization: "" } }),
    ];
    for (const { headers } of answers) {
      for (const header of RATE_LIMIT_HEADERS) expect(headers.get(header), header).toMatch(/^\d+$/);
    }
  });

  for (const field of row.pathParameters) {
    const type = field.type;
    if (type.kind === "id") {
      test(`refuses a ${field.name} of another form`, async () => {
        const { service, send } = await listening();
        const request = rightRequest(service, row);
        for (const bad of ["nonsense", type.prefix, `x${type.prefix}1`, `${type.prefix}%20`]) {
          const path = rewritten(row.path, request.path, field.name, bad);
          expect(blamed(await send(row.method, { ...request, path }), row), bad).toContain(field.name);
        }
      });
    }
    if (row.notFound.includes(field.name)) {
      test(`responds with 404 to a ${field.name} that does not exist`, async () => {
        const { service, send } = await listening();
        const request = rightRequest(service, row);
        const unknown = `${type.kind === "id" ? type.prefix : ""}00000000`;
        const answer = await send(row.method, {
          ...request,
          path: rewritten(row.path, request.path, field.name, unknown),
        });
        expectError(answer, 404);
        expect(answer.body).toMatchObject({ error: { message: "resource not found" } });
      });
    }
  }

  for (const parameter of row.query) {
    test(`supports ${parameter.name}: ${parameter.meaning}`, async () => {
      const { service, send } = await listening();
      const request = rightRequest(service, row);
      for (const good of goodValues(parameter.type)) {
        if (parameter.name === "cursor") continue;
        const { status } = await send(row.method, {
          ...request,
          query: new URLSearchParams({ [parameter.name]: good }),
        });
        expect(status, good.slice(0, 20)).toBe(row.response.status);
      }
      if (parameter.repeated) {
        const query = new URLSearchParams(goodValues(parameter.type).map((good) => [parameter.name, good]));
        expect((await send(row.method, { ...request, query })).status).toBe(row.response.status);
      }
    });

    const bad = parameter.name === "cursor" ? ["", "nonsense", "e30"] : badValues(parameter.type);
    if (bad.length > 0) {
      test(`refuses an invalid ${parameter.name}`, async () => {
        const { service, send } = await listening();
        const request = rightRequest(service, row);
        for (const value of bad) {
          const query = new URLSearchParams({ [parameter.name]: value });
          expect(blamed(await send(row.method, { ...request, query }), row), value.slice(0, 20)).toEqual([
            parameter.name,
          ]);
        }
      });
    }
    if (!parameter.repeated) {
      test(`refuses ${parameter.name} if it is sent twice`, async () => {
        const { service, send } = await listening();
        const query = new URLSearchParams([
          [parameter.name, "1"],
          [parameter.name, "2"],
        ]);
        const answer = await send(row.method, { ...rightRequest(service, row), query });
        expect(blamed(answer, row)).toEqual([parameter.name]);
      });
    }
  }

  test("refuses an unknown parameter, and names the known ones", async () => {
    const { service, send } = await listening();
    const answer = await send(row.method, {
      ...rightRequest(service, row),
      query: new URLSearchParams({ page_size: "10" }),
    });
    expect(blamed(answer, row)).toEqual(["page_size"]);
    for (const { name } of row.query) expect(JSON.stringify(answer.body)).toContain(name);
  });

  if (row.body.kind === "json") {
    const { fields } = row.body;
    const right = (service: Parameters<typeof rightRequest>[0]) =>
      JSON.parse(rightRequest(service, row).body as string) as Record<string, unknown>;

    test("refuses a body that is missing, not JSON or not an object", async () => {
      const { service, send } = await listening();
      const request = rightRequest(service, row);
      for (const body of [undefined, "", "{", "[]", "null", '"text"', "1"]) {
        expect(blamed(await send(row.method, { ...request, body }), row)).toEqual(["body"]);
      }
    });

    test("refuses an unknown field", async () => {
      const { service, send } = await listening();
      const body = JSON.stringify({ ...right(service), meetingUrl: "x" });
      const answer = await send(row.method, { ...rightRequest(service, row), body });
      expect(blamed(answer, row)).toEqual(["meetingUrl"]);
    });

    for (const field of fields) {
      test(`refuses an invalid ${field.name}`, async () => {
        const { service, send } = await listening();
        for (const bad of wrongFieldValues(field)) {
          const body = JSON.stringify({ ...right(service), [field.name]: bad });
          const answer = await send(row.method, { ...rightRequest(service, row), body });
          expect(blamed(answer, row), JSON.stringify(bad)?.slice(0, 40)).toEqual([field.name]);
        }
      });
      if (field.required) {
        test(`refuses a body without ${field.name}`, async () => {
          const { service, send } = await listening();
          const { [field.name]: _left, ...rest } = right(service);
          const answer = await send(row.method, { ...rightRequest(service, row), body: JSON.stringify(rest) });
          expect(blamed(answer, row)).toEqual([field.name]);
        });
      }
    }

    if (row.body.atLeastOne) {
      test("refuses a body without any field", async () => {
        const { service, send } = await listening();
        expect(blamed(await send(row.method, { ...rightRequest(service, row), body: "{}" }), row)).toEqual(["body"]);
      });
    }
  }

  if (row.body.kind === "binary") {
    const { contentTypes } = row.body;
    test("accepts each media type of the API specification, even with parameters and in capital letters", async () => {
      const { service, send } = await listening();
      const request = rightRequest(service, row);
      for (const type of contentTypes) {
        for (const written of [type, `${type}; codecs=opus`, type.toUpperCase()]) {
          const answer = await send(row.method, { ...request, headers: { "content-type": written } });
          expect(answer.status, written).toBe(row.response.status);
        }
      }
    });

    test("refuses another media type, a missing one, and an empty file", async () => {
      const { service, send } = await listening();
      const request = rightRequest(service, row);
      for (const type of [
        "audio/mp3",
        "video/x-matroska",
        "application/json",
        "multipart/form-data; boundary=x",
        "text/plain",
      ]) {
        const answer = await send(row.method, { ...request, headers: { "content-type": type } });
        expect(blamed(answer, row), type).toEqual(["content-type"]);
      }
      // The body has no media type of its own.
      expect(blamed(await send(row.method, { ...request, headers: {} }), row)).toEqual(["content-type"]);
      expect(blamed(await send(row.method, { ...request, body: new Uint8Array() }), row)).toEqual(["body"]);
    });
  }

  if (row.ownerOnly) {
    test("responds with 403 to a meeting that the caller does not own", async () => {
      const { service, send } = await listening();
      const shared = service.meetings.list().find(({ owned }) => !owned)!;
      const request = rightRequest(service, row);
      expectError(
        await send(row.method, { ...request, path: rewritten(row.path, request.path, "meeting_id", shared.id) }),
        403,
      );
    });
  }
});

/** The path with one parameter's value replaced. */
function rewritten(template: string, path: string, name: string, value: string): string {
  const given = path.split("/");
  return template
    .split("/")
    .map((segment, index) => (segment === `{${name}}` ? value : given[index]!))
    .join("/");
}

/** Values that a JSON field must not contain. */
function wrongFieldValues({ type }: Field): unknown[] {
  const others: unknown[] = [null, 7, true, [], {}, "text"];
  const notA = (kind: string) =>
    others.filter((value) => (Array.isArray(value) ? "array" : value === null ? "null" : typeof value) !== kind);
  switch (type.kind) {
    case "conference link":
      return [...notA("string"), ...CONFERENCE_LINKS.refused, `https://zoom.us/j/${"1".repeat(type.max - 17)}`];
    case "url":
      return [
        ...notA("string"),
        "hooks.example.com",
        "http://hooks.example.com/",
        "ftp://hooks.example.com/",
        `https://hooks.example.com/${"x".repeat(type.max - 25)}`,
      ];
    case "enum":
      // The API specification does not list the roles, so any role is accepted except an empty one.
      return type.open
        ? [...notA("string"), ""]
        : [...notA("string"), "", "text", type.values[0]!.toLowerCase().concat("_")];
    case "boolean":
      return notA("boolean");
    case "array":
      return [...notA("array"), [], [7], ["none"], [null]];
    case "object":
      return [...notA("object"), {}, { type: "" }, { type: 7 }, { type: null }];
    default:
      throw new Error(`no wrong values for ${(type as FieldType).kind}`);
  }
}

describe("the emulator's responses", () => {
  test("contain every field of the API specification, with all expansions", async () => {
    const { service, send } = await listening();
    // A second permission, so that there is a second page.
    const teammate = JSON.stringify({ recipient: { type: "teammate" }, role: "read" });
    await send("POST", { ...rightRequest(service, endpoint("setPermission")), body: teammate });
    const seen = new Map<string, Set<string>>();
    const note = (type: FieldType, value: unknown): void => {
      if (type.kind === "array") for (const item of value as unknown[]) note(type.of, item);
      if (type.kind !== "object" || typeof type.of !== "string" || value === null || value === undefined) return;
      const fields = seen.get(type.of) ?? new Set();
      seen.set(type.of, fields);
      for (const field of RESOURCES[type.of]) {
        const content = (value as Record<string, unknown>)[field.name];
        if (content === undefined || content === null) continue;
        fields.add(field.name);
        note(field.type, content);
      }
    };
    for (const row of ENDPOINTS) {
      const request = rightRequest(service, row);
      for (const { name, repeated, type } of row.query) {
        if (repeated && type.kind === "enum") for (const value of type.values) request.query.append(name, value);
        if (name === "limit") request.query.set(name, "1");
      }
      // The newest meeting is still being processed: it has no documents.
      if (row.operation === "listMeetings") request.query.set("status", "completed");
      const { body } = await send(row.method, request);
      if (row.response.type !== "none") note(row.response.type, body);
    }
    for (const name of Object.keys(RESOURCES) as (keyof typeof RESOURCES)[]) {
      if (/Error|Validation/.test(name)) continue;
      expect([name, ...(seen.get(name) ?? [])].sort()).toEqual(
        [name, ...RESOURCES[name].map((field) => field.name)].sort(),
      );
    }
  });

  test.each(NEVER)("of $operation never contain $field", async ({ operation, field }) => {
    const { service, send } = await listening();
    await send("POST", rightRequest(service, endpoint("createWebhook")));
    const row = endpoint(operation);
    const { body } = await send(row.method, rightRequest(service, row));
    expect(body).toHaveLength(2);
    expect(JSON.stringify(body)).not.toContain(field);
  });
});

describe("the emulator's rate limits", () => {
  const now = Date.UTC(2025, 5, 2, 9);

  test.each(RATE_LIMITS)(
    "allow $requests requests in $perMs ms for $operation",
    async ({ operation, requests, perMs, source }) => {
      const { service, send } = await listening({ now, limits: source === "specified" ? "specified" : "all" });
      const row = endpoint(operation ?? "listRooms");
      const request = rightRequest(service, row);
      // If a shorter limit comes first, the clock advances between the requests.
      const shorter = RATE_LIMITS.filter((limit) => limit.operation === operation && limit.perMs < perMs);
      const pauseMs = shorter.length === 0 ? 0 : Math.ceil(shorter[0]!.perMs / shorter[0]!.requests);
      for (let count = 1; count <= requests; count++) {
        const { status, headers } = await send(row.method, request);
        expect(status, `request ${count}`).toBe(row.response.status);
        if (shorter.length === 0) {
          expect(headers.get(RATE_LIMIT_HEADERS[0])).toBe(String(requests));
          expect(headers.get(RATE_LIMIT_HEADERS[1])).toBe(String(requests - count));
          expect(headers.get(RATE_LIMIT_HEADERS[2])).toBe(String((now + perMs) / 1000));
        }
        service.clock.advance(pauseMs);
      }
      const refused = await send(row.method, request);
      expectError(refused, 429);
      const waitSeconds = (perMs - requests * pauseMs) / 1000;
      expect(refused.headers.get(RETRY_AFTER_HEADER)).toBe(String(Math.max(1, waitSeconds)));
      expect(refused.headers.get(RATE_LIMIT_HEADERS[1])).toBe("0");

      service.clock.advance(waitSeconds * 1000 - 1);
      if (waitSeconds > 0) expectError(await send(row.method, request), 429);
      service.clock.advance(1);
      expect((await send(row.method, request)).status).toBe(row.response.status);
    },
  );

  test("count a request that is refused for another reason", async () => {
    const { service, send } = await listening({ limits: "specified" });
    const request = { ...rightRequest(service, endpoint("sendBot")), body: "{}" };
    for (let count = 0; count < 10; count++) expectError(await send("POST", request), 400);
    expectError(await send("POST", request), 429);
  });

  test("do not count a request that they refuse themselves", async () => {
    const { service, send } = await listening({ limits: "specified" });
    const request = rightRequest(service, endpoint("sendBot"));
    const sent: number[] = [];
    for (let minute = 0; minute < 6; minute++) {
      for (let count = 0; count < 15; count++) sent.push((await send("POST", request)).status);
      service.clock.advance(60_000);
    }
    expect(sent.filter((status) => status === 202)).toHaveLength(60);
  });

  test('are only reported if the API specification does not document them, unless limits is "all"', async () => {
    const { service, send } = await listening({ limits: "specified" });
    const request = rightRequest(service, endpoint("listWebhooks"));
    for (let count = 0; count < 70; count++) expect((await send("GET", request)).status).toBe(200);
    expect((await send("GET", request)).headers.get(RATE_LIMIT_HEADERS[1])).toBe("0");
  });
});

describe("POST /meetings/bot of the emulator", () => {
  const sent = (meeting_url: string) => JSON.stringify({ meeting_url });

  test.each(CONFERENCE_LINKS.accepted)("responds with 202 to %s", async (link) => {
    const { service, send } = await listening();
    const answer = await send("POST", { ...rightRequest(service, endpoint("sendBot")), body: sent(link) });
    expect(answer.status).toBe(202);
  });

  test("responds with 202 to a link of 1024 characters, and with 400 to a longer one", async () => {
    const { service, send } = await listening();
    const request = rightRequest(service, endpoint("sendBot"));
    const link = (length: number) => `https://zoom.us/j/1234567890?pwd=${"x".repeat(length - 33)}`;
    expect(link(1024)).toHaveLength(1024);
    expect((await send("POST", { ...request, body: sent(link(1024)) })).status).toBe(202);
    expectError(await send("POST", { ...request, body: sent(link(1025)) }), 400);
  });

  test("responds with 400 if the account has no connected calendar", async () => {
    const { service, send } = await listening();
    service.account.calendarConnected = false;
    expectError(await send("POST", rightRequest(service, endpoint("sendBot"))), 400);
  });

  test("responds with 403 if the plan is used up", async () => {
    const { service, send } = await listening();
    service.account.usageLimitReached = true;
    const answer = await send("POST", rightRequest(service, endpoint("sendBot")));
    expectError(answer, 403);
    expect(JSON.stringify(answer.body)).toContain("usage limit exceeded");
  });
});
