/** One receiver for many tenants: secrets that depend on the request, a context, and handlers as an option. */
import { createReceiver, EVENT_KINDS, type EventHandlers, isMeetingEvent } from "notetaker-sdk/webhooks";
import { describe, expect, it, vi } from "vitest";
import { delivery, meetingBody, nodeSign, SECRET } from "../signed-delivery.js";

const SECRETS: Record<string, string[]> = { acme: ["acme's"], globex: ["globex's old", "globex's"] };

const deliveryTo = (tenant: string, secret: string, body = meetingBody()) =>
  new Request(`https://example.com/hooks/${tenant}`, {
    method: "POST",
    body,
    headers: { "X-Webhook-Signature": nodeSign(body, secret) },
  });

describe("the secrets function of a receiver", () => {
  it("gets the request, so that each tenant can have its own secrets", async () => {
    const receiver = createReceiver({
      secrets: ({ url }) => SECRETS[new URL(url).pathname.slice("/hooks/".length)],
      onError: () => {},
    });
    const handler = vi.fn();
    receiver.onUnhandled(handler);
    expect((await receiver.handle(deliveryTo("acme", "acme's"))).status).toBe(200);
    expect((await receiver.handle(deliveryTo("globex", "globex's"))).status).toBe(200);
    expect((await receiver.handle(deliveryTo("globex", "acme's"))).status).toBe(401);
    expect((await receiver.handle(deliveryTo("nobody", "acme's"))).status).toBe(503);
    expect(handler).toHaveBeenCalledTimes(2);
  });

  it("gets the context that was passed to handle, such as a worker's env", async () => {
    const receiver = createReceiver<{ WEBHOOK_SECRET: string }>({ secrets: (_, env) => env.WEBHOOK_SECRET });
    const contexts: unknown[] = [];
    receiver.on("meeting.transcript_ready", (_, { context }) => void contexts.push(context.WEBHOOK_SECRET));
    expect((await receiver.handle(delivery(), { WEBHOOK_SECRET: SECRET })).status).toBe(200);
    expect(contexts).toEqual([SECRET]);
  });
});

describe("a handler of a receiver for many tenants", () => {
  it("gets the request, the context and the index of the secret that matched", async () => {
    const receiver = createReceiver({ secrets: [undefined, "other", SECRET] });
    const seen: unknown[] = [];
    receiver.onUnhandled((_, { request, context, secretIndex }) => void seen.push([request, context, secretIndex]));
    const request = delivery();
    await receiver.handle(request, "tenant 7");
    expect(seen).toEqual([[request, "tenant 7", 2]]);
    expect((seen[0] as unknown[])[0]).toBe(request);
  });

  it("gets the secret index 0 for a single secret, and undefined as the context if none was passed", async () => {
    const receiver = createReceiver({ secrets: SECRET });
    const seen: unknown[] = [];
    receiver.onUnhandled((_, { context, secretIndex }) => void seen.push([context, secretIndex]));
    await receiver.handle(delivery());
    expect(seen).toEqual([[undefined, 0]]);
  });
});

describe("the handlers option", () => {
  it("registers a handler for each kind", async () => {
    const seen: string[] = [];
    const receiver = createReceiver({
      secrets: SECRET,
      handlers: {
        "meeting.transcript_ready": ({ meetingId }) => void seen.push(`transcript of ${meetingId}`),
        "meeting.initial_summary_ready": undefined,
      },
    });
    receiver.onUnhandled(({ kind }) => void seen.push(kind));
    await receiver.handle(delivery());
    await receiver.handle(delivery(meetingBody({ event: "meeting.initial_summary_ready" })));
    expect(seen).toEqual(["transcript of mtg_1", "meeting.initial_summary_ready"]);
  });

  it("refuses a value that is not a function, and a second handler for a kind", () => {
    const handlers = { "meeting.transcript_ready": () => {} };
    const receiver = createReceiver({ secrets: SECRET, handlers });
    expect(() => receiver.on("meeting.transcript_ready", () => {})).toThrow("already registered");
    expect(() => createReceiver({ secrets: SECRET, handlers: { "meeting.transcript_ready": 5 as never } })).toThrow(
      "meeting.transcript_ready: expected a function as handler, received number",
    );
  });
});

it("handlers can be registered in a loop over the known kinds, one function for all or one for each", async () => {
  const seen: string[] = [];
  const table: Required<EventHandlers> = {
    "meeting.transcript_ready": ({ kind }) => void seen.push(`table ${kind}`),
    "meeting.initial_summary_ready": ({ kind }) => void seen.push(`table ${kind}`),
  };
  const one = createReceiver({ secrets: SECRET });
  for (const kind of EVENT_KINDS) {
    one.on(kind, (event) => {
      if (isMeetingEvent(event)) seen.push(event.kind);
    });
  }
  const each = createReceiver({ secrets: SECRET });
  for (const kind of EVENT_KINDS) {
    const handler = table[kind];
    if (handler) each.on(kind, handler);
  }
  for (const receiver of [one, each]) {
    for (const kind of EVENT_KINDS) await receiver.handle(delivery(meetingBody({ event: kind })));
  }
  expect(seen).toEqual([...EVENT_KINDS, ...EVENT_KINDS.map((kind) => `table ${kind}`)]);
});
