/** The metrics of calls and deliveries, as a meter gets them. */
import type { Attributes, MeterProvider } from "@opentelemetry/api";
import { countDeliveries, instrument } from "notetaker-sdk/otel";
import { createReceiver, sign } from "notetaker-sdk/webhooks";
import { expect, it } from "vitest";
import { clientOf, json, refusal, rejection, TOKEN } from "../support/recorder.js";
import * as samples from "../support/samples.js";

/** Keeps each measurement. The SDK for metrics would add them up. */
function recording() {
  const measured: { name: string; value: number; attributes: Attributes }[] = [];
  const instrumentFor = (name: string) => {
    const record = (value: number, attributes: Attributes) => void measured.push({ name, value, attributes });
    return { add: record, record };
  };
  const meter = { createHistogram: instrumentFor, createCounter: instrumentFor };
  const meterProvider = { getMeter: () => meter } as unknown as MeterProvider;
  return { meterProvider, of: (name: string) => measured.filter((one) => one.name === name), measured };
}
const DURATION = "http.client.request.duration";

it("each attempt has a duration with the attributes of the semantic conventions, and each retry is counted", async () => {
  const { meterProvider, of, measured } = recording();
  const { notetaker } = clientOf((_, index) => (index === 0 ? refusal(503, "x") : json(samples.transcript)), {
    maxRetryDelayMs: 0,
  });
  await instrument(notetaker, { meterProvider }).meetings.getTranscript("mtg_secret1");
  const attempt = {
    "http.request.method": "GET",
    "server.address": "api.example.com",
    "server.port": 443,
    "url.template": "/meetings/{meetingId}/transcript",
  };
  expect(of(DURATION).map(({ attributes }) => attributes)).toEqual([
    { ...attempt, "http.response.status_code": 503, "error.type": "503" },
    { ...attempt, "http.response.status_code": 200 },
  ]);
  for (const { value } of of(DURATION)) expect(value).toBeGreaterThanOrEqual(0);
  expect(of("notetaker.client.retries")).toEqual([
    { name: "notetaker.client.retries", value: 1, attributes: { "notetaker.operation": "meetings.getTranscript" } },
  ]);
  expect(JSON.stringify(measured)).not.toMatch(new RegExp(`secret1|${TOKEN}`));
});

it("an attempt without a response has the name of its error", async () => {
  const { meterProvider, of } = recording();
  const { notetaker } = clientOf(() => Promise.reject(new TypeError("fetch failed")), { maxRetries: 0 });
  await rejection(instrument(notetaker, { meterProvider }).webhooks.list());
  expect(of(DURATION)).toMatchObject([{ attributes: { "error.type": "ConnectionError" } }]);
  expect(of(DURATION)[0]?.attributes).not.toHaveProperty("http.response.status_code");
});

it("a wait for the rate limit is recorded in seconds, and reported to the client's own onThrottle", async () => {
  const { meterProvider, of } = recording();
  const reports: unknown[] = [];
  const throttle = {
    acquire: async ({ onWait }: { onWait(waitMs: number): void }) => onWait(2_000),
    pause: async () => {},
  };
  const { notetaker } = clientOf(() => json([]), { throttle, onThrottle: (report) => void reports.push(report) });
  await instrument(notetaker, { meterProvider }).webhooks.list();
  const attributes = { "notetaker.operation": "webhooks.list" };
  expect(of("notetaker.client.throttle.wait")).toEqual([
    { name: "notetaker.client.throttle.wait", value: 2, attributes },
  ]);
  expect(reports).toEqual([{ operation: "webhooks.list", waitMs: 2_000 }]);
});

it("a delivery is recorded by its result", async () => {
  const { meterProvider, of } = recording();
  const receiver = countDeliveries(createReceiver({ secrets: "whsec_1", onError: () => {}, onRefused: () => {} }), {
    meterProvider,
  });
  receiver.on("meeting.transcript_ready", (event) => {
    if (event.meetingId === "mtg_2") throw new Error("broken");
  });
  const deliver = async (id: string, secret: string) => {
    const body = JSON.stringify({ event: "meeting.transcript_ready", id });
    const headers = { "x-webhook-signature": await sign(body, secret) };
    return receiver.handle(new Request("https://a.example/hooks", { method: "POST", headers, body }));
  };
  await deliver("mtg_1", "whsec_1");
  await deliver("mtg_2", "whsec_1");
  await deliver("mtg_1", "other");
  expect(of("notetaker.webhook.delivery.duration").map(({ attributes }) => Object.values(attributes))).toEqual([
    ["handled", 200],
    ["failed", 503],
    ["refused", 401],
  ]);
});
