import { createEmulator } from "notetaker-sdk/testing";
import { describe, expect, test } from "vitest";
import { emulatorClient } from "../emulator-client.js";

const service = createEmulator({ limits: "none" });
const headers = { authorization: `Bearer ${service.token}` };

describe("the emulator's fetch", () => {
  test("accepts the arguments of the global fetch: a string, a URL, a Request, and an init over a Request", async () => {
    const url = `${service.baseUrl}/rooms?limit=1`;
    const unauthorized = new Request(url);
    const answers = [
      await service.fetch(url, { headers }),
      await service.fetch(new URL(url), { headers: new Headers(headers) }),
      await service.fetch(new Request(url, { headers })),
      await service.fetch(unauthorized, { headers }),
    ];
    for (const answer of answers) expect(answer.status).toBe(200);
    expect((await service.fetch(unauthorized)).status).toBe(401);
  });

  test("serves the API under a base URL whose path begins like that of the recordings", async () => {
    const { baseUrl, fetch } = createEmulator({ baseUrl: "https://a.example/recordings/v1", token: service.token });
    expect((await fetch(`${baseUrl}/rooms`, { headers })).status).toBe(200);
  });

  test("accepts every kind of body", async () => {
    const bytes = new TextEncoder().encode("some bytes of a file");
    const stream = () => new Response(bytes).body!;
    const bodies = [bytes, bytes.buffer, new Blob([bytes]), stream(), "some bytes of a file"];
    for (const body of bodies) {
      const init = { method: "PUT", body, headers: { ...headers, "content-type": "audio/wav" }, duplex: "half" };
      expect((await service.fetch(`${service.baseUrl}/meetings/upload`, init as RequestInit)).status).toBe(200);
      expect(service.requests.at(-1)).toMatchObject({ bodyBytes: bytes.length, body: undefined });
    }
  });

  test("keeps an upload as it was sent, whatever its sender does with the bytes afterwards", async () => {
    const bytes = Uint8Array.of(1, 2, 3);
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(bytes);
        controller.close();
      },
    });
    const init = { method: "PUT", body, headers: { ...headers, "content-type": "audio/wav" }, duplex: "half" };
    const answer = await service.fetch(`${service.baseUrl}/meetings/upload`, init as RequestInit);
    bytes.fill(0);
    const { id } = (await answer.json()) as { id: string };
    expect(service.meetings.get(id)?.recording?.bytes).toEqual(Uint8Array.of(1, 2, 3));
  });

  test("counts the bytes of a large upload without keeping them", async () => {
    const piece = new Uint8Array(1024 * 1024);
    let left = 40;
    const body = new ReadableStream({
      pull(controller) {
        if (left-- > 0) controller.enqueue(piece);
        else controller.close();
      },
    });
    const init = { method: "PUT", body, headers: { ...headers, "content-type": "video/mp4" }, duplex: "half" };
    const answer = await service.fetch(`${service.baseUrl}/meetings/upload`, init as RequestInit);
    const { id } = (await answer.json()) as { id: string };
    expect(service.requests.at(-1)!.bodyBytes).toBe(40 * 1024 * 1024);
    expect(service.meetings.get(id)!.recording).toEqual({ contentType: "video/mp4" });
  });

  test("rejects with the reason of an aborted signal, before and while the body is read", async () => {
    const url = `${service.baseUrl}/meetings/upload`;
    const reason = { why: "the user left" };
    const before = service.requests.length;
    await expect(service.fetch(url, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(service.requests).toHaveLength(before);
    const controller = new AbortController();
    const body = new ReadableStream({ pull: () => new Promise(() => {}) });
    const init = { method: "PUT", body, headers, duplex: "half", signal: controller.signal };
    const answer = service.fetch(url, init as RequestInit);
    setTimeout(() => controller.abort(reason), 1);
    await expect(answer).rejects.toBe(reason);
  });

  test("responds to requests to any host, so that a client can keep its base URL", async () => {
    expect((await service.fetch("https://api.example.com/v1/webhooks", { headers })).status).toBe(200);
    const longer = createEmulator({ baseUrl: "https://api.example.com/notes/v1/" });
    expect(longer.baseUrl).toBe("https://api.example.com/notes/v1");
    const init = { headers: { authorization: `Bearer ${longer.token}` } };
    expect((await longer.fetch(`${longer.baseUrl}/webhooks`, init)).status).toBe(200);
  });
});

