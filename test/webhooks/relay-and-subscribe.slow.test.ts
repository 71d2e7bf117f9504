/** A relay and a subscriber over loopback HTTP, with a connection that breaks again and again. */
import { expect, it } from "vitest";
import { toNodeListener } from "../../src/webhooks/http/node-listener.js";
import { createRelay } from "../../src/webhooks/relay/relay.js";
import { subscribe } from "../../src/webhooks/subscribe/subscribe.js";
import { httpServer } from "../support/servers.js";
import { eventOf } from "./events.js";

/** Breaks a stream off after this many events, within the next event. */
function breakingOff(response: Response, after: number): Response {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  let remaining = after;
  const cut = new TransformStream<Uint8Array, Uint8Array>({
    async transform(chunk, controller) {
      const frames = decoder.decode(chunk, { stream: true }).split(/(?<=\n\n)/);
      for (const [index, frame] of frames.entries()) {
        controller.enqueue(encoder.encode(frame));
        if (frame.includes("\ndata: ")) remaining -= 1;
        if (remaining > 0) continue;
        controller.enqueue(encoder.encode((frames[index + 1] ?? "id: lost\ndata").slice(0, 12)));
        // Waits until the written data is sent.
        await new Promise((resolve) => setTimeout(resolve, 2));
        return controller.error(new Error("the line broke"));
      }
    },
  });
  return new Response(response.body?.pipeThrough(cut) ?? null, response);
}

it("a subscriber gets 1,000 events once and in order, over a connection that breaks after every 125 events", async () => {
  const total = 1_000;
  let connections = 0;
  const relay = createRelay({ authorize: () => true, retryMs: 1 });
  const url = await httpServer(
    toNodeListener(async (request) => {
      connections += 1;
      return breakingOff(await relay.handle(request), 125);
    }),
  );

  const events = subscribe(url);
  const received: (string | undefined)[] = [];
  const listening = (async () => {
    for await (const { kind, meetingId, payload } of events) {
      expect(kind).toBe("meeting.transcript_ready");
      expect(payload).toEqual(eventOf(Number(meetingId?.slice(4))).payload);
      received.push(meetingId);
      if (received.length === total) break;
    }
  })();
  // The subscriber has to be connected before the first event is published.
  while (connections === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  while (events.lastEventId === undefined) await new Promise((resolve) => setTimeout(resolve, 1));
  for (let number = 0; number < total; number++) {
    await relay.publish(eventOf(number));
    if (number % 7 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  await listening;

  expect(received).toEqual(Array.from({ length: total }, (_, number) => `mtg_${number}`));
  expect(connections).toBeGreaterThanOrEqual(8);
});
