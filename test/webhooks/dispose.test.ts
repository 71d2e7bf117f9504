import { createRelay, subscribe } from "notetaker-sdk/webhooks";
import { expect, it } from "vitest";
import { withAsyncDispose } from "../../src/async/async-dispose.js";
import { eventOf } from "./events.js";

/** The symbol as the runtime has it; this version of TypeScript's `lib` may not. */
const { asyncDispose } = Symbol as unknown as { asyncDispose: symbol };

const dispose = (value: object): Promise<void> =>
  (value as unknown as Record<symbol, () => Promise<void>>)[asyncDispose]!();

it("await using closes a relay: its connections end, and no more are accepted", async () => {
  const relay = createRelay({ authorize: () => true });
  const response = await relay.handle(new Request("https://app.example.com/events"));
  await relay.publish(eventOf(1));
  await dispose(relay);
  expect(await response.text()).toContain("mtg_1");
  expect((await relay.handle(new Request("https://app.example.com/events"))).status).toBe(503);
});

it("await using ends a subscription, also in the middle of a step", async () => {
  const events = subscribe("https://app.example.com/events", { fetch: () => new Promise(() => {}) });
  const step = events.next();
  await dispose(events);
  expect(await step).toEqual({ done: true, value: undefined });
  expect(events[Symbol.asyncIterator]()).toBe(events);
});

it("an object stays as it is if the runtime does not know the symbol", () => {
  const descriptor = Object.getOwnPropertyDescriptor(Symbol, "asyncDispose");
  expect(Reflect.ownKeys(withAsyncDispose({ a: 1 }, async () => {}))).toEqual(
    descriptor === undefined ? ["a"] : ["a", asyncDispose],
  );
});
