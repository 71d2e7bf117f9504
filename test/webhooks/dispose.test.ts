import { createRelay, subscribe } from "notetaker-sdk/webhooks";
import { expect, it } from "vitest";
import { eventOf } from "./events.js";

/** The symbol of the runtime, which TypeScript's `lib` may not know in this version. */
const { asyncDispose } = Symbol as unknown as { asyncDispose: symbol };

const dispose = (value: object): Promise<void> =>
  (value as unknown as Record<symbol, () => Promise<void>>)[asyncDispose]!();

it("await using closes a relay: its connections end, and new ones are refused", async () => {
  const relay = createRelay({ authorize: () => true });
  const response = await relay.handle(new Request("https://app.example.com/events"));
  await relay.publish(eventOf(1));
  await dispose(relay);
  expect(await response.text()).toContain("mtg_1");
  expect((await relay.handle(new Request("https://app.example.com/events"))).status).toBe(503);
});

it("await using ends a subscription, even while its next event is awaited", async () => {
  const events = subscribe("https://app.example.com/events", { fetch: () => new Promise(() => {}) });
  const step = events.next();
  await dispose(events);
  expect(await step).toEqual({ done: true, value: undefined });
  expect(events[Symbol.asyncIterator]()).toBe(events);
});

it("a subscription works behind a proxy, with which frameworks observe objects, and its methods need no this", async () => {
  const response = { status: 204, ok: true, headers: new Headers(), body: null };
  const subscription = () => subscribe("https://app.example.com/events", { fetch: async () => response });
  const end = { done: true, value: undefined };
  const observed = new Proxy(subscription(), {});
  expect(await observed.next()).toEqual(end);
  expect(await observed.return()).toEqual(end);
  const { next, return: close } = subscription();
  expect([await next(), await close()]).toEqual([end, end]);
});
