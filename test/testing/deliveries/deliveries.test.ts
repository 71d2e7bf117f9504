import { EVENT_KINDS } from "notetaker-sdk";
import { aMeeting, aWebhook, createEmulator, EmulatorError, type EmulatorOptions } from "notetaker-sdk/testing";
import { verify } from "notetaker-sdk/webhooks";
import { describe, expect, test, vi } from "vitest";
import { differences } from "../../interface/conforms.js";
import { DELIVERY } from "../../interface/interface.js";
import { httpServer } from "../../support/servers.js";

interface Arrived {
  headers: Headers;
  body: string;
}

/**
 * An emulator with one webhook and one upload that is being processed. Each delivery is recorded and gets the next
 * answer.
 */
function receiving(answers: readonly (number | "hang" | "throw")[] = [], options: EmulatorOptions = {}) {
  const service = createEmulator({
    stepTimes: "manual",
    seed: {
      meetings: [aMeeting({ id: "mtg_1", status: "processing" })],
      webhooks: [aWebhook({ id: "whk_1", secret: "whsec_1" })],
    },
    ...options,
  });
  const arrived: Arrived[] = [];
  service.webhooks.deliverTo(async (request) => {
    const answer = answers[arrived.length] ?? 200;
    arrived.push({ headers: request.headers, body: await request.text() });
    if (answer === "hang") return new Promise(() => {});
    if (answer === "throw") throw new TypeError("connection refused");
    return new Response(null, { status: answer });
  });
  return { service, arrived };
}

