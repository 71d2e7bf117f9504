import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { createEmulator } from "notetaker-sdk/testing";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";

const service = createEmulator();
const beyond = http.all("*", () => new HttpResponse("not the emulator's", { status: 418 }));
const server = setupServer(...service.handlers(), beyond);
const headers = { authorization: `Bearer ${service.token}` };
const url = `${service.baseUrl}/rooms`;

beforeAll(() => server.listen({ onUnhandledRequest: "error" }));
afterEach(() => server.resetHandlers());
beforeEach(() => service.reset());
afterAll(() => server.close());

describe("the emulator's handlers for msw", () => {
  test("respond to the global fetch, with and without a body", async () => {
    const rooms = await fetch(`${url}?limit=1`, { headers });
    expect([rooms.status, rooms.headers.get("x-ratelimit-limit")]).toEqual([200, "60"]);
    const body = JSON.stringify({ meeting_url: "https://zoom.us/j/123456" });
    const sent = await fetch(`${service.baseUrl}/meetings/bot`, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body,
    });
    expect(sent.status).toBe(202);
    expect(service.requests[1]).toMatchObject({ body: { meeting_url: "https://zoom.us/j/123456" } });
  });

  test("respond to the download of a recording", async () => {
    const { id } = service.meetings.list().find(({ recording }) => recording !== null)!;
    const link = (await (await fetch(`${service.baseUrl}/meetings/${id}/recording`, { headers })).json()) as {
      recording_url: string;
    };
    expect((await (await fetch(link.recording_url)).arrayBuffer()).byteLength).toBe(16_044);
  });

  test("ignore every other URL", async () => {
    for (const address of ["https://api.notetaker.test.example.com/v1/rooms", "https://api.notetaker.test/v10/rooms"]) {
      expect((await fetch(address)).status).toBe(418);
    }
    expect(service.requests).toEqual([]);
  });

  test("leave precedence to a handler of the test", async () => {
    server.use(http.get(url, () => HttpResponse.json({ mine: true })));
    expect(await (await fetch(url, { headers })).json()).toEqual({ mine: true });
    server.resetHandlers();
    expect(await (await fetch(url, { headers })).json()).toHaveProperty("data");
  });

  test("apply faults: a dropped connection, and a body that breaks off", async () => {
    service.faults.next("GET /rooms", "drop");
    await expect(fetch(url, { headers })).rejects.toThrow(TypeError);
    service.faults.next("GET /rooms", "truncate");
    const cut = await fetch(url, { headers });
    await expect(cut.text()).rejects.toThrow("terminated");
  });

  test("leave the request's body unread for msw's events", async () => {
    const bodies: Promise<string>[] = [];
    server.events.on("request:end", ({ request }) => void bodies.push(request.text()));
    await fetch(`${service.baseUrl}/meetings/bot`, { method: "POST", headers, body: "{}" });
    expect(await Promise.all(bodies)).toEqual(["{}"]);
    server.events.removeAllListeners();
  });
});
