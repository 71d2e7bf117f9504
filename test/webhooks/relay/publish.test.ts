/** What publish refuses: an event that readers could not parse, and an audience that is missing by mistake. */
import { expect, it } from "vitest";
import { InvalidArgumentError } from "../../../src/errors/argument-errors.js";
import { type EventLog, memoryEventLog } from "../../../src/webhooks/relay/event-log.js";
import { createRelay } from "../../../src/webhooks/relay/relay.js";
import { rejectionOf } from "../../support/recorder.js";
import { eventOf } from "../events.js";

/** A relay, the number of entries in its log, and everything that a reader of all events receives. */
function recordedRelay() {
  const memory = memoryEventLog();
  let appended = 0;
  const log: EventLog = {
    ...memory,
    append(event, audience, json) {
      appended += 1;
      return memory.append(event, audience, json);
    },
  };
  const relay = createRelay({ authorize: () => true, log });
  return { relay, appended: () => appended };
}

const get = () => new Request("https://app.example.com/events");

const cycle: Record<string, unknown> = {};
cycle.self = cycle;

const nested = (levels: number) => {
  let value: unknown = 1;
  for (let level = 0; level < levels; level += 1) value = [value];
  return value;
};

const throwing = () => {
  throw new Error("secret content");
};

const unserialisable = "event: expected an event that JSON can hold: no BigInt, no cycle, nothing that throws";
const noKind = "event.kind: expected a string";
const noPayload = "event.payload: expected an object";
const throwingGetter = { get: throwing, enumerable: true };

it.each<[string, unknown, message: string]>([
  ["a BigInt", { ...eventOf(1), payload: { size: 5n } }, unserialisable],
  ["a cycle", { ...eventOf(1), payload: cycle }, unserialisable],
  ["500,000 levels", { ...eventOf(1), payload: { deep: nested(500_000) } }, unserialisable],
  ["a getter", { ...eventOf(1), payload: Object.defineProperty({}, "a", throwingGetter) }, unserialisable],
  ["a kind whose getter throws", Object.defineProperty({ ...eventOf(1) }, "kind", throwingGetter), unserialisable],
  ["a toJSON that throws", { ...eventOf(1), payload: { toJSON: throwing } }, unserialisable],
  ["a payload that toJSON removes", { ...eventOf(1), payload: { toJSON: () => undefined } }, noPayload],
  ["a payload that is a list", { ...eventOf(1), payload: [] }, noPayload],
  ["no kind", { ...eventOf(1), kind: undefined }, noKind],
  ["an empty kind", { ...eventOf(1), kind: "" }, noKind],
  ["a meeting id that is a number", { ...eventOf(1), meetingId: 5 }, "event.meetingId: expected a string"],
  ["null", null, unserialisable],
  ["a string", "meeting.transcript_ready", noKind],
])("an event is refused before it reaches the log: %s", async (_, event, message) => {
  const { relay, appended } = recordedRelay();
  const response = await relay.handle(get());
  const error = await rejectionOf(InvalidArgumentError, relay.publish(event as never));
  expect(error.message).toContain(`relay.publish: ${message}`);
  expect(String(error)).not.toContain("secret content");
  expect(appended()).toBe(0);
  await relay.publish(eventOf(2));
  relay.close();
  expect(await response.text()).toContain('"meetingId":"mtg_2"');
});

it("an event is serialised once, when it is published, so that later changes reach no reader", async () => {
  const { relay } = recordedRelay();
  const responses = [await relay.handle(get()), await relay.handle(get())];
  let serialised = 0;
  const payload = {
    title: "before",
    toJSON() {
      serialised += 1;
      return { title: this.title };
    },
  };
  await relay.publish({ kind: "x", meetingId: undefined, payload });
  payload.title = "after";
  relay.close();
  for (const response of responses) expect(await response.text()).toContain('"payload":{"title":"before"}');
  expect(serialised).toBe(1);
});

it.each<[string, unknown]>([
  ["undefined", undefined],
  ["null", null],
  ["empty", ""],
  ["an empty list", []],
  ["a list with an empty name", ["usr_1", ""]],
  ["a list with undefined", ["usr_1", undefined]],
  ["a number", 5],
  ["true", true],
  ["a sparse list", new Array(1)],
])("an audience that is %s is refused, and the event reaches no reader", async (_, audience) => {
  const { relay, appended } = recordedRelay();
  const error = await rejectionOf(InvalidArgumentError, relay.publish(eventOf(1), { audience } as never));
  expect(error.message).toContain(
    "audience: expected a name or a list of names; to reach everybody, leave the option out",
  );
  expect(appended()).toBe(0);
});

it("an invalid or misspelt option is refused, and without options the event reaches every reader", async () => {
  const { relay, appended } = recordedRelay();
  for (const [options, message] of [
    [{ audiance: "usr_1" }, "audiance: unknown option; did you mean audience?"],
    [null, "expected an object, received null"],
    ["usr_1", "expected an object, received a string"],
  ]) {
    const error = await rejectionOf(InvalidArgumentError, relay.publish(eventOf(1), options as never));
    expect(error.message).toBe(`relay.publish: ${message}`);
  }
  expect(appended()).toBe(0);
  await relay.publish(eventOf(1));
  await relay.publish(eventOf(2), {});
  await relay.publish(eventOf(3), undefined);
  expect(appended()).toBe(3);
});

it("sends no half of a character, which other parsers of JSON refuse", async () => {
  const { relay } = recordedRelay();
  const response = await relay.handle(get());
  await relay.publish({ ...eventOf(1), payload: { "\ud83d": "\ude00", path: "C:\\udff0" } });
  relay.close();
  const sent = await response.text();
  expect(sent).not.toMatch(/(?<!\\)\\ud[89a-f]/);
  expect(sent).toContain('{"\ufffd":"\ufffd","path":"C:\\\\udff0"}');
});
