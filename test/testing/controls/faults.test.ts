import type { Emulator } from "notetaker-sdk/testing";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { emulatorClient, sendBot } from "../emulator-client.js";

/** `check` gets a function that sends one request to `/rooms`: in memory, then over HTTP. */
async function inEachWay(check: (request: () => Promise<Response>, service: Emulator) => Promise<void>) {
  const { service } = emulatorClient();
  const { url, close } = await service.listen();
  onTestFinished(close);
  const headers = { authorization: `Bearer ${service.token}` };
  await check(() => service.fetch(`${service.baseUrl}/rooms`, { headers }), service);
  await check(() => fetch(`${url}/rooms`, { headers }), service);
}

describe("a planned fault of the emulator", () => {
  test("responds with a status and the error envelope, as many times as planned", async () => {
    const { service, ask } = emulatorClient();
    service.faults.next("GET /meetings/:id/transcript", { status: 429, retryAfterSeconds: 7, times: 2 });
    for (let count = 0; count < 2; count++) {
      const { status, headers, body } = await ask("GET", "/meetings/mtg_1/transcript");
      expect([status, headers.get("retry-after"), body.error.code]).toEqual([429, "7", "rate_limited"]);
    }
    expect((await ask("GET", "/meetings/mtg_1/transcript")).status).toBe(200);
    expect(service.faults.unused()).toEqual([]);
  });

  test("that is planned after a reset meets a request that had been sent before the reset", async () => {
    const { service } = emulatorClient();
    const response = service.fetch(`${service.baseUrl}/rooms`);
    service.reset();
    service.faults.next("GET /rooms", { status: 500 });
    expect((await response).status).toBe(500);
    expect(service.faults.unused()).toEqual([]);
  });

  test.each([["drop"], [{ kind: "drop" }]] as const)("drops the connection, so that fetch fails: %j", async (fault) => {
    await inEachWay(async (request, service) => {
      service.faults.next("GET /rooms", fault);
      await expect(request()).rejects.toThrow(new TypeError("fetch failed"));
      expect((await request()).status).toBe(200);
    });
  });

  test("of kind truncate sends the headers, the full length and half of the body, then breaks the connection", async () => {
    await inEachWay(async (request, service) => {
      const whole = await (await request()).text();
      service.faults.next("GET /rooms", "truncate");
      const response = await request();
      expect(response.status).toBe(200);
      expect(response.headers.get("content-length")).toBe(String(new TextEncoder().encode(whole).length));
      let arrived = "";
      const reading = (async () => {
        for await (const piece of response.body!) arrived += new TextDecoder().decode(piece);
      })();
      await expect(reading).rejects.toThrow(new TypeError("terminated"));
      expect(arrived.length).toBeGreaterThan(0);
      expect(whole.startsWith(arrived) && arrived.length < whole.length).toBe(true);
    });
  });

  test("of kind malformed responds with text that is not JSON", async () => {
    await inEachWay(async (request, service) => {
      service.faults.next("GET /rooms", "malformed");
      const response = await request();
      expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/json"]);
      await expect(response.json()).rejects.toThrow(SyntaxError);
    });
  });

  test("spares as many requests as after says, also those of a later plan", async () => {
    const { service, ask } = emulatorClient();
    service.faults.next("GET /rooms", { status: 500, after: 3, times: 2 });
    service.faults.next("*", { status: 503, after: 1 });
    const statuses: number[] = [];
    for (let count = 0; count < 8; count++) statuses.push((await ask("GET", "/rooms")).status);
    expect(statuses).toEqual([200, 200, 200, 500, 500, 200, 503, 200]);
    expect(service.faults.unused()).toEqual([]);
  });

  test("of kind html responds with HTML, and of kind validation with the validation envelope", async () => {
    const { service } = emulatorClient();
    const request = () => service.fetch(`${service.baseUrl}/rooms`);
    service.faults.next("GET /rooms", "html");
    service.faults.next("GET /rooms", { kind: "html", status: 504 });
    service.faults.next("GET /rooms", "validation");
    const [bad, late, invalid] = [await request(), await request(), await request()];
    expect([bad.status, bad.headers.get("content-type"), late.status]).toEqual([502, "text/html", 504]);
    expect(await bad.text()).toContain("<html>");
    expect(invalid.status).toBe(422);
    expect(await invalid.json()).toHaveProperty("detail[0].loc");
  });

  test("can have its own headers and body", async () => {
    const { service } = emulatorClient();
    service.faults.next("GET /rooms", { status: 302, headers: { location: "https://elsewhere.example/" } });
    service.faults.next("GET /rooms", { status: 200, body: { data: [], next_cursor: null, has_more: true } });
    service.faults.next("GET /rooms", { status: 500, body: "" });
    service.faults.next("GET /rooms", { status: 500, headers: new Headers({ "x-a": "1" }) as never });
    const request = () => service.fetch(`${service.baseUrl}/rooms`);
    expect((await request()).headers.get("location")).toBe("https://elsewhere.example/");
    expect(await (await request()).json()).toEqual({ data: [], next_cursor: null, has_more: true });
    expect(await (await request()).text()).toBe("");
    expect((await request()).headers.get("x-a")).toBe("1");
  });

  test("delays the response, and an abort during the delay rejects with its reason", async () => {
    vi.useFakeTimers();
    const { service } = emulatorClient();
    service.faults.next("GET /rooms", { delayMs: 60_000, times: 2 });
    const controller = new AbortController();
    const ends: unknown[] = [];
    const request = (init: RequestInit) =>
      service.fetch(`${service.baseUrl}/rooms`, init).then(
        ({ status }) => ends.push(status),
        (error) => ends.push(error),
      );
    void request({});
    void request({ signal: controller.signal });
    await vi.advanceTimersByTimeAsync(59_999);
    expect(ends).toEqual([]);
    controller.abort("the user left");
    await vi.advanceTimersByTimeAsync(1);
    expect(ends).toEqual(["the user left", 401]);
  });

  test("prevents the action by default, or loses only the response if `acts` is set", async () => {
    const { service, ask } = emulatorClient();
    const bots = () => service.bots.list().length;
    const before = bots();
    service.faults.next("POST /meetings/bot", { status: 503 });
    await expect(sendBot(ask)).rejects.toThrow("503");
    expect(bots()).toBe(before);
    service.faults.next("POST /meetings/bot", { kind: "drop", acts: true });
    await expect(sendBot(ask)).rejects.toThrow("fetch failed");
    expect(bots()).toBe(before + 1);
  });

  test("that was not used is returned by unused()", () => {
    const { service } = emulatorClient();
    service.faults.next("GET /rooms", { status: 500, times: 3 });
    service.faults.next("DELETE /webhooks/:id", "drop");
    expect(service.faults.unused()).toMatchObject([
      { route: "GET /rooms", left: 3 },
      { route: "DELETE /webhooks/:id", left: 1 },
    ]);
    service.faults.clear();
    expect(service.faults.unused()).toEqual([]);
  });

  test("applies to its route with any parameter names, or to every route", async () => {
    const { service, ask } = emulatorClient();
    service.faults.next("GET /documents/{anything}", { status: 500 });
    expect((await ask("GET", "/rooms")).status).toBe(200);
    expect((await ask("GET", "/documents/doc_1")).status).toBe(500);
    service.faults.next("*", { status: 503, times: Number.POSITIVE_INFINITY });
    expect((await ask("GET", "/rooms")).status).toBe(503);
    expect((await ask("GET", "/webhooks")).status).toBe(503);
    service.faults.clear();
    expect((await ask("GET", "/webhooks")).status).toBe(200);
  });

  test("can apply to the download of a recording", async () => {
    const { service, ask } = emulatorClient();
    const { recording_url } = (await ask("GET", "/meetings/mtg_1/recording")).body;
    service.faults.next("GET /recordings/:key", "truncate");
    await expect(service.fetch(recording_url).then((response) => response.arrayBuffer())).rejects.toThrow("terminated");
    expect((await service.fetch(recording_url)).status).toBe(200);
  });

  test.each([
    ["GET /meetings/:id", { status: 500 }, /no route GET \/meetings\/:id; expected \* or one of/],
    ["GET /rooms", { status: 199 }, /status: expected an integer from 200 to 599, received 199/],
    ["GET /rooms", "dropp", /kind: expected one of drop, truncate, malformed, html, validation, received "dropp"/],
    ["GET /rooms", {}, /expected a status, a delayMs above 0 or one of drop/],
    ["GET /rooms", { delayMs: 0 }, /expected a status, a delayMs above 0 or one of drop/],
    ["GET /rooms", { status: 500, after: -1 }, /after: expected an integer from 0 up, received -1/],
    ["GET /rooms", { status: 500, retryafterseconds: 3 }, /unknown field; did you mean retryAfterSeconds\?/],
    ["GET /rooms", { status: 500, retryAfterSeconds: "7" }, /expected seconds from 0 up, received "7"/],
    ["GET /rooms", { status: 500, headers: "abc" }, /headers: expected an object of .* received a string/],
    ["GET /rooms", { status: 500, headers: { "x-a": "1\r\nx-b: 2" } }, /headers: expected an object of valid header/],
    ["GET /rooms", { status: 500, times: 0 }, /times: expected an integer from 1 up, received 0/],
    ["GET /rooms", { status: 500, acts: "no" }, /acts: expected a boolean, received a string/],
    ["GET /rooms", { delayMs: -1 }, /delayMs: expected milliseconds/],
    [undefined, { status: 500 }, 'faults.next: route: expected a string such as "GET /rooms", received nothing'],
  ])("is refused with a message if it is invalid: %s %j", (route, fault, message) => {
    const { service } = emulatorClient();
    expect(() => service.faults.next(route as string, fault as never)).toThrow(message);
    expect(service.faults.unused()).toEqual([]);
  });
});
