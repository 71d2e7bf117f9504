const { InvalidArgumentError, Notetaker } = require("notetaker-sdk");
const { createEmulator } = require("notetaker-sdk/testing");
const { sign, WebhookVerificationError } = require("notetaker-sdk/webhooks");
const { meetingOf, minutesOf } = require("./invite.js");

const service = createEmulator({
  stepTimes: { createMs: 2_000, callMs: 30 * 60_000 },
});
const notetaker = new Notetaker({
  baseUrl: service.baseUrl,
  token: service.token,
  fetch: service.fetch,
});
const link = "https://meet.google.com/abc-defg-hij";

beforeEach(() => {
  service.reset();
  jest.useFakeTimers();
});
afterEach(() => jest.useRealTimers());

/** Advances the time of the client and of the service. */
async function pass(ms) {
  for (let passed = 0; passed < ms; passed += 5_000) {
    await jest.advanceTimersByTimeAsync(5_000);
    await service.clock.advance(5_000);
  }
}

test("returns the minutes of a call of half an hour", async () => {
  const minutes = minutesOf(notetaker, link);
  await pass(45 * 60_000);
  expect(await minutes).toMatch(/^\[00:00:\d\d\] /);
});

test("returns no minutes for a failed call", async () => {
  const minutes = minutesOf(notetaker, link);
  await pass(5_000);
  const { id } = service.meetings
    .list()
    .find(
      ({ status }) => !["completed", "failed", "processing"].includes(status),
    );
  service.meetings.fail(id);
  await pass(60_000);
  expect(await minutes).toBeUndefined();
});

test("rejects an invalid link before a request is sent", async () => {
  await expect(minutesOf(notetaker, "https://example.com")).rejects.toThrow(
    InvalidArgumentError,
  );
  expect(service.requests).toEqual([]);
});

test("reads the meeting of a signed delivery", async () => {
  const body = Buffer.from('{"event":"meeting.transcript_ready","id":"mtg_1"}');
  const headers = { "x-webhook-signature": await sign(body, "whsec_1") };
  expect(await meetingOf({ body, headers }, "whsec_1")).toBe("mtg_1");
  await expect(meetingOf({ body, headers }, "whsec_2")).rejects.toThrow(
    WebhookVerificationError,
  );
});

test("uploads a recording from a Buffer", async () => {
  const { id } = await notetaker.meetings.upload(Buffer.alloc(1_000), {
    contentType: "audio/wav",
  });
  expect(service.requests[0]?.bodyBytes).toBe(1_000);
  expect(id).toMatch(/^mtg_/);
});