describe("a delivery of the emulator", () => {
  test("is sent for each subscribed event, signed, with the kind and the fields of the meeting", async () => {
    const { service, arrived } = receiving();
    await service.meetings.finish("mtg_1");
    expect(arrived.map(({ body }) => JSON.parse(body)[DELIVERY.kindField])).toEqual([...EVENT_KINDS]);
    const [{ headers, body }] = arrived as [Arrived];
    expect(headers.get(DELIVERY.signatureHeader)).toMatch(/^sha256=[0-9a-f]{64}$/);
    await expect(verify(body, headers, "whsec_1")).resolves.toMatchObject({ meetingId: "mtg_1" });
    expect(body).toBe(service.webhooks.deliveries[0]!.body);
    const { [DELIVERY.kindField]: _, ...meeting } = JSON.parse(body);
    expect(differences({ kind: "object", of: "Meeting" }, meeting, "payload")).toEqual([]);
    const delivered = { meetingId: "mtg_1", webhookId: "whk_1", state: "delivered", attempts: [{ status: 200 }] };
    expect(service.webhooks.deliveries).toMatchObject(EVENT_KINDS.map((kind) => ({ kind, ...delivered })));
  });

  test("is sent to a webhook of the options as to those of the seed, also after a reset", async () => {
    const { service } = receiving([], { webhooks: [aWebhook({ url: "http://127.0.0.1:1/own", secret: "whsec_own" })] });
    service.reset();
    expect(service.webhooks.list()).toMatchObject([{ id: "whk_1" }, { url: "http://127.0.0.1:1/own", enabled: true }]);
    expect(service.webhooks.list()[1]!.secret).toBe("whsec_own");
  });

  test("can be lost, or delayed by the clock of the emulator", async () => {
    const { service, arrived } = receiving();
    service.webhooks.next({ lose: true });
    service.webhooks.next({ delayMs: 600_000 });
    await service.meetings.finish("mtg_1");
    await service.clock.advance(599_999);
    expect(arrived).toEqual([]);
    await service.clock.advance(1);
    expect(arrived.map(({ body }) => JSON.parse(body)[DELIVERY.kindField])).toEqual([EVENT_KINDS[1]]);
    const lost = { kind: EVENT_KINDS[0], state: "lost", attempts: [], dueAt: null };
    expect(service.webhooks.deliveries).toMatchObject([lost, { kind: EVENT_KINDS[1], state: "delivered" }]);
  });

  test("is not sent to a webhook that is disabled or subscribes to another kind", async () => {
    const { service, arrived } = receiving([], {
      seed: {
        meetings: [aMeeting({ id: "mtg_1", status: "processing" })],
        webhooks: [aWebhook({ enabled: false }), aWebhook({ id: "whk_2", events: ["meeting.initial_summary_ready"] })],
      },
    });
    await service.meetings.finish("mtg_1");
    expect(arrived).toHaveLength(1);
    expect(service.webhooks.deliveries).toMatchObject([{ webhookId: "whk_2" }]);
  });

  test.each([[500], [503], [429], ["throw"]] as const)(
    "is retried after 1, 10 and 60 s if the receiver responds with %s",
    async (answer) => {
      const { service, arrived } = receiving(Array(8).fill(answer));
      const start = service.clock.now();
      await service.meetings.transcribe("mtg_1");
      for (const [index, delay] of DELIVERY.retryDelaysMs.entries()) {
        await service.clock.advance(delay - 1);
        expect(arrived).toHaveLength(index + 1);
        await service.clock.advance(1);
        expect(arrived).toHaveLength(index + 2);
      }
      await service.clock.advance(3_600_000);
      expect(arrived).toHaveLength(4);
      // Also if the clock advances far in one step.
      await service.webhooks.send("meeting.transcript_ready", "mtg_1");
      await service.clock.advance(71_000);
      expect(service.webhooks.deliveries[1]!.attempts).toHaveLength(4);
      const [delivery] = service.webhooks.deliveries;
      expect(delivery).toMatchObject({ state: "failed" });
      expect(delivery!.attempts.map(({ at }) => at - start)).toEqual([0, 1_000, 11_000, 71_000]);
      expect(new Set(arrived.slice(0, 4).map(({ body }) => body)).size).toBe(1);
    },
  );

  test("is not retried after another status", async () => {
    for (const status of [301, 400, 401, 404, 413]) {
      const { service, arrived } = receiving([status]);
      await service.meetings.transcribe("mtg_1");
      await service.clock.advance(3_600_000);
      expect(arrived).toHaveLength(1);
      expect(service.webhooks.deliveries).toMatchObject([{ state: "failed", attempts: [{ status }] }]);
    }
  });

  test("is retried if the receiver does not respond within ten seconds of real time", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const { service, arrived } = receiving(["hang", 200]);
    void service.meetings.transcribe("mtg_1");
    while (arrived.length === 0) await new Promise(setImmediate);
    await vi.advanceTimersByTimeAsync(9_999);
    expect(service.webhooks.deliveries).toMatchObject([{ state: "pending", attempts: [] }]);
    await vi.advanceTimersByTimeAsync(1);
    await service.clock.advance(1_000);
    expect(arrived).toHaveLength(2);
    const attempts = [{ error: "no response within 10000 ms" }, { status: 200 }];
    expect(service.webhooks.deliveries).toMatchObject([{ state: "delivered", attempts }]);
  });

  test("is sent over the network only to URLs of this machine", async () => {
    const bodies: string[] = [];
    const origin = await httpServer(async (message, response) => {
      let body = "";
      for await (const piece of message) body += piece;
      bodies.push(body);
      response.end();
    });
    const url = `${origin}/hook`;
    const service = createEmulator({
      seed: {
        meetings: [aMeeting({ id: "mtg_1", status: "processing" })],
        webhooks: [aWebhook({ url }), aWebhook({ url: "https://hooks.example.com/" })],
      },
    });
    await service.meetings.transcribe("mtg_1");
    expect(service.webhooks.deliveries).toMatchObject([
      { url, state: "delivered" },
      // The skipped delivery is signed, so that a test can pass it to its own receiver.
      { state: "skipped", headers: { "x-webhook-signature": expect.stringMatching(/^sha256=/) }, attempts: [] },
    ]);
    expect(bodies).toEqual([service.webhooks.deliveries[0]!.body]);
  });

  test("can be duplicated, or corrupted in its first attempt", async () => {
    const { service, arrived } = receiving([200, 200, 500, 500]);
    service.webhooks.next({ duplicate: true });
    service.webhooks.next({ corrupt: "body" });
    service.webhooks.next({ corrupt: "signature" });
    await service.meetings.transcribe("mtg_1");
    expect(arrived[1]!.body).toBe(arrived[0]!.body);
    await service.webhooks.send("meeting.transcript_ready", "mtg_1");
    await service.webhooks.send("meeting.transcript_ready", "mtg_1");
    for (const { body, headers } of arrived.slice(2)) await expect(verify(body, headers, "whsec_1")).rejects.toThrow();
    await service.clock.advance(1_000);
    expect(arrived).toHaveLength(6);
    for (const { body, headers } of arrived.slice(4)) await verify(body, headers, "whsec_1");
  });

  test("waits for the previous delivery to the same webhook, but not for deliveries to other webhooks", async () => {
    const order: string[] = [];
    const service = createEmulator({
      seed: {
        meetings: [aMeeting({ id: "mtg_1", status: "processing" })],
        webhooks: [aWebhook({ url: "http://127.0.0.1/slow" }), aWebhook({ url: "http://127.0.0.1/quick" })],
      },
    });
    service.webhooks.deliverTo(async (request) => {
      const name = new URL(request.url).pathname;
      order.push(`${name} begins`);
      const quick = () => order.filter((step) => step === "/quick ends");
      if (name === "/slow") await vi.waitUntil(() => quick().length === EVENT_KINDS.length, { timeout: 60_000 });
      order.push(`${name} ends`);
      return new Response();
    });
    await service.meetings.finish("mtg_1");
    const slow = order.filter((step) => step.startsWith("/slow"));
    expect(slow).toEqual(EVENT_KINDS.flatMap(() => ["/slow begins", "/slow ends"]));
    expect(order.lastIndexOf("/quick ends")).toBeLessThan(order.indexOf("/slow ends"));
  });

  test("that is under way or waiting at a reset changes nothing afterwards, and is not sent any more", async () => {
    const { service, arrived } = receiving(["hang"]);
    service.meetings.finish("mtg_1");
    await vi.waitFor(() => expect(arrived).toHaveLength(1), 60_000);
    service.reset();
    const later = vi.fn(() => new Response());
    service.webhooks.deliverTo(later);
    await service.clock.advance(3_600_000);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(service.webhooks.deliveries).toEqual([]);
    expect(later).not.toHaveBeenCalled();
  });

  test("fails where nothing can be signed, like in a page without a secure context", async () => {
    const { service, arrived } = receiving();
    vi.stubGlobal("crypto", { getRandomValues: () => expect.fail() });
    await service.meetings.finish("mtg_1");
    await service.clock.advance(3_600_000);
    expect(service.meetings.get("mtg_1")).toMatchObject({ status: "completed", summarised: true });
    const failed = { state: "failed", dueAt: null, attempts: [{ error: expect.stringContaining("Web Crypto") }] };
    expect(service.webhooks.deliveries).toMatchObject(EVENT_KINDS.map((kind) => ({ kind, ...failed })));
    expect(arrived).toEqual([]);
  });

  test("is refused by the controls if an argument is wrong", () => {
    const { send, next, deliverTo } = receiving().service.webhooks;
    const wrong: [() => unknown, string][] = [
      [() => send("meeting.transcript_ready", "mtg_2"), "webhooks.send: there is no meeting mtg_2"],
      [() => send("meeting.ready" as never, "mtg_1"), "webhooks.send: expected one of meeting.transcript_ready"],
      [() => next({ corupt: "body" } as never), "webhooks.next: corupt: unknown field; did you mean corrupt?"],
      [() => next({ times: 0 }), "webhooks.next: times: expected a whole number from 1 to"],
      [() => deliverTo({ handle() {} } as never), "webhooks.deliverTo: expected a function such as receiver.handle"],
    ];
    for (const [call, message] of wrong) {
      expect(call).toThrow(EmulatorError);
      expect(call).toThrow(message);
    }
  });
});