describe("the emulator's list of requests", () => {
  test("contains what arrived, and the status of the response", async () => {
    const { service, ask } = emulatorClient();
    await ask("POST", "/meetings/bot", { meeting_url: "https://zoom.us/j/123456" });
    await ask("GET", "/rooms?limit=0");
    expect(service.requests).toMatchObject([
      {
        method: "POST",
        path: "/meetings/bot",
        url: `${service.baseUrl}/meetings/bot`,
        route: "POST /meetings/bot",
        body: { meeting_url: "https://zoom.us/j/123456" },
        status: 202,
        at: service.clock.now(),
      },
      { method: "GET", path: "/rooms", route: "GET /rooms", body: undefined, status: 422 },
    ]);
    expect(service.requests[0]!.headers.get("authorization")).toBe(`Bearer ${service.token}`);
    expect(service.requests[1]!.query.get("limit")).toBe("0");
  });

  test("is reported to onRequest, request by request, with the responses", async () => {
    const told: string[] = [];
    const { service, ask } = emulatorClient({ onRequest: ({ path, status }) => void told.push(`${path} ${status}`) });
    await ask("GET", "/rooms");
    service.faults.next("GET /webhooks", "drop");
    await ask("GET", "/webhooks").catch(() => {});
    expect(told).toEqual(["/rooms 200", "/webhooks undefined"]);
  });
});

describe("the emulator's strict mode", () => {
  test.each([
    ["GET", "/meetings/mtg_1", "to read one meeting, use GET /meetings?id=mtg_…"],
    ["GET", "/room", "expected one of POST /meetings/bot, DELETE /meetings/{event_id}/bot"],
    ["POST", "/rooms", "no route POST /rooms in the emulator; expected GET"],
    ["PUT", "/webhooks/whk_1", "expected PATCH or DELETE"],
    ["GET", "/rooms/", "no route GET /rooms/ in the emulator"],
  ])("answers the unknown route %s %s with an error that names what it expected: %s", async (method, path, message) => {
    const { ask } = emulatorClient();
    const { status, body } = await ask(method, path);
    expect(status).toBe(404);
    expect(body.error).toMatchObject({ code: "not_found", message: expect.stringContaining(message) });
  });

  test("answers a path outside the base URL with an error that names what it expected", async () => {
    const { service } = emulatorClient();
    const init = { headers: { authorization: `Bearer ${service.token}` } };
    const answer = await service.fetch("https://api.notetaker.test/v2/rooms", init);
    expect(await answer.text()).toContain("expected a path under /v1");
  });

  test("can be turned off, so that unknown parameters and values of filters are ignored", async () => {
    const { service, ask } = emulatorClient({ strict: false });
    expect((await ask("GET", "/rooms?limt=1&limit=2")).body.data).toHaveLength(2);
    const { id } = service.webhooks.list()[0]!;
    expect((await ask("PATCH", `/webhooks/${id}`, { enabled: false, colour: "red" })).status).toBe(200);
    for (const query of ["scope=mine&expand=people", "expand=people&expand=meetings", "scope=owned&scope=mine"]) {
      expect((await ask("GET", `/rooms?${query}`)).status, query).toBe(200);
    }
    for (const query of ["cursor=", "cursor=nonsense", "scope=owned,shared", "expand=documents,meetings"]) {
      expect((await ask("GET", `/rooms?${query}`)).body.data, query).toHaveLength(5);
    }
    for (const query of ["status=", "start_date=2025-06-01T00:00:00Z", "end_date=today"]) {
      expect((await ask("GET", `/meetings?${query}`)).body.data, query).toHaveLength(11);
    }
    expect((await ask("GET", "/rooms?expand=people&expand=meetings")).body.data[0].meetings).toHaveLength(3);
    expect((await ask("GET", "/meetings?status=archived")).body.data).toEqual([]);
    expect((await ask("GET", "/documents/doc_1?format=pdf")).body.format).toBe("html");
    expect((await ask("GET", "/nothing")).body.error.message).toBe("resource not found");
    // Values that the API specification forbids are still refused.
    expect((await ask("GET", "/rooms?limit=0")).status).toBe(422);
  });
});
