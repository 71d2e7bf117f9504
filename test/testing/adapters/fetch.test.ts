import { createEmulator } from "notetaker-sdk/testing";
import { describe, expect, test } from "vitest";
import { emulatorClient } from "../emulator-client.js";

const service = createEmulator({ limits: "none" });
const headers = { authorization: `Bearer ${service.token}` };

async function upload(body: BodyInit, mediaType = "audio/wav") {
  const init = { method: "PUT", body, headers: { ...headers, "content-type": mediaType }, duplex: "half" };
  const response = await service.fetch(`${service.baseUrl}/meetings/upload`, init as RequestInit);
  expect(response.status).toBe(200);
  return ((await response.json()) as { id: string }).id;
}

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

  test("accepts every kind of body, and keeps it whatever the sender does with the bytes afterwards", async () => {
    const sent = new TextEncoder().encode("some bytes of a file");
    const stream = (bytes: Uint8Array) =>
      new ReadableStream({
        start(controller) {
          controller.enqueue(bytes);
          controller.close();
        },
      });
    const bytes = sent.slice();
    for (const body of ["some bytes of a file", bytes, bytes.buffer, new Blob([bytes]), stream(bytes)]) {
      const id = await upload(body);
      expect(service.requests.at(-1)).toMatchObject({ bodyBytes: sent.length, body: undefined });
      const recording = service.meetings.get(id)?.recording?.bytes;
      if (body instanceof ReadableStream) bytes.fill(0);
      expect(recording).toEqual(sent);
    }
  });

  test("counts the bytes of a large upload without keeping them", async () => {
    const piece = new Uint8Array(1024 * 1024);
    let left = 17;
    const body = new ReadableStream({
      pull(controller) {
        if (left-- > 0) controller.enqueue(piece);
        else controller.close();
      },
    });
    const id = await upload(body, "video/mp4");
    expect(service.requests.at(-1)!.bodyBytes).toBe(17 * 1024 * 1024);
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

  test("responds under any host, and under a base URL with a longer path, even one like that of the recordings", async () => {
    expect((await service.fetch("https://api.example.com/v1/webhooks", { headers })).status).toBe(200);
    const longer = createEmulator({ baseUrl: "https://api.example.com/recordings/v1/", token: service.token });
    expect(longer.baseUrl).toBe("https://api.example.com/recordings/v1");
    expect((await longer.fetch(`${longer.baseUrl}/webhooks`, { headers })).status).toBe(200);
  });
});

test("the emulator lists the requests and reports them to onRequest, with the status of the response", async () => {
  const reported: string[] = [];
  const onRequest = ({ path, status }: { path: string; status: number | undefined }) =>
    void reported.push(`${path} ${status}`);
  const { service, ask } = emulatorClient({ onRequest });
  const body = { meeting_url: "https://zoom.us/j/123456" };
  await ask("POST", "/meetings/bot", body);
  await ask("GET", "/rooms?limit=0");
  service.faults.next("GET /webhooks", "drop");
  await ask("GET", "/webhooks").catch(() => {});
  const url = `${service.baseUrl}/meetings/bot`;
  const at = service.clock.now();
  expect(service.requests).toMatchObject([
    { method: "POST", path: "/meetings/bot", url, route: "POST /meetings/bot", body, status: 202, at },
    { method: "GET", path: "/rooms", route: "GET /rooms", body: undefined, status: 422 },
    { path: "/webhooks", status: undefined },
  ]);
  expect(service.requests[0]!.headers.get("authorization")).toBe(`Bearer ${service.token}`);
  expect(service.requests[1]!.query.get("limit")).toBe("0");
  expect(reported).toEqual(["/meetings/bot 202", "/rooms 422", "/webhooks undefined"]);
});

describe("the emulator's strict mode", () => {
  test.each([
    ["GET", "/meetings/mtg_1", "to read one meeting, use GET /meetings?id=mtg_…"],
    ["GET", "/room", "expected one of POST /meetings/bot, DELETE /meetings/{event_id}/bot"],
    ["PUT", "/webhooks/whk_1", "no route PUT /webhooks/whk_1 in the emulator; expected PATCH or DELETE"],
    ["GET", "/rooms/", "no route GET /rooms/ in the emulator"],
    ["GET", "/../v2/rooms", "expected a path under /v1"],
  ])("answers the unknown route %s %s with an error that names what it expected: %s", async (method, path, message) => {
    const { status, body } = await emulatorClient().ask(method, path);
    expect(status).toBe(404);
    expect(body.error).toMatchObject({ code: "not_found", message: expect.stringContaining(message) });
  });

  test("can be turned off, so that unknown parameters and values of filters are ignored", async () => {
    const { service, ask, read } = emulatorClient({ strict: false });
    expect((await read("/rooms?limt=1&limit=2")).data).toHaveLength(2);
    const { id } = service.webhooks.list()[0]!;
    expect((await ask("PATCH", `/webhooks/${id}`, { enabled: false, colour: "red" })).status).toBe(200);
    const ignored = {
      "/rooms": ["scope=mine&expand=people", "scope=owned,shared", "expand=documents,meetings", "cursor=nonsense"],
      "/meetings": ["status=", "start_date=2025-06-01T00:00:00Z", "end_date=today"],
    };
    for (const [path, queries] of Object.entries(ignored)) {
      const { data } = await read(path);
      for (const query of queries) expect((await read(`${path}?${query}`)).data, query).toEqual(data);
    }
    expect((await ask("GET", "/rooms?scope=owned&scope=mine")).status).toBe(200);
    expect((await read("/rooms?expand=people&expand=meetings")).data[0].meetings).toHaveLength(3);
    expect((await read("/meetings?status=archived")).data).toEqual([]);
    expect((await read("/documents/doc_1?format=pdf")).format).toBe("html");
    expect((await read("/nothing")).error.message).toBe("resource not found");
    // Values that the API specification forbids are still refused.
    expect((await ask("GET", "/rooms?limit=0")).status).toBe(422);
  });
});
