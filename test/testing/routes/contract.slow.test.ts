/** The emulator, compared with the API specification as data, row by row, with plain requests. */
import { Notetaker } from "notetaker-sdk";
import { createEmulator, type Emulator } from "notetaker-sdk/testing";
import { describe, expect, test } from "vitest";
import { differences } from "../../interface/conforms.js";
import { edges } from "../../interface/edges.js";
import { exampleRequest, type PlainRequest, withId } from "../../interface/example-request.js";
import {
  CONFERENCE_LINKS,
  ENDPOINTS,
  type Endpoint,
  ERROR_CODES,
  type FieldType,
  NEVER,
  type OperationName,
  RATE_LIMIT_HEADERS,
  RATE_LIMITS,
  RESOURCES,
  RETRY_AFTER_HEADER,
} from "../../interface/interface.js";
import { objectOf } from "../../interface/sample.js";

interface Answered {
  status: number;
  headers: Headers;
  body: unknown;
}

const endpoint = (operation: OperationName): Endpoint => ENDPOINTS.find((one) => one.operation === operation)!;

/** An emulator for requests to one endpoint. `send` sends a valid request, with some of its parts replaced. */
function emulating(row: Endpoint, service: Emulator = createEmulator({ limits: "none" })) {
  const right = exampleRequest(service, row);
  const send = async (replaced: Partial<PlainRequest> = {}): Promise<Answered> => {
    const { path, query, headers, body } = { ...right, ...replaced };
    const response = await service.fetch(`${service.baseUrl}${path}${query.size === 0 ? "" : `?${query}`}`, {
      method: row.method,
      headers: { authorization: `Bearer ${service.token}`, ...headers },
      ...(body === undefined ? {} : { body }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === "" ? undefined : JSON.parse(text) };
  };
  const sendBody = (body: unknown) => send({ body: JSON.stringify(body) });
  const sendQuery = (query: ConstructorParameters<typeof URLSearchParams>[0]) =>
    send({ query: new URLSearchParams(query) });
  return { service, right, send, sendBody, sendQuery };
}

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

describe.each(ENDPOINTS.map((row) => [`${row.method} ${row.path}`, row] as const))("the emulator's %s", (_, row) => {
  test("responds to a valid request with the documented status and fields", async () => {
    const { status, body } = await emulating(row).send();
    expect(status).toBe(row.response.status);
    if (row.response.type === "none") expect(body).toBeUndefined();
    else expect(differences(row.response.type, body, row.operation)).toEqual([]);
    if (row.answers) expect(body).toMatchObject(row.answers);
  });

  test("responds with 401 and the error envelope without the token, and changes nothing", async () => {
    const { service, right, send } = emulating(row);
    const state = () => JSON.stringify([service.webhooks.list(), service.meetings.list(), service.bots.list()]);
    const before = state();
    const { token } = service;
    for (const authorization of ["", "Bearer", "Bearer ", `Bearer ${token}x`, `Basic ${token}`, token]) {
      expectError(await send({ headers: { ...right.headers, authorization } }), 401);
    }
    expect(state()).toBe(before);
  });

  test("has rate limit headers with every status, if a limit of it is enforced", async () => {
    const { send, sendQuery } = emulating(row, createEmulator({ limits: "all" }));
    const answers = [await send(), await sendQuery({ nonsense: "1" }), await send({ headers: { authorization: "" } })];
    for (const { headers } of answers) {
      for (const header of RATE_LIMIT_HEADERS) expect(headers.get(header), header).toMatch(/^\d+$/);
    }
  });

  for (const { name, type } of row.pathParameters) {
    test(`refuses a ${name} of another form, and responds with 404 to one that does not exist`, async () => {
      const { right, send } = emulating(row);
      const sendId = (id: string) => send({ path: withId(row, right.path, name, id) });
      const prefix = type.kind === "id" ? type.prefix : "";
      for (const bad of prefix === "" ? [] : ["nonsense", prefix, `x${prefix}1`, `${prefix}%20`]) {
        expect(blamed(await sendId(bad), row), bad).toContain(name);
      }
      if (!row.notFound.includes(name)) return;
      const answer = await sendId(`${prefix}00000000`);
      expectError(answer, 404);
      expect(answer.body).toMatchObject({ error: { message: "resource not found" } });
    });
  }

  for (const { name, type, repeated, meaning } of row.query) {
    test(`supports ${name} (${meaning}), and refuses an invalid one`, async () => {
      const { sendQuery } = emulating(row);
      // A cursor is a text that the emulator has made.
      const { good, bad } = name === "cursor" ? { good: [], bad: ["", "nonsense", "e30"] } : queryEdges(type);
      for (const value of good) {
        expect((await sendQuery({ [name]: value })).status, value.slice(0, 20)).toBe(row.response.status);
      }
      for (const value of bad) {
        expect(blamed(await sendQuery({ [name]: value }), row), value.slice(0, 20)).toEqual([name]);
      }
      const twice = await sendQuery(
        repeated
          ? good.map((value) => [name, value])
          : [
              [name, "1"],
              [name, "2"],
            ],
      );
      if (repeated) expect(twice.status).toBe(row.response.status);
      else expect(blamed(twice, row)).toEqual([name]);
    });
  }

  test("refuses an unknown parameter, and names the known ones", async () => {
    const answer = await emulating(row).sendQuery({ page_size: "10" });
    expect(blamed(answer, row)).toEqual(["page_size"]);
    for (const { name } of row.query) expect(JSON.stringify(answer.body)).toContain(name);
  });

  if (row.body.kind === "json") {
    const { fields, atLeastOne } = row.body;

    test("refuses JSON without its media type, unless it is lenient", async () => {
      for (const type of [undefined, "text/plain;charset=UTF-8", "application/jsonp"]) {
        const headers: Record<string, string> = type === undefined ? {} : { "content-type": type };
        const { right, send } = emulating(row);
        const body = new TextEncoder().encode(right.body as string);
        expect(blamed(await send({ headers, body }), row), type).toEqual(["content-type"]);
        const lenient = emulating(row, createEmulator({ strict: false }));
        expect((await lenient.send({ headers, body })).status, type).toBe(row.response.status);
      }
    });

    test("refuses a body that is missing, not JSON or not an object, and an unknown field", async () => {
      const { right, send, sendBody } = emulating(row);
      for (const body of [undefined, "", "{", "[]", "null", '"text"', "1"]) {
        expect(blamed(await send({ body }), row)).toEqual(["body"]);
      }
      if (atLeastOne) expect(blamed(await sendBody({}), row)).toEqual(["body"]);
      const valid = JSON.parse(right.body as string);
      expect(blamed(await sendBody({ ...valid, meetingUrl: "x" }), row)).toEqual(["meetingUrl"]);
    });

    test.each(fields)("refuses a body with an invalid or missing $name", async (field) => {
      const { right, sendBody } = emulating(row);
      const { [field.name]: _left, ...others } = JSON.parse(right.body as string);
      for (const bad of edges(field.type).bad) {
        const answer = await sendBody({ ...others, [field.name]: bad });
        expect(blamed(answer, row), JSON.stringify(bad)?.slice(0, 40)).toEqual([field.name]);
      }
      if (field.required) expect(blamed(await sendBody(others), row)).toEqual([field.name]);
    });
  }

  if (row.body.kind === "binary") {
    const { contentTypes } = row.body;

    test("accepts each media type of the API specification, even with parameters and in capital letters", async () => {
      const { send } = emulating(row);
      for (const type of contentTypes.flatMap((name) => [name, `${name}; codecs=opus`, name.toUpperCase()])) {
        expect((await send({ headers: { "content-type": type } })).status, type).toBe(row.response.status);
      }
    });

    test("refuses another media type, a missing one, and an empty file", async () => {
      const { send } = emulating(row);
      for (const type of ["audio/mp3", "video/x-matroska", "application/json", "multipart/form-data; boundary=x"]) {
        expect(blamed(await send({ headers: { "content-type": type } }), row), type).toEqual(["content-type"]);
      }
      // The body has no media type of its own.
      expect(blamed(await send({ headers: {} }), row)).toEqual(["content-type"]);
      expect(blamed(await send({ body: new Uint8Array() }), row)).toEqual(["body"]);
    });
  }

  if (row.ownerOnly) {
    test("responds with 403 to a meeting that the caller does not own", async () => {
      const { service, right, send } = emulating(row);
      const shared = service.meetings.list().find(({ owned }) => !owned)!;
      expectError(await send({ path: withId(row, right.path, "meeting_id", shared.id) }), 403);
    });
  }
});

function queryEdges(type: FieldType): { good: string[]; bad: string[] } {
  const { good, bad } = edges(type);
  const texts = (values: readonly unknown[]) => values.filter((value) => typeof value === "string");
  const numbers = (values: readonly unknown[]) => values.filter((value) => typeof value === "number").map(String);
  switch (type.kind) {
    case "integer":
      return { good: numbers(good), bad: [...numbers(bad), "", "ten", "1e1", " 1"] };
    case "id": {
      const { prefix } = type;
      return { good: texts(good), bad: ["", "abc123", prefix, `${prefix}a,${prefix}b`, `other_${prefix}1`] };
    }
    case "string":
      return { good: ["", ...texts(good)], bad: [] };
    default:
      return { good: texts(good), bad: texts(bad) };
  }
}

describe("the emulator's responses", () => {
  test("contain every field of the API specification, with all expansions", async () => {
    const service = createEmulator({ limits: "none" });
    // A second permission, so that there is a second page.
    await emulating(endpoint("setPermission"), service).sendBody({ recipient: { type: "team" }, role: "read" });
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
      const { right, send } = emulating(row, service);
      for (const { name, repeated, type } of row.query) {
        if (repeated && type.kind === "enum") for (const value of type.values) right.query.append(name, value);
        if (name === "limit") right.query.set(name, "1");
      }
      // The newest meeting is still being processed: it has no documents.
      if (row.operation === "listMeetings") right.query.set("status", "completed");
      const { body } = await send();
      if (row.response.type !== "none") note(row.response.type, body);
    }
    // The meetings of the default account need not have every field that the service may leave out.
    const optional = RESOURCES.Meeting.filter(({ required, type }) => !required && !/object|array/.test(type.kind));
    const seeded = createEmulator({ limits: "none", seed: { meetings: [objectOf(optional)] } });
    const { meetings } = new Notetaker(seeded.clientOptions);
    for await (const meeting of meetings.list()) note({ kind: "object", of: "Meeting" }, meeting);
    for (const name of Object.keys(RESOURCES) as (keyof typeof RESOURCES)[]) {
      if (/Error|Validation/.test(name)) continue;
      expect([name, ...(seen.get(name) ?? [])].sort()).toEqual(
        [name, ...RESOURCES[name].map((field) => field.name)].sort(),
      );
    }
  });

  test.each(NEVER)("of $operation never contain $field", async ({ operation, field }) => {
    const service = createEmulator();
    await emulating(endpoint("createWebhook"), service).send();
    const { body } = await emulating(endpoint(operation), service).send();
    expect(body).toHaveLength(2);
    expect(JSON.stringify(body)).not.toContain(field);
  });
});

describe("the emulator's rate limits", () => {
  const now = Date.UTC(2025, 5, 2, 9);

  test.each(RATE_LIMITS)(
    "allow $requests requests in $perMs ms for $operation",
    async ({ operation, requests, perMs, source }) => {
      const service = createEmulator({ now, limits: source === "specified" ? "specified" : "all" });
      const row = endpoint(operation ?? "listRooms");
      const { send } = emulating(row, service);
      // If a shorter limit comes first, the clock advances between the requests.
      const shorter = RATE_LIMITS.filter((limit) => limit.operation === operation && limit.perMs < perMs);
      const pauseMs = shorter.length === 0 ? 0 : Math.ceil(shorter[0]!.perMs / shorter[0]!.requests);
      for (let count = 1; count <= requests; count++) {
        const { status, headers } = await send();
        expect(status, `request ${count}`).toBe(row.response.status);
        if (shorter.length === 0) {
          expect(headers.get(RATE_LIMIT_HEADERS[0])).toBe(String(requests));
          expect(headers.get(RATE_LIMIT_HEADERS[1])).toBe(String(requests - count));
          expect(headers.get(RATE_LIMIT_HEADERS[2])).toBe(String((now + perMs) / 1000));
        }
        service.clock.advance(pauseMs);
      }
      const refused = await send();
      expectError(refused, 429);
      const waitSeconds = (perMs - requests * pauseMs) / 1000;
      expect(refused.headers.get(RETRY_AFTER_HEADER)).toBe(String(Math.max(1, waitSeconds)));
      expect(refused.headers.get(RATE_LIMIT_HEADERS[1])).toBe("0");

      service.clock.advance(waitSeconds * 1000 - 1);
      if (waitSeconds > 0) expectError(await send(), 429);
      service.clock.advance(1);
      expect((await send()).status).toBe(row.response.status);
    },
  );

  test("hold for every period, not for the minutes of a clock", async () => {
    const service = createEmulator({ now });
    const { send } = emulating(endpoint("upload"), service);
    await send();
    service.clock.advance(59_000);
    for (let count = 0; count < 9; count++) await send();
    service.clock.advance(1_000);
    expect((await send()).status).toBe(200);
    expect((await send()).headers.get(RETRY_AFTER_HEADER)).toBe("59");
  });

  test("are in real seconds if the clock of the emulator is faster, or was advanced", async () => {
    let real = now;
    // Without steps, no timer is left behind.
    const service = createEmulator({ now: () => real, speed: 60, stepTimes: "manual" });
    const { send } = emulating(endpoint("upload"), service);
    service.clock.advance(3_600_000);
    for (let count = 0; count < 10; count++) await send();
    real += 250;
    const { headers } = await send();
    expect(headers.get(RETRY_AFTER_HEADER)).toBe("1");
    expect(headers.get(RATE_LIMIT_HEADERS[2])).toBe(String(now / 1000 + 1));
    real += 750;
    expect((await send()).status).toBe(200);
  });

  test("count a request that is refused for another reason", async () => {
    const { send } = emulating(endpoint("sendBot"), createEmulator());
    for (let count = 0; count < 10; count++) expectError(await send({ body: "{}" }), 400);
    expectError(await send({ body: "{}" }), 429);
  });

  test("do not count a request that they refuse themselves", async () => {
    const { service, send } = emulating(endpoint("sendBot"), createEmulator());
    const sent: number[] = [];
    for (let minute = 0; minute < 6; minute++) {
      for (let count = 0; count < 15; count++) sent.push((await send()).status);
      service.clock.advance(60_000);
    }
    expect(sent.filter((status) => status === 202)).toHaveLength(60);
  });

  test.each([
    ["specified", "listWebhooks"],
    ["none", "listWebhooks"],
    ["none", "sendBot"],
  ] as const)("%s neither enforce nor announce a limit of %s", async (limits, operation) => {
    const { send } = emulating(endpoint(operation), createEmulator({ limits }));
    for (let count = 0; count < 70; count++) {
      const { status, headers } = await send();
      expect(status).toBeLessThan(300);
      for (const header of RATE_LIMIT_HEADERS) expect(headers.get(header), header).toBeNull();
    }
  });
});

describe("POST /meetings/bot of the emulator", () => {
  test("accepts links to further hosts with the option conferenceHosts", async () => {
    const meeting_url = "https://eu.meet.example.com/team";
    expectError(await emulating(endpoint("sendBot")).sendBody({ meeting_url }), 400);
    const service = createEmulator({ conferenceHosts: ["meet.example.com"] });
    expect((await emulating(endpoint("sendBot"), service).sendBody({ meeting_url })).status).toBe(202);
  });

  test("accepts every documented link", async () => {
    const { sendBody } = emulating(endpoint("sendBot"));
    for (const meeting_url of CONFERENCE_LINKS.accepted) {
      expect((await sendBody({ meeting_url })).status, meeting_url).toBe(202);
    }
  });
});
