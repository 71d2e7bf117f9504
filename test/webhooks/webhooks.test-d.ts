import type { RequestListener } from "node:http";
import type { Meeting, MeetingId } from "notetaker-sdk";
import { toNodeListener as toNodeListenerOfNode } from "notetaker-sdk/node";
import {
  createReceiver,
  createRelay,
  EVENT_KINDS,
  type EventPayload,
  isMeetingEvent,
  type MeetingEvent,
  type Relay,
  subscribe,
  toNodeListener,
  verify,
  type WebhookEvent,
} from "notetaker-sdk/webhooks";
import { expectTypeOf, it } from "vitest";

it("known kinds have types, and other kinds are refused", () => {
  const receiver = createReceiver({ secrets: process.env.SECRET });
  receiver.on("meeting.transcript_ready", (event, { deliveryKey, signal }) => {
    expectTypeOf(event.kind).toEqualTypeOf<"meeting.transcript_ready">();
    expectTypeOf(event.meetingId).toEqualTypeOf<MeetingId>();
    expectTypeOf(event.payload).toEqualTypeOf<Partial<Meeting> & EventPayload>();
    expectTypeOf(deliveryKey).toBeString();
    expectTypeOf(signal).toEqualTypeOf<AbortSignal>();
  });
  // @ts-expect-error: no event has this kind
  receiver.on("transcript_ready", () => {});
  for (const kind of EVENT_KINDS) receiver.on(kind, (event) => expectTypeOf(event).toEqualTypeOf<MeetingEvent>());
  receiver.onUnhandled((event) => {
    expectTypeOf(event).toEqualTypeOf<WebhookEvent>();
    if (isMeetingEvent(event, "meeting.initial_summary_ready")) {
      expectTypeOf(event.kind).toEqualTypeOf<"meeting.initial_summary_ready">();
      expectTypeOf(event.meetingId).toEqualTypeOf<MeetingId>();
    }
  });
});

it("handlers match the types of each framework", () => {
  const { handle } = createReceiver({ secrets: [] });
  expectTypeOf(handle).toExtend<(request: Request) => Promise<Response>>();
  expectTypeOf(toNodeListener(handle)).toExtend<RequestListener>();
  // Linters report a promise that Node would ignore.
  expectTypeOf(toNodeListener(handle)).returns.toEqualTypeOf<void>();
  expectTypeOf(toNodeListenerOfNode).toEqualTypeOf(toNodeListener);
  expectTypeOf(createRelay({ authorize: () => true }).handle).toExtend<(request: Request) => Promise<Response>>();
});

it("the identity of a connection has the type that authorize returns", () => {
  const user = async () => (Math.random() > 1 ? undefined : { audience: "tenant_1", user: "usr_1" });
  createRelay({ authorize: async () => (await user()) ?? new Response(null, { status: 401 }) }).end((connection) => {
    expectTypeOf(connection.identity.user).toBeString();
    return connection.audience === "tenant_1";
  });
  const named: Relay = createRelay({ authorize: async () => "usr_1" });
  named.end(({ identity }) => identity === "usr_1");
  // @ts-expect-error: an object without an audience
  createRelay({ authorize: () => ({ user: "usr_1" }) });
});

it("verify accepts the headers of every framework, and subscribe yields events", () => {
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

type KnownKind = (typeof EVENT_KINDS)[number];

it("a switch narrows a meeting event by its kind", () => {
  const receiver = createReceiver({ secrets: "s" });
  receiver.onUnhandled((event) => {
    if (!isMeetingEvent(event)) return;
    switch (event.kind) {
      case "meeting.transcript_ready":
        expectTypeOf(event).toEqualTypeOf<MeetingEvent<"meeting.transcript_ready">>();
        break;
      default:
        expectTypeOf(event).toEqualTypeOf<MeetingEvent<Exclude<KnownKind, "meeting.transcript_ready">>>();
    }
  });
  expectTypeOf<MeetingEvent>().toEqualTypeOf<{ [K in KnownKind]: MeetingEvent<K> }[KnownKind]>();
});

it("the context of handle has its type in secrets and handlers", () => {
  const receiver = createReceiver<{ tenant: string }>({
    secrets: (request, { tenant }) => {
      expectTypeOf(request).toEqualTypeOf<Request>();
      return tenant;
    },
    handlers: {
      "meeting.transcript_ready": (event, { context, secretIndex, request }) => {
        expectTypeOf(event.meetingId).toEqualTypeOf<MeetingId>();
        expectTypeOf(context).toEqualTypeOf<{ tenant: string }>();
        expectTypeOf(secretIndex).toBeNumber();
        expectTypeOf(request).toEqualTypeOf<Request>();
      },
    },
  });
  expectTypeOf(receiver.handle).toBeCallableWith(new Request("https://example.com/"), { tenant: "a" });
  // @ts-expect-error: the context is missing
  void receiver.handle(new Request("https://example.com/"));
  // @ts-expect-error: only the known kinds
  createReceiver({ secrets: "s", handlers: { "room.created": () => {} } });
});
