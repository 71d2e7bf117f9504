/** `listen()`: who may reach the emulator over HTTP, and how the server is closed. */
import { request } from "node:http";
import { EVENT_KINDS } from "notetaker-sdk";
import { createEmulator, type ListenOptions } from "notetaker-sdk/testing";
import { describe, expect, it, onTestFinished, test } from "vitest";
import { clientOf, sendBot } from "../emulator-client.js";

async function listening(options: ListenOptions = {}) {
  const service = createEmulator();
  const lines: string[] = [];
  const { url, close } = await service.listen({ log: (line) => void lines.push(line), ...options });
  onTestFinished(close);
  const { port } = new URL(url);
  /** fetch does not let its caller choose the Host header. */
  const statusFor = (host: string | undefined, path = "/v1/rooms") =>
    new Promise<number | undefined>((resolve, reject) => {
      const headers = { authorization: `Bearer ${service.token}`, ...(host === undefined ? {} : { host }) };
      const sent = request({ host: "127.0.0.1", port, path, headers }, (response) => {
        response.resume();
        response.once("end", () => resolve(response.statusCode));
      });
      sent.once("error", reject);
      sent.end();
    });
  return { service, url, close, port, lines, statusFor };
}

test("listen() serves this machine's names and those in `hosts`; others get 421, unrecorded, with one line each", async () => {
  const { service, statusFor, port, lines } = await listening({ hosts: ["emulator.internal", "EMULATOR:4010"] });
  const local = ["localhost", "127.0.0.1", "127.8.9.1", "[::1]", "app.localhost", "LOCALHOST"];
  for (const host of [...local, ...local.map((name) => `${name}:${port}`), "emulator.internal:4010", "emulator"]) {
    expect(await statusFor(host), host).toBe(200);
  }
  expect(lines).toEqual([]);
  const accepted = service.requests.length;
  const hosts = ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "localhost.evil.example", "10.0.0.1"];
  hosts.push("internal", "0.0.0.0", "localhost/../evil", "localhost@evil.example", "evil.example#localhost");
  for (const host of [...hosts, ...hosts]) expect(await statusFor(host), host).toBe(421);
  expect(service.requests).toHaveLength(accepted);
  expect(lines).toEqual(hosts.map((host) => expect.stringContaining(host)));
  expect(lines[0]).toContain("--allow-host");
});

test.each([
  ["0.0.0.0", "127.0.0.1"],
  ["::", "[::1]"],
  ["localhost", "localhost"],
])("on %s, url names %s", async (host, expected) => {
  const { url } = await listening({ host });
  expect(new URL(url).hostname).toBe(expected);
  expect((await fetch(`${url}/rooms`)).status).toBe(401);
});

describe("the option cors of listen()", () => {
  const origin = "http://localhost:5173";
  const preflight = {
    method: "OPTIONS",
    headers: { origin, "access-control-request-method": "GET", "access-control-request-headers": "authorization" },
  };

  test("lets only pages of that origin send requests", async () => {
    const { url, lines } = await listening({ cors: origin });
    const { status, headers } = await fetch(`${url}/rooms`, preflight);
    expect([status, headers.get("access-control-allow-origin")]).toEqual([204, origin]);
    expect(headers.get("access-control-allow-headers")).toBe("authorization");
    const answer = await fetch(`${url}/rooms`);
    expect([answer.status, answer.headers.get("access-control-allow-origin")]).toEqual([401, origin]);
    expect(lines).toEqual([]);
  });

  test("is named in the log, once, if a preflight is refused without it", async () => {
    const { url, lines } = await listening();
    for (const request of [preflight, preflight, {}]) {
      expect((await fetch(`${url}/rooms`, request)).headers.has("access-control-allow-origin")).toBe(false);
    }
    expect(lines).toEqual([expect.stringContaining("--cors http://localhost:5173")]);
  });
});

it.each([
  [{ prot: 4010 }, "listen: prot: unknown option; did you mean port?"],
  [{ port: 65_536 }, "listen: port: expected an integer from 0 to 65535, received 65536"],
  [{ hosts: ["not a host"] }, "listen: hosts[0]: expected a host name"],
  [{ cors: "http://localhost:5173/" }, "listen: cors: expected * or an origin such as http://localhost:5173, without"],
  [{ cors: "http://a.example\nx: y" }, "expected * or an origin"],
  [null, "listen: expected an object, received null"],
])("listen refuses the options %j", async (options, message) => {
  await expect(createEmulator().listen(options as never)).rejects.toThrow(message);
});

