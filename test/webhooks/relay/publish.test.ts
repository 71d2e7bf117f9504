/** What publish refuses: an event that readers could not parse, and an audience that is missing by mistake. */
import { expect, it, vi } from "vitest";
import { ConfigurationError, InvalidArgumentError } from "../../../src/errors/argument-errors.js";
import { memoryEventLog } from "../../../src/webhooks/relay/event-log.js";
import { createRelay } from "../../../src/webhooks/relay/relay.js";
import { rejectionOf } from "../../support/recorder.js";
import { eventOf } from "../events.js";

/** A relay with a reader of all events. `sent` closes the relay, and resolves to everything that the reader got. */
async function relayWithReader() {
  const memory = memoryEventLog();
  const append = vi.fn(memory.append);
  const relay = createRelay({ authorize: () => true, log: { ...memory, append } });
  const response = await relay.handle(new Request("https://app.example.com/events"));
  const sent = () => {
    relay.close();
    return response.text();
  };
  return { relay, append, sent };
}

const cycle: Record<string, unknown> = {};
cycle.self = cycle;

function nested(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level += 1) value = [value];
  return value;
}

const throwing = () => {
  throw new Error("secret content");
};
const throwingGetter = { get: throwing, enumerable: true };

it.each<[what: string, event: unknown, path: string]>([
  ["a BigInt", { ...eventOf(1), payload: { size: 5n } }, "event"],
  ["a cycle", { ...eventOf(1), payload: cycle }, "event"],
  ["500,000 levels", { ...eventOf(1), payload: { deep: nested(500_000) } }, "event"],
  ["a getter that throws", { ...eventOf(1), payload: Object.defineProperty({}, "a", throwingGetter) }, "event"],
  ["a toJSON that throws", { ...eventOf(1), payload: { toJSON: throwing } }, "event"],
  ["more than the 2 MiB that subscribe reads", { ...eventOf(1), payload: { text: "é".repeat(1_048_576) } }, "event"],
  ["null", null, "event"],
  ["a payload that toJSON removes", { ...eventOf(1), payload: { toJSON: () => undefined } }, "event.payload"],
  ["a payload that is a list", { ...eventOf(1), payload: [] }, "event.payload"],
  ["no kind", { ...eventOf(1), kind: undefined }, "event.kind"],
  ["an empty kind", { ...eventOf(1), kind: "" }, "event.kind"],
  ["a meeting id that is a number", { ...eventOf(1), meetingId: 5 }, "event.meetingId"],
])("an event is refused before it reaches the log: %s", async (_, event, path) => {
  const { relay, append, sent } = await relayWithReader();
  const error = await rejectionOf(InvalidArgumentError, relay.publish(event as never));
  expect(error.issues[0]?.path).toBe(path);
  expect(String(error)).not.toContain("secret content");
  expect(append).not.toHaveBeenCalled();
  await relay.publish(eventOf(2));
  expect(await sent()).toContain('"meetingId":"mtg_2"');
});

it("an event is serialised once, when it is published, so that later changes reach no reader", async () => {
  const { relay, sent } = await relayWithReader();
  const other = await relay.handle(new Request("https://app.example.com/events"));
  const payload = { title: "before", toJSON: vi.fn(() => ({ title: payload.title })) };
  await relay.publish({ kind: "x", meetingId: undefined, payload });
  payload.title = "after";
  for (const text of [await sent(), await other.text()]) expect(text).toContain('"payload":{"title":"before"}');
  expect(payload.toJSON).toHaveBeenCalledOnce();
});

it.each([undefined, null, "", [[]], [["usr_1", ""]], [["usr_1", undefined]], 5, true, [new Array(1)]])(
  "an audience that is missing by mistake is refused, and the event reaches no reader: %j",
  async (audience) => {
    const { relay, append } = await relayWithReader();
    const error = await rejectionOf(InvalidArgumentError, relay.publish(eventOf(1), { audience } as never));
    expect(error.issues[0]?.path).toBe("audience");
    expect(append).not.toHaveBeenCalled();
  },
);

it("an invalid or misspelt option is refused, and without options the event reaches every reader", async () => {
  const { relay, append, sent } = await relayWithReader();
  for (const options of [{ audiance: "usr_1" }, null, "usr_1"]) {
    await rejectionOf(InvalidArgumentError, relay.publish(eventOf(1), options as never));
  }
  expect(append).not.toHaveBeenCalled();
  await relay.publish(eventOf(1), {});
  await relay.publish(eventOf(2), undefined);
  expect((await sent()).match(/"meetingId":"mtg_\d"/g)).toHaveLength(2);
});

it("sends no half of a character, which other parsers of JSON refuse", async () => {
  const { relay, sent } = await relayWithReader();
  await relay.publish({ ...eventOf(1), payload: { "\ud83d": "\ude00", path: "C:\\udff0" } });
  expect(await sent()).toContain('{"\ufffd":"\ufffd","path":"C:\\\\udff0"}');
});

it("refuses an id of a log after which no page could resume", async () => {
  for (const id of ["k\u00e9", "", " 1", "1".repeat(8_001)]) {
    const log = { ...memoryEventLog(), append: () => id };
    const relay = createRelay({ authorize: () => true, log });
    await expect(relay.publish(eventOf(1))).rejects.toBeInstanceOf(ConfigurationError);
  }
  const log = { ...memoryEventLog(), append: () => "1".repeat(8_000) };
  expect(await createRelay({ authorize: () => true, log }).publish(eventOf(1))).toHaveLength(8_000);
});
