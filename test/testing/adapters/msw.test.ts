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
  test("ignore every other URL", async () => {
    for (const address of ["https://api.notetaker.test.example.com/v1/rooms", "https://api.notetaker.test/v10/rooms"]) {
      expect((await fetch(address)).status).toBe(418);
    }
    expect(service.requests).toEqual([]);
  });

  test("respond under a base URL in another form than that of a request's URL", async () => {
    const { baseUrl, token, handlers } = createEmulator({ baseUrl: "https://API.other.test:443/v1" });
    server.use(...handlers());
    expect((await fetch(`${baseUrl}/rooms`, { headers: { authorization: `Bearer ${token}` } })).status).toBe(200);
  });

  test("leave precedence to a handler of the test", async () => {
    server.use(http.get(url, () => HttpResponse.json({ mine: true })));
    expect(await (await fetch(url, { headers })).json()).toEqual({ mine: true });
    server.resetHandlers();
    expect(await (await fetch(url, { headers })).json()).toHaveProperty("data");
  });

  test("leave the request's body unread for msw's events", async () => {
    const bodies: Promise<string>[] = [];
    server.events.on("request:end", ({ request }) => void bodies.push(request.text()));
    await fetch(`${service.baseUrl}/meetings/bot`, { method: "POST", headers, body: "{}" });
    expect(await Promise.all(bodies)).toEqual(["{}"]);
    server.events.removeAllListeners();
  });
});
