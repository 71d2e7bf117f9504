import type { RequestListener } from "node:http";
import type { RequestHandler } from "express";
import type { Meeting, MeetingId } from "notetaker-sdk";
import {
  createReceiver,
  createRelay,
  type EventPayload,
  isMeetingEvent,
  subscribe,
  toNodeListener,
  verify,
  type WebhookEvent,
} from "notetaker-sdk/webhooks";
import { expectTypeOf, it } from "vitest";

it("types the known kinds, and lets others through", () => {
  const receiver = createReceiver({ secrets: process.env.SECRET });
  receiver.on("meeting.transcript_ready", (event, { deliveryKey, signal }) => {
    expectTypeOf(event.kind).toEqualTypeOf<"meeting.transcript_ready">();
    expectTypeOf(event.meetingId).toEqualTypeOf<MeetingId>();
    expectTypeOf(event.payload).toEqualTypeOf<Partial<Meeting> & EventPayload>();
    expectTypeOf(deliveryKey).toBeString();
    expectTypeOf(signal).toEqualTypeOf<AbortSignal>();
  });
  receiver.on("room.created", (event) => {
    expectTypeOf(event.meetingId).toEqualTypeOf<MeetingId | undefined>();
  });
  receiver.onOther((event) => {
    expectTypeOf(event).toEqualTypeOf<WebhookEvent>();
    if (isMeetingEvent(event, "meeting.initial_summary_ready")) {
      expectTypeOf(event.kind).toEqualTypeOf<"meeting.initial_summary_ready">();
      expectTypeOf(event.meetingId).toEqualTypeOf<MeetingId>();
    }
  });
});

it("fits where handlers and listeners are taken", () => {
  const { handle } = createReceiver({ secrets: [] });
  expectTypeOf(handle).toExtend<(request: Request) => Promise<Response>>();
  expectTypeOf(toNodeListener(handle)).toExtend<RequestListener>();
  expectTypeOf(toNodeListener(handle)).toExtend<RequestHandler>();
  expectTypeOf(createRelay({ authorize: () => true }).handle).toExtend<(request: Request) => Promise<Response>>();
});

it("takes what frameworks give as headers, and gives events", () => {
  expectTypeOf(verify).toBeCallableWith("", new Headers(), "secret");
  expectTypeOf(verify).toBeCallableWith(Buffer.from(""), {} as import("node:http").IncomingHttpHeaders, [
    "a",
    undefined,
  ]);
  expectTypeOf(verify).toBeCallableWith(new ArrayBuffer(0), null, process.env.SECRET);
  expectTypeOf(subscribe("https://example.com/")).toExtend<AsyncIterable<WebhookEvent>>();
  // @ts-expect-error: a parsed body
  void verify({ event: "x" }, "", "");
});
