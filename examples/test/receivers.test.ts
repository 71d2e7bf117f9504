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
  [
    "a Next.js route handler",
    async () => {
      const { POST } = await import("../receivers/next/app/api/notetaker/route.js");
      return POST;
    },
  ],
  [
    "a Cloudflare Worker",
    async () => {
      const { default: worker } = await import("../receivers/cloudflare-worker.js");
      const waiting: Promise<unknown>[] = [];
      const context = { waitUntil: (work: Promise<unknown>) => void waiting.push(work) };
      return (request) => worker.fetch(request, { NOTETAKER_WEBHOOK_SECRET: SECRET }, context);
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
  /** Sends one delivery to a receiver behind other middleware. */
  async function deliver(...before: RequestHandler[]) {
    const meetings: unknown[] = [];
    const reasons: unknown[] = [];
    const receiver = createReceiver({ secrets: SECRET, onError: (error) => void reasons.push(error) });
    receiver.onUnhandled((event) => void meetings.push(event.meetingId));
    const app = express();
    for (const middleware of before) app.use(middleware);
    app.post("/hooks/notetaker", toNodeListener(receiver.handle));
    const body = meetingBody();
    const headers = { "content-type": "application/json", "x-webhook-signature": nodeSign(body, SECRET) };
    const response = await fetch(`${await httpServer(app)}/hooks/notetaker`, { method: "POST", body, headers });
    return { status: response.status, text: await response.text(), meetings, reasons };
  }

  it("gets deliveries without a parser, and behind parsers that keep the raw body", async () => {
    const keep: Parameters<typeof express.json>[0] = {
      verify: (req, _, buffer) => Object.assign(req, { rawBody: buffer }),
    };
    const parsedNothing: RequestHandler = (req, _, next) => {
      req.body = {};
      next();
    };
    const parsers = [express.raw({ type: "*/*" }), express.text({ type: "*/*" }), express.json(keep), parsedNothing];
    for (const before of [[], ...parsers.map((parser) => [parser])]) {
      expect(await deliver(...before)).toMatchObject({ status: 200, meetings: ["mtg_1"] });
    }
  });

  it("responds with 503 behind express.json, and reports how to get the raw body", async () => {
    const { status, text, meetings, reasons } = await deliver(express.json());
    expect(status).toBe(503);
    expect(text).toContain("express.raw");
    expect(meetings).toEqual([]);
    expect(reasons).toMatchObject([{ reason: "parsed_body" }]);
  });
});
