/** Buffers in the sandbox of jest. */
const { Notetaker } = require("notetaker-sdk");
const { createEmulator } = require("notetaker-sdk/testing");
const {
  sign,
  verify,
  WebhookVerificationError,
} = require("notetaker-sdk/webhooks");

test("reads the meeting of a signed delivery", async () => {
  const body = Buffer.from('{"event":"meeting.transcript_ready","id":"mtg_1"}');
  const headers = { "x-webhook-signature": await sign(body, "whsec_1") };
  expect(await verify(body, headers, "whsec_1")).toMatchObject({
    meetingId: "mtg_1",
  });
  await expect(verify(body, headers, "whsec_2")).rejects.toThrow(
    WebhookVerificationError,
  );
});

test("uploads a recording from a Buffer", async () => {
  const service = createEmulator();
  const notetaker = new Notetaker(service.clientOptions);
  const { id } = await notetaker.meetings.upload(Buffer.alloc(1_000), {
    contentType: "audio/wav",
  });
  expect(service.requests[0]?.bodyBytes).toBe(1_000);
  expect(id).toMatch(/^mtg_/);
});
