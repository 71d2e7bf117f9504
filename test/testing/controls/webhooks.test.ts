/** `service.webhooks`: what its controls refuse. */
import { createEmulator, type Emulator, EmulatorError } from "notetaker-sdk/testing";
import { describe, expect, it } from "vitest";

describe("the controls of webhooks", () => {
  it.each<[string, (controls: Emulator["webhooks"]) => unknown, string]>([
    [
      "an unknown kind of event",
      ({ send }) => send("meeting.transcript-ready" as never, "mtg_1"),
      "webhooks.send: expected one of meeting.transcript_ready, ",
    ],
    [
      "an unknown field of a plan",
      ({ next }) => next({ corupt: "body" } as never),
      "webhooks.next: corupt: unknown field; did you mean corrupt?",
    ],
    [
      "a plan for no delivery",
      ({ next }) => next({ times: 0 }),
      "webhooks.next: times: expected a whole number from 1 to 2147483647, received 0",
    ],
    [
      "an unknown order",
      ({ release }) => release("reverse" as never),
      'webhooks.release: expected one of in order, reversed, received "reverse"',
    ],
    [
      "a receiver instead of its handle",
      ({ deliverTo }) => deliverTo({ handle() {} } as never),
      "webhooks.deliverTo: expected a function such as receiver.handle, received an object",
    ],
  ])("refuse %s", (_, use, message) => {
    const { webhooks } = createEmulator();
    expect(() => use(webhooks)).toThrow(EmulatorError);
    expect(() => use(webhooks)).toThrow(message);
  });
});
