/** The receivers in examples/, each on its own framework, with deliveries of the emulator. */
import express, { type RequestHandler } from "express";
import { createEmulator } from "notetaker-sdk/testing";
import { createReceiver, toNodeListener } from "notetaker-sdk/webhooks";
import { beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { httpServer } from "../../test/support/servers.js";
import { meetingBody, nodeSign } from "../../test/webhooks/signed-delivery.js";

const SECRET = "whsec_of_the_examples";
const URL = "https://example.com/hooks/notetaker";

type Handler = (request: Request) => Response | Promise<Response>;

/** Forwards the delivery over HTTP to the framework's port. */
const over =
  (origin: string): Handler =>
  async (request) => {
    const { method, headers } = request;
    return fetch(`${origin}/hooks/notetaker`, { method, headers, body: await request.arrayBuffer() });
  };

const frameworks: [name: string, start: () => Promise<Handler>][] = [
  [
    "node:http",
    async () => {
      const { server } = await import("../receivers/node-http.js");
      return over(await httpServer((req, res) => server.emit("request", req, res)));
    },
  ],
  [
    "Express",
    async () => {
      const { app } = await import("../receivers/express.js");
      return over(await httpServer(app));
    },
  ],
];

describe.each(frameworks)("the example receiver on %s", (_, start) => {
  const logged: unknown[] = [];
  beforeAll(() => vi.stubEnv("NOTETAKER_WEBHOOK_SECRET", SECRET));
  beforeEach(() => {
    logged.length = 0;
    const log = vi.spyOn(console, "log").mockImplementation((line) => void logged.push(line));
    onTestFinished(() => log.mockRestore());
  });

  const setUp = async () => {
    const service = createEmulator({
      seed: {
        meetings: ["mtg_1", "mtg_2"].map((id) => ({ id, title: "Größe — “…”" })),
        webhooks: [{ url: URL, secret: SECRET }],
      },
    });
    service.webhooks.deliverTo(await start());
    return service;
  };
  const states = ({ webhooks }: ReturnType<typeof createEmulator>) =>
    webhooks.deliveries.map(({ state, attempts }) => [state, ...attempts.map(({ status }) => status)]);

  it("handles a delivery once if it comes twice", async () => {
    const service = await setUp();
    service.webhooks.next({ duplicate: true });
    await service.webhooks.send("meeting.transcript_ready", "mtg_1");
    expect(states(service)).toEqual([
      ["delivered", 200],
      ["delivered", 200],
    ]);
    expect(logged).toEqual(["The transcript of mtg_1 is ready."]);
  });

  it("rejects a delivery that was changed in transit", async () => {
    const service = await setUp();
    service.webhooks.next({ corrupt: "body" });
    await service.webhooks.send("meeting.transcript_ready", "mtg_2");
    expect(states(service)).toEqual([["failed", 401]]);
    expect(logged).toEqual([]);
  });
});

it("the example receiver on Express leaves parsed bodies to the other routes of the application", async () => {
  const { app } = await import("../receivers/express.js");
  const url = await httpServer(app);
  const headers = { "content-type": "application/json" };
  const response = await fetch(`${url}/echo`, { method: "POST", headers, body: '{"a":1}' });
  expect(await response.json()).toEqual({ a: 1 });
});

describe("a receiver on Express", () => {
  const keep: Parameters<typeof express.json>[0] = {
    verify: (req, _, buffer) => Object.assign(req, { rawBody: buffer }),
  };
  it.each<[what: string, parser: RequestHandler, status: number, handled: unknown[]]>([
    ["express.raw", express.raw({ type: "*/*" }), 200, ["mtg_1"]],
    ["express.text", express.text({ type: "*/*" }), 200, ["mtg_1"]],
    ["express.json that keeps the raw body", express.json(keep), 200, ["mtg_1"]],
    ["express.json", express.json(), 503, []],
  ])("behind %s", async (_, parser, status, handled) => {
    const meetings: unknown[] = [];
    const receiver = createReceiver({ secrets: SECRET, onError: () => {} });
    receiver.onUnhandled((event) => void meetings.push(event.meetingId));
    const app = express().use(parser).post("/hooks", toNodeListener(receiver.handle));
    const body = meetingBody();
    const headers = { "content-type": "application/json", "x-webhook-signature": nodeSign(body, SECRET) };
    const response = await fetch(`${await httpServer(app)}/hooks`, { method: "POST", body, headers });
    expect([response.status, meetings]).toEqual([status, handled]);
    expect((await response.text()).includes("express.raw")).toBe(status === 503);
  });
});
