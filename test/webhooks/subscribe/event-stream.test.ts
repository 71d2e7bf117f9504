/**
 * The format of server-sent events, as `subscribe` reads it. eventsource-parser knows the format; these tests show that
 * it gets the stream unchanged, however the stream is cut, and that no stream makes it read without end.
 */
import { createParser } from "eventsource-parser";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { eventFromMessage } from "../../../src/webhooks/event/event.js";
import { eventReader } from "../../../src/webhooks/subscribe/read-events.js";
import { runs } from "../../support/property-seed.js";

const bytes = (text: string) => new TextEncoder().encode(text);

/**
 * What a stream that arrives in these chunks contains, as text: `at 7` for a position, `retry 5`, `name: data` for an
 * event. Data that is no JSON object is wrapped in one, so that every event can be read.
 */
function read(chunks: readonly (string | Uint8Array)[], maxEventBytes = 100_000): string[] {
  const items: string[] = [];
  const readEvents = eventReader(maxEventBytes, {
    onRetry: (retryMs) => items.push(`retry ${retryMs}`),
    onId: (id) => items.push(`at ${id}`),
  });
  try {
    for (const chunk of chunks) {
      const events = readEvents(typeof chunk === "string" ? bytes(chunk) : chunk);
      for (const { kind, payload } of events) items.push(`${kind}: ${payload.x}`);
    }
  } catch (error) {
    items.push((error as { reason: string }).reason);
  }
  return items;
}

/** A `data` field whose event is read as `unknown: …`. */
const data = (x: unknown) => `data:${JSON.stringify({ x })}`;

describe("the format of an event stream", () => {
  it.each<[what: string, stream: string, items: string[]]>([
    [
      "a byte order mark at the start is skipped, and a later one is part of a name",
      `\u{feff}${data(1)}\n\n\u{feff}${data(2)}\n\n${data(3)}\n\n`,
      ["unknown: 1", "unknown: 3"],
    ],
    ["the position comes before its event", `id:1\n${data(1)}\n\n${data(2)}\n\n`, ["at 1", "unknown: 1", "unknown: 2"]],
  ])("%s", (_, stream, items) => {
    expect(read([stream])).toEqual(items);
  });

  it("bytes that are not UTF-8 become replacement characters", () => {
    expect(read([Uint8Array.of(...bytes('data:{"x":"'), 0xff, 0xfe, ...bytes('"}\n\n'))])).toEqual([
      "unknown: \u{fffd}\u{fffd}",
    ]);
  });
});

const line = fc.oneof(
  fc.constantFrom("id", "id:1", "id: é🙂", "id:2\0", "event:e", "event:", "retry:5", "retry:x", ":", ": c", "foo:x"),
  fc.constantFrom("Data:1", " data:5", "data\0:2"),
  fc.string({ unit: "grapheme", maxLength: 12 }).map((text) => text.replaceAll(/[\r\n]|^data/g, "")),
);
const text = fc.string({ unit: "grapheme", maxLength: 12 });
const dataLines = fc.oneof(
  text.map((x) => [data(x)]),
  text.map((x) => ["data:{", "data", `data:  "x": ${JSON.stringify(x)} }`]),
  fc.constant([]),
);
const block = fc.tuple(fc.array(line, { maxLength: 4 }), dataLines, fc.array(line, { maxLength: 3 }));
const stream = fc
  .array(fc.tuple(block, fc.constantFrom("\n", "\r", "\r\n")), { maxLength: 12 })
  .map((blocks) => blocks.flatMap(([lines, end]) => [...lines.flat(), ""].map((content) => content + end)).join(""));

/** What the parser reports if it gets the whole text at once. */
function parsed(text: string): string[] {
  const items: string[] = [];
  const parser = createParser({
    onRetry: (retryMs) => items.push(`retry ${retryMs}`),
    onId: (id) => items.push(`at ${id}`),
    onEvent({ data, event }) {
      const { kind, payload } = eventFromMessage(JSON.parse(data), event);
      items.push(`${kind}: ${payload.x}`);
    },
  });
  parser.feed(text);
  return items;
}

it("any cut into chunks causes the events that the parser reports for the whole, and so do chunks of one byte", () => {
  fc.assert(
    fc.property(stream, fc.boolean(), fc.array(fc.nat(400), { maxLength: 40 }), (text, hasMark, places) => {
      const marked = `${hasMark ? "\u{feff}" : ""}${text}`;
      const whole = bytes(marked);
      const cuts = [...new Set([0, ...places.map((place) => Math.min(place, whole.length))])].sort((a, b) => a - b);
      const chunks = cuts.map((from, index) => whole.slice(from, cuts[index + 1] ?? whole.length));
      const items = parsed(marked);
      expect(read([whole])).toEqual(items);
      expect(read(chunks)).toEqual(items);
      expect(read(Array.from(whole, (byte) => Uint8Array.of(byte)))).toEqual(items);
    }),
    { numRuns: runs(500) },
  );
});

describe("the size limit of an event", () => {
  it.each([
    ["a line that never ends", "data:", "x".repeat(1_000)],
    ["an id that never ends", "id:", "x".repeat(1_000)],
    ["an event of ever more lines", "", `data:${"x".repeat(1_000)}\n`],
    ["an event of ever more empty lines", "", "data\n".repeat(1_000)],
  ])("the reader gives up an endless event, and reads nothing after it: %s", (_, first, part) => {
    const items = read([`id:7\n\n${first}`, ...Array.from({ length: 200 }, () => part), `\n\nid:8\n${data(1)}\n\n`]);
    expect(items).toEqual(["at 7", "too_large"]);
  });

  it("comments and unknown fields do not count, however long they are", () => {
    const endless = Array.from({ length: 200 }, () => "x".repeat(1_000));
    expect(read([":", ...endless, "\ny", ...endless, `\n${data(1)}\n\n`])).toEqual(["unknown: 1"]);
  });
});
