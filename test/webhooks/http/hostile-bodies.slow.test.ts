/** Bodies that are deeply nested or cut into tiny chunks: they take linear time, and always get a response. */
import { expect, it } from "vitest";
import { verify } from "../../../src/webhooks/receive/verify.js";
import { delivery, meetingBody, nodeSign, recordingReceiver, SECRET, streamedDelivery } from "../signed-delivery.js";

/** A busy machine may need longer than the usual eight seconds. */
const PATIENT_MS = 600_000;

it("a body nested 500,000 levels deep is handled as a normal event, and refused if it is cut off", async () => {
  const body = meetingBody({ deep: 1 }).replace('"deep":1', `"deep":${"[".repeat(500_000)}${"]".repeat(500_000)}`);
  const { receiver, send } = recordingReceiver({ deadlineMs: PATIENT_MS });
  const seen: unknown[] = [];
  receiver.onUnhandled(({ meetingId }) => void seen.push(meetingId));
  expect(await send(delivery(body))).toBe("200 handled");
  expect(seen).toEqual(["mtg_1"]);
  expect((await verify(body, nodeSign(body), SECRET)).meetingId).toBe("mtg_1");
  const cut = body.slice(0, 400_000);
  expect(await send(delivery(cut))).toBe("400 not_an_event");
  await expect(verify(cut, nodeSign(cut), SECRET)).rejects.toMatchObject({ reason: "not_an_event" });
});

it("a body of 300,000 one-byte chunks is read", async () => {
  const bytes = Buffer.from(meetingBody({ filler: "x".repeat(300_000) }));
  let sent = 0;
  const body = new ReadableStream({
    pull(controller) {
      for (let i = 0; i < 1_000 && sent < bytes.length; i += 1, sent += 1) {
        controller.enqueue(bytes.subarray(sent, sent + 1));
      }
      if (sent === bytes.length) controller.close();
    },
  });
  const { receiver, send } = recordingReceiver({ deadlineMs: PATIENT_MS });
  receiver.onUnhandled(() => {});
  // A quadratic reader would exceed the time of the test.
  expect(await send(streamedDelivery(body, nodeSign(bytes)))).toBe("200 handled");
});

it("a body whose chunks are not bytes is refused as not raw", async () => {
  const { errors, send } = recordingReceiver();
  const request = delivery();
  const strings = new ReadableStream({
    start(controller) {
      controller.enqueue(meetingBody());
      controller.close();
    },
  });
  Object.defineProperty(request, "body", { value: strings });
  expect(await send(request)).toBe("503 parsed_body");
  expect(errors).toMatchObject([{ error: { reason: "parsed_body" } }]);
});
