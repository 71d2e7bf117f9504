/**
 * Bodies that are huge, deeply nested or cut into tiny chunks: they take linear time and limited memory, and always get
 * a response.
 */
import { describe, expect, it } from "vitest";
import { createReceiver } from "../../../src/webhooks/receive/receiver.js";
import { verify } from "../../../src/webhooks/receive/verify.js";
import { delivery, meetingBody, nodeSign, SECRET } from "../signed-delivery.js";

describe("a body nested 500,000 levels deep", () => {
  const body = meetingBody({ deep: 1 }).replace('"deep":1', `"deep":${"[".repeat(500_000)}${"]".repeat(500_000)}`);

  it("a body nested 500,000 levels deep is handled as a normal event", { timeout: 30_000 }, async () => {
    const receiver = createReceiver({ secrets: SECRET });
    const seen: unknown[] = [];
    receiver.onUnhandled(({ meetingId }) => void seen.push(meetingId));
    expect((await receiver.handle(delivery(body))).status).toBe(200);
    expect(seen).toEqual(["mtg_1"]);
    expect((await verify(body, nodeSign(body), SECRET)).meetingId).toBe("mtg_1");
  });

  it("a deeply nested body that is cut off is refused as not an event", async () => {
    const cut = body.slice(0, 400_000);
    const receiver = createReceiver({ secrets: SECRET });
    expect((await receiver.handle(delivery(cut))).status).toBe(400);
    await expect(verify(cut, nodeSign(cut), SECRET)).rejects.toMatchObject({ reason: "not_an_event" });
  });
});

it("a body of 300,000 one-byte chunks is read in linear time", { timeout: 30_000 }, async () => {
  const bytes = Buffer.from(meetingBody({ filler: "x".repeat(300_000) }));
  const receiver = createReceiver({ secrets: SECRET });
  let sent = 0;
  const body = new ReadableStream({
    pull(controller) {
      for (let i = 0; i < 1_000 && sent < bytes.length; i += 1, sent += 1) {
        controller.enqueue(bytes.subarray(sent, sent + 1));
      }
      if (sent === bytes.length) controller.close();
    },
  });
  const request = delivery("x", { body, duplex: "half", signature: nodeSign(bytes) } as RequestInit);
  const startedAt = performance.now();
  expect((await receiver.handle(request)).status).toBe(200);
  expect(performance.now() - startedAt).toBeLessThan(20_000);
});

it("a body whose chunks are not bytes is refused as not raw", async () => {
  const errors: unknown[] = [];
  const receiver = createReceiver({ secrets: SECRET, onError: (error) => errors.push(error) });
  const request = delivery();
  const strings = new ReadableStream({
    start(controller) {
      controller.enqueue(meetingBody());
      controller.close();
    },
  });
  Object.defineProperty(request, "body", { value: strings });
  expect((await receiver.handle(request)).status).toBe(503);
  expect(errors).toMatchObject([{ reason: "parsed_body" }]);
});
