/** Sends a signed event to the user's own endpoint. */
import { EmulatorError, sendEvent } from "notetaker-sdk/testing";
import { verify } from "notetaker-sdk/webhooks";
import { describe, expect, test } from "vitest";
import { rejectionOf } from "../support/recorder.js";
import { httpServer } from "../support/servers.js";

/** An endpoint that responds with each of `statuses` in turn: 0 breaks the connection, -1 never responds. */
async function endpoint(...statuses: number[]) {
  const received: { body: string; headers: Record<string, unknown> }[] = [];
  const url = await httpServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    received.push({ body, headers: request.headers });
    const status = statuses[Math.min(received.length, statuses.length) - 1];
    if (status === undefined || status === 0) request.socket.destroy();
    else if (status > 0) response.writeHead(status).end();
  });
  return { url: `${url}/hooks`, received };
}

const event = { kind: "meeting.transcript_ready", meetingId: "mtg_1", secret: "whsec_1" } as const;

describe("sendEvent()", () => {
  test("sends an event that verify accepts", async () => {
    const { url, received } = await endpoint(204);
    // By default, it names a meeting of the emulator's default account.
    const sent = await sendEvent(url, { ...event, meetingId: undefined });
    expect(sent).toMatchObject({ accepted: true, attempts: [{ status: 204, durationMs: expect.any(Number) }] });
    const verified = await verify(received[0]!.body, received[0]!.headers as Record<string, string>, "whsec_1");
    expect(verified).toMatchObject({ kind: "meeting.transcript_ready", meetingId: "mtg_1" });
    expect(verified.payload).toMatchObject({ status: "completed", participants: [{ name: "Ada Okafor" }] });
    expect(sent.body).toBe(received[0]!.body);
  });

  test("retries after a 5xx, a 429 and no response, and reports each attempt", async () => {
    const { url, received } = await endpoint(503, 429, 0, 200);
    const seen: unknown[] = [];
    const sent = await sendEvent(url, {
      ...event,
      retryDelaysMs: [1, 2, 3],
      onAttempt: ({ status }, { nextDelayMs }) => void seen.push([status, nextDelayMs]),
    });
    expect(sent.accepted).toBe(true);
    expect(seen).toEqual([
      [503, 1],
      [429, 2],
      [undefined, 3],
      [200, undefined],
    ]);
    expect(new Set(received.map(({ body }) => body)).size).toBe(1);
  });

  test("says why there was no response", async () => {
    const { url, received } = await endpoint(0);
    const lost = await sendEvent(url, { ...event, retryDelaysMs: [] });
    expect(lost.attempts).toMatchObject([{ error: "fetch failed: other side closed" }]);
    expect(received).toHaveLength(1);
    const nowhere = await sendEvent("http://127.0.0.1:4/hooks", { ...event, retryDelaysMs: [] });
    expect(nowhere.attempts).toMatchObject([{ error: "fetch failed: connect ECONNREFUSED 127.0.0.1:4" }]);
  });

  test("stops after a 4xx, and after the last retry", async () => {
    expect(await sendEvent((await endpoint(401)).url, event)).toMatchObject({
      accepted: false,
      attempts: [{ status: 401 }],
    });
    const { url, received } = await endpoint(500);
    expect((await sendEvent(url, { ...event, retryDelaysMs: [0, 0, 0] })).accepted).toBe(false);
    expect(received).toHaveLength(4);
  });

  test("gives up if an endpoint does not respond in time", async () => {
    const { url } = await endpoint(-1);
    const { attempts } = await sendEvent(url, { ...event, timeoutMs: 20, retryDelaysMs: [] });
    expect(attempts).toMatchObject([{ error: "no response within 20 ms" }]);
  });

  test("rejects with the signal's reason, even between two attempts", async () => {
    const { url } = await endpoint(500);
    const controller = new AbortController();
    const reason = new Error("enough");
    const sending = sendEvent(url, { ...event, signal: controller.signal, onAttempt: () => controller.abort(reason) });
    await expect(sending).rejects.toBe(reason);
  });

  test.each([
    ["https://example.com/hooks", event, /example\.com is not this machine.*--allow/],
    // The message does not repeat the password.
    ["http://ada:password@localhost:1/", event, /^sendEvent: expected an http: or https: URL without credentials$/],
    ["http://localhost:1/", { ...event, secret: " \t" }, /secret: expected a string that is not blank/],
    ["http://localhost:1/", { ...event, meetingId: "1" }, /meetingId: expected an id of the form mtg_…/],
    ["http://localhost:1/", { ...event, meetingID: "mtg_1" }, /meetingID: unknown option; did you mean meetingId\?/],
  ])("refuses what it cannot send: %s %j", async (url, options, message) => {
    const error = await rejectionOf(EmulatorError, sendEvent(url, options));
    expect(error.message).toMatch(message);
  });
});