describe("the result of listen()", () => {
  test("can be closed while a request is in progress", async () => {
    const { service, url, close } = await listening();
    service.faults.next("GET /rooms", { delayMs: 3_600_000 });
    const broken = expect(fetch(`${url}/rooms`)).rejects.toThrow(TypeError);
    while (service.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    await close();
    await broken;
  });

  test("is an error if the port is taken", async () => {
    const { service, port } = await listening();
    await expect(service.listen({ port: Number(port) })).rejects.toThrow("EADDRINUSE");
  });

  test.runIf("asyncDispose" in Symbol)("is closed by `await using`, also if it was closed before", async () => {
    const { asyncDispose } = Symbol as unknown as { asyncDispose: symbol };
    const server = await createEmulator().listen();
    await Promise.all([server.close(), server.close()]);
    await (server as unknown as Record<symbol, () => Promise<void>>)[asyncDispose]!();
    await expect(fetch(server.url)).rejects.toThrow(TypeError);
  });
});

describe("the emulator's memory of requests", () => {
  test("contains the first part of a large body", async () => {
    const { service, url } = await listening();
    const body = JSON.stringify({ meeting_url: "x".repeat(1_000_000) });
    await fetch(`${url}/meetings/bot`, { method: "POST", body, headers: { authorization: `Bearer ${service.token}` } });
    expect(service.requests[0]).toMatchObject({ bodyBytes: body.length, status: 400 });
    expect(service.requests[0]?.body).toBe(body.slice(0, 64 * 1024));
  });

  test("and its responses do not repeat JSON that is nested too deeply: it is refused like text that is no JSON", async () => {
    const { service, url } = await listening({ control: true });
    const headers = { authorization: `Bearer ${service.token}`, "content-type": "application/json" };
    const deep = (levels: number) => `{"automation":${"[".repeat(levels)}${"]".repeat(levels)}}`;
    for (const levels of [8_000, 100_000]) {
      const init = { method: "PUT", headers, body: deep(levels) };
      expect((await fetch(`${url}/settings/notetaker-automation`, init)).status).toBe(422);
      expect((await fetch(new URL("/_emulator/requests", url), { headers })).status).toBe(200);
    }
  });

  test("is limited to the newest requests and the newest uploads", async () => {
    const service = createEmulator({ limits: "none" });
    const upload = () =>
      service.fetch(`${service.baseUrl}/meetings/upload`, {
        method: "PUT",
        body: new Uint8Array(4 * 1024 * 1024),
        headers: { authorization: `Bearer ${service.token}`, "content-type": "audio/wav" },
      });
    for (let count = 0; count < 12; count++) await upload();
    const kept = service.meetings.list().map(({ recording }) => recording?.bytes?.length ?? 0);
    expect(kept.reduce((sum, bytes) => sum + bytes, 0)).toBe(32 * 1024 * 1024);
    expect(kept.at(-1)).toBe(4 * 1024 * 1024);

    const busy = createEmulator({ seed: {} });
    for (let count = 0; count < 10_005; count++) await busy.fetch(`${busy.baseUrl}/rooms?n=${count}`);
    expect(busy.requests).toHaveLength(10_000);
    expect(busy.requests[0]?.query.get("n")).toBe("5");
  });
});

describe("the emulator's control endpoints", () => {
  const controlling = async () => {
    const { service, url } = await listening({ control: true });
    const control = async (method: string, path: string, body?: unknown, token = service.token) => {
      const response = await fetch(new URL(`/_emulator/${path}`, url), {
        method,
        headers: { authorization: `Bearer ${token}` },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: response.status, body: await response.json() };
    };
    return { service, control, ask: clientOf(service).ask };
  };

  test("plan faults in the same way as service.faults.next", async () => {
    const { control, ask } = await controlling();
    const planned = await control("POST", "faults", { route: "GET /rooms", fault: { status: 503, times: 2 } });
    expect(planned).toMatchObject({ status: 200, body: { unused: [{ route: "GET /rooms", left: 2 }] } });
    expect((await ask("GET", "/rooms")).status).toBe(503);
    // The fields of the fault may be next to the route.
    await control("POST", "faults", { route: "GET /webhooks", status: 500 });
    expect((await ask("GET", "/webhooks")).status).toBe(500);
    expect(await control("DELETE", "faults")).toMatchObject({ body: { unused: [{ route: "GET /rooms", left: 1 }] } });
    expect((await ask("GET", "/rooms")).status).toBe(200);
  });

  test("revoke the token of their account, which they still accept themselves", async () => {
    const { service, control, ask } = await controlling();
    const first = service.token;
    expect(await control("POST", "token/revoke", { replacement: "second" })).toEqual({
      status: 200,
      body: { token: "second" },
    });
    await control("POST", "token/revoke", undefined, first);
    const statusWith = async (token: string) =>
      (await service.fetch(`${service.baseUrl}/rooms`, { headers: { authorization: `Bearer ${token}` } })).status;
    expect([await statusWith(first), await statusWith("second")]).toEqual([401, 401]);
    await control("POST", "reset", undefined, "second");
    expect((await ask("GET", "/rooms")).status).toBe(200);
  });

  test("advance the clock, finish a bot's meeting, and reset the emulator", async () => {
    const { service, control, ask } = await controlling();
    const before = service.clock.now();
    expect(await control("POST", "clock", { advance: 61_000 })).toEqual({
      status: 200,
      body: { now: before + 61_000 },
    });
    const meeting_id = await sendBot({ ask });
    const finished = await control("POST", `bots/${meeting_id}/finish`);
    expect(finished).toMatchObject({ status: 200, body: { id: meeting_id, status: "completed", summarised: true } });
    const { body: deliveries } = await control("GET", "deliveries");
    expect(deliveries.slice(-EVENT_KINDS.length)).toMatchObject(EVENT_KINDS.map((kind) => ({ kind })));
    expect(await control("POST", "reset")).toEqual({ status: 200, body: { now: before } });
    expect(service.meetings.get(meeting_id)).toBeUndefined();
  });

  test("send an event, and duplicate the next deliveries", async () => {
    const { control } = await controlling();
    expect(await control("POST", "webhooks/next", { duplicate: true })).toMatchObject({ status: 200 });
    const event = { kind: "meeting.transcript_ready", meetingId: "mtg_1" };
    expect((await control("POST", "webhooks/send", event)).body).toMatchObject([event, event]);
  });

  test("list the requests without the token, and are not listed themselves", async () => {
    const { service, control, ask } = await controlling();
    await ask("GET", "/rooms?limit=1&expand=meetings&expand=documents");
    const { body } = await control("GET", "requests");
    expect(body).toMatchObject([
      { method: "GET", path: "/rooms", query: { limit: "1", expand: ["meetings", "documents"] }, status: 200 },
    ]);
    expect(JSON.stringify(body)).not.toContain(service.token);
    expect(service.requests).toHaveLength(1);
  });

  test("refuse a wrong token, an unknown control and invalid values", async () => {
    const { control } = await controlling();
    expect((await control("GET", "requests", undefined, "x")).status).toBe(401);
    const unknown = await control("POST", "clocks");
    expect(unknown).toMatchObject({
      status: 404,
      body: { error: { message: expect.stringContaining("/_emulator/clock") } },
    });
    const fault = { status: 500, headers: "abc" };
    for (const [path, body] of [
      ["clock", { advance: -1 }],
      ["clock", { a: 5 }],
      ["clock", []],
      ["clock", "5"],
      ["faults", { route: "GET /romms", fault: "drop" }],
      ["faults", { route: "GET /rooms", fault }],
      ["bots/mtg_9/finish", undefined],
      ["bots/mtg_9/fail", undefined],
      ["token/revoke", { replacement: "" }],
      ["webhooks/next", { twice: true }],
      ["webhooks/send", { kind: "meeting.started", meetingId: "mtg_1" }],
      ["webhooks/send", undefined],
    ] as const) {
      expect(await control("POST", path, body)).toMatchObject({ status: 400 });
    }
  });

  test("do not exist without `control`", async () => {
    const { service, url } = await listening();
    const headers = { authorization: `Bearer ${service.token}` };
    expect((await fetch(new URL("/_emulator/requests", url), { headers })).status).toBe(404);
  });
});
