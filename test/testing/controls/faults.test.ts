import type { Emulator, FaultInput } from "notetaker-sdk/testing";
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
  });

  test("drops the connection, so that fetch fails", async () => {
    await inEachWay(async (request, service) => {
      service.faults.next("GET /rooms", "drop");
      await expect(request()).rejects.toThrow(new TypeError("fetch failed"));
      expect((await request()).status).toBe(200);
    });
  });

  test("of kind truncate sends the headers, the full length and half of the body, then breaks the connection", async () => {
    await inEachWay(async (request, service) => {
      const whole = await (await request()).text();
      service.faults.next("GET /rooms", { kind: "truncate" });
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

  const location = "https://elsewhere.example/";
  test.each<[fault: FaultInput, status: number, type: string | null, text: string | RegExp, header?: [string, string]]>(
    [
      ["html", 502, "text/html", /^<html>/],
      [{ kind: "html", status: 504 }, 504, "text/html", /504/],
      ["validation", 422, "application/json", /^\{"detail":\[\{"loc":/],
      [{ status: 302, headers: { location } }, 302, null, "", ["location", location]],
      [{ status: 200, body: { data: [] } }, 200, "application/json", '{"data":[]}'],
      [{ status: 500, body: "" }, 500, null, ""],
      [{ status: 500, headers: new Headers({ "x-a": "1" }) as never }, 500, "application/json", /error/, ["x-a", "1"]],
    ],
  )("%j has its status, headers and body", async (fault, status, type, text, [name, value] = ["x-a", ""]) => {
    const { service } = emulatorClient();
    service.faults.next("GET /rooms", fault);
    const response = await service.fetch(`${service.baseUrl}/rooms`);
    expect([response.status, response.headers.get("content-type")]).toEqual([status, type]);
    expect(await response.text()).toEqual(typeof text === "string" ? text : expect.stringMatching(text));
    expect(response.headers.get(name) ?? "").toBe(value);
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
    const emulator = emulatorClient();
    const { bots, faults } = emulator.service;
    const before = bots.list().length;
    faults.next("POST /meetings/bot", { status: 503 });
    await expect(sendBot(emulator)).rejects.toThrow("503");
    expect(bots.list()).toHaveLength(before);
    faults.next("POST /meetings/bot", { kind: "drop", acts: true });
    await expect(sendBot(emulator)).rejects.toThrow("fetch failed");
    expect(bots.list()).toHaveLength(before + 1);
  });

  test("spares as many requests as after says, also those of a later plan", async () => {
    const { service, ask } = emulatorClient();
    service.faults.next("GET /rooms", { status: 500, after: 3, times: 2 });
    service.faults.next("*", { status: 503, after: 1 });
    const statuses: number[] = [];
    for (let count = 0; count < 8; count++) statuses.push((await ask("GET", "/rooms")).status);
    expect(statuses).toEqual([200, 200, 200, 500, 500, 200, 503, 200]);
  });

  test("applies to its route with any parameter names, to every route, or to the download of a recording", async () => {
    const { service, ask, read } = emulatorClient();
    service.faults.next("GET /documents/{anything}", { status: 500 });
    expect((await ask("GET", "/rooms")).status).toBe(200);
    expect((await ask("GET", "/documents/doc_1")).status).toBe(500);
    const { recording_url } = await read("/meetings/mtg_1/recording");
    service.faults.next("GET /recordings/:key", "truncate");
    await expect(service.fetch(recording_url).then((response) => response.arrayBuffer())).rejects.toThrow("terminated");
    service.faults.next("*", { status: 503, times: Number.POSITIVE_INFINITY });
    expect((await ask("GET", "/rooms")).status).toBe(503);
    expect((await ask("GET", "/webhooks")).status).toBe(503);
    service.faults.clear();
    expect((await ask("GET", "/webhooks")).status).toBe(200);
  });

  test("that was not used is returned by unused()", () => {
    const { faults } = emulatorClient().service;
    faults.next("GET /rooms", { status: 500, times: 3 });
    faults.next("DELETE /webhooks/:id", "drop");
    expect(faults.unused()).toMatchObject([
      { route: "GET /rooms", left: 3 },
      { route: "DELETE /webhooks/:id", left: 1 },
    ]);
    faults.clear();
    expect(faults.unused()).toEqual([]);
  });

  test.each([
    ["GET /meetings/:id", "drop", /no route GET \/meetings\/:id; expected \* or one of/],
    [undefined, "drop", 'faults.next: route: expected a string such as "GET /rooms", received nothing'],
    ["GET /rooms", "dropp", /kind: expected one of drop, truncate, malformed, html, validation, received "dropp"/],
    ["GET /rooms", {}, /expected a status, a delayMs above 0 or one of drop/],
    ["GET /rooms", { delayMs: 0 }, /expected a status, a delayMs above 0 or one of drop/],
    ["GET /rooms", { status: 199 }, /status: expected an integer from 200 to 599, received 199/],
    ["GET /rooms", { status: 500, after: -1 }, /after: expected an integer from 0 up, received -1/],
    ["GET /rooms", { status: 500, retryafterseconds: 3 }, /unknown field; did you mean retryAfterSeconds\?/],
    ["GET /rooms", { status: 500, retryAfterSeconds: "7" }, /expected seconds from 0 up, received "7"/],
    ["GET /rooms", { status: 500, headers: { "x-a": "1\r\nx-b: 2" } }, /headers: expected an object of valid header/],
    ["GET /rooms", { status: 500, times: 0 }, /times: expected an integer from 1 up, received 0/],
  ])("is refused with a message if it is invalid: %s %j", (route, fault, message) => {
    const { faults } = emulatorClient().service;
    expect(() => faults.next(route as string, fault as never)).toThrow(message);
    expect(faults.unused()).toEqual([]);
  });
});
