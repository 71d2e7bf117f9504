/**
 * The format of server-sent events: every case of the web-platform-tests' `eventsource/` folder that concerns the
 * format, rewritten, and the rule that the boundaries of chunks make no difference.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EventStreamParser, type StreamMessage } from "../../../src/webhooks/subscribe/event-stream-parser.js";
import { runs } from "../../support/property-seed.js";

/** The messages of a stream that starts at `lastEventId` and arrives in these chunks of bytes. */
function parse(chunks: readonly Uint8Array[], lastEventId = "", maxEventChars = 100_000): StreamMessage[] {
  const parser = new EventStreamParser(maxEventChars, lastEventId);
  const decoder = new TextDecoder();
  return chunks.flatMap((chunk) => parser.push(decoder.decode(chunk, { stream: true })));
}

const bytes = (text: string) => new TextEncoder().encode(text);
const parseText = (text: string, lastEventId?: string) => parse([bytes(text)], lastEventId);

/** The data of each event. */
const dataOf = (text: string) => parseText(text).flatMap((message) => (message.kind === "event" ? [message.data] : []));

describe("the events of a stream", () => {
  it.each<[what: string, stream: string, data: string[]]>([
    [
      "a byte order mark at the start is skipped, and a later one is part of a name",
      "\u{feff}data:1\n\n\u{feff}data:2\n\ndata:3\n\n",
      ["1", "3"],
    ],
    ["only one byte order mark is skipped", "\u{feff}\u{feff}data:1\n\ndata:2\n\ndata:3\n\n", ["2", "3"]],
    [
      "comments are skipped, even if they are empty, long or contain NUL",
      `data:1\r:\0\n:\r\ndata:2\n:${"x".repeat(2_000)}\rdata:3\n:data:fail\r:${"x".repeat(2_000)}\ndata:4\n\n`,
      ["1\n2\n3\n4"],
    ],
    ["an event without its final empty line is dropped", "retry:1000\ndata:test1\n\nid:test\ndata:test2", ["test1"]],
    ["data without a value is an empty line", "data:\n\ndata\ndata\n\ndata:test\n\n", ["", "\n", "test"]],
    [
      "data lines are joined, unknown fields are ignored, and names are case-sensitive",
      "data:msg\ndata: msg\n\n:\nfalsefield:msg\n\nfalsefield:msg\nData:data\n\ndata\n\ndata:end\n\n",
      ["msg\nmsg", "", "end"],
    ],
    [
      "a name must match exactly, and one space after the colon is removed",
      "data:\0\ndata:  2\rData:1\ndata\0:2\ndata:1\r\0data:4\nda-ta:3\rdata_5\ndata:3\rdata:\r\n data:32\ndata:4\n\n",
      ["\0\n 2\n1\n3\n\n4"],
    ],
    [
      "an unknown field and a line without a colon are ignored",
      "data:test\n data\ndata\nfoobar:xxx\njustsometext\n:thisisacommentyay\ndata:test\n\n",
      ["test\n\ntest"],
    ],
    [
      "a tab after the colon is kept, and one space is removed",
      "data:\ttest\rdata: \ndata:test\n\n",
      ["\ttest\n\ntest"],
    ],
    ["lines end in LF, CR or CRLF, mixed", "data:test\r\ndata\ndata:test\r\n\r", ["test\n\ntest"]],
    ["CR alone ends lines and events", "data:1\r\rdata:2\r\r", ["1", "2"]],
    ["LF CR is two line ends", "data:1\n\rdata:2\n\r", ["1", "2"]],
    ["CR LF LF is two line ends", "data:1\r\n\ndata:2\r\n\n", ["1", "2"]],
    ["NUL is normal data, and empty lines cause no event", "data:\0\n\n\n\n", ["\0"]],
    ["text is UTF-8", "data:ok…🙂\n\n", ["ok…🙂"]],
    ["fields after data do not change the data", "data:1\nretry:5\nid:2\nevent:x\n\n", ["1"]],
    ["an empty stream has no events", "", []],
  ])("%s", (_, stream, data) => {
    expect(dataOf(stream)).toEqual(data);
  });

  it("bytes that are not UTF-8 become replacement characters", () => {
    expect(parse([Uint8Array.of(...bytes("data:"), 0xff, 0xfe, ...bytes("\n\n"))])).toMatchObject([
      { data: "\u{fffd}\u{fffd}" },
    ]);
  });

  it("an event whose last line ends in CR does not wait for the next byte", () => {
    expect(parse([bytes("data:1\r\r")])).toHaveLength(1);
    expect(parse([bytes("data:1\r"), bytes("\n"), bytes("\r")])).toHaveLength(1);
    expect(parse([bytes("data:1\r"), bytes("\n")])).toHaveLength(0);
    expect(parse([bytes("data:1\r"), bytes(""), bytes("\n"), bytes("\n")])).toHaveLength(1);
  });

  it.each<[chunks: string[], data: string[]]>([
    [["data:1\r", "", "\n"], []],
    [["data:1\r", "data:2\n\n"], ["1\n2"]],
    [["data:1\r", "data:2", "\n\n"], ["1\n2"]],
    [["data:1\rdata:2", "\n\n"], ["1\n2"]],
    [["data:1\n", "\n"], ["1"]],
    [["data:1\r\n", "\n"], ["1"]],
    [["da", "", "ta:", "1", "\n", "", "\n"], ["1"]],
  ])("lines end correctly, wherever the chunks are cut: %j", (chunks, data) => {
    expect(parse(chunks.map(bytes)).map((message) => (message.kind === "event" ? message.data : message))).toEqual(
      data,
    );
  });
});

describe("the name of an event", () => {
  it("a name applies to one event, and an empty name counts as none", () => {
    expect(parseText("event:test\ndata:x\n\ndata:y\n\nevent: \ndata:z\n\nevent\ndata:a\n\n")).toMatchObject([
      { name: "test", data: "x" },
      { name: "", data: "y" },
      { name: "", data: "z" },
      { name: "", data: "a" },
    ]);
  });

  it("an event may have no name", () => {
    expect(parseText("data:x\n\n")).toEqual([{ kind: "event", lastEventId: "", name: "", data: "x" }]);
  });

  it("a name without data causes no event", () => {
    expect(parseText("event:test\n\ndata:x\n\n")).toMatchObject([{ name: "", data: "x" }]);
  });

  it("the last of several names counts", () => {
    expect(parseText("event:a\nevent:b\ndata:x\n\n")).toMatchObject([{ name: "b" }]);
  });
});

describe("the last event id", () => {
  const idsOf = (text: string, lastEventId?: string) =>
    parseText(text, lastEventId).map((message) => (message.kind === "retry" ? undefined : message.lastEventId));

  it.each<[what: string, stream: string, ids: string[]]>([
    ["an id applies until the next id", "id:1\ndata:a\n\ndata:b\n\nid:2\ndata:c\n\n", ["1", "1", "2"]],
    [
      "an id is reset by an empty one, with and without a colon",
      "id:1\ndata:a\n\nid\ndata:b\n\nid:2\ndata:c\n\nid:\ndata:d\n\n",
      ["1", "", "2", ""],
    ],
    ["an id with NUL is ignored", "id:1\ndata:a\n\nid:2\0x\ndata:b\n\nid:\0\ndata:c\n\n", ["1", "1", "1"]],
    ["an id without data counts", "id:7\ndata:a\n\nid:8\n\n", ["7", "8"]],
    ["an id without data applies to the next event", "id:8\n\ndata:a\n\n", ["8", "8"]],
    ["an id keeps its white space, except one leading space", "id:  a \t\ndata:x\n\n", [" a \t"]],
    ["the last of several ids counts", "id:1\nid:2\ndata:x\n\n", ["2"]],
    ["an id does not count without its empty line", "id:1\ndata:x\n\nid:2\n", ["1"]],
    ["an id may be any text", "id:é…🙂\ndata:x\n\n", ["é…🙂"]],
  ])("%s", (_, stream, ids) => {
    expect(idsOf(stream)).toEqual(ids);
  });

  it("an id without data is reported once", () => {
    expect(parseText("id:1\ndata:a\n\n\n\nid:2\n\n\n")).toEqual([
      { kind: "event", lastEventId: "1", name: "", data: "a" },
      { kind: "position", lastEventId: "2" },
    ]);
  });

  it("the id is initially the position before the connection", () => {
    expect(idsOf("data:a\n\nid:2\ndata:b\n\n", "1")).toEqual(["1", "2"]);
  });
});

describe("the retry time of a stream", () => {
  const retriesOf = (text: string) =>
    parseText(text).flatMap((message) => (message.kind === "retry" ? [message.retryMs] : []));

  it.each<[what: string, stream: string, retries: number[]]>([
    ["a retry time is decimal, even with a leading zero", "retry:03000\ndata:x\n\n", [3_000]],
    ["a retry time does not count before its line ends", "retry:5", []],
    ["a retry time counts when its line ends", "retry:5\n", [5]],
    [
      "a retry time is ignored unless it consists of digits",
      "retry:3000\nretry:1000x\nretry:-1\nretry:1.5\nretry:1e3\nretry:٣\ndata:x\n\n",
      [3_000],
    ],
    ["an empty retry time is ignored", "retry\nretry:\ndata:test\n\n", []],
    ["a number in another field is not a retry time", "5:5\nwait:5\n:5\n", []],
    ["a retry time may be 0", "retry:0\n", [0]],
  ])("%s", (_, stream, retries) => {
    expect(retriesOf(stream)).toEqual(retries);
  });
});

describe("the size limit of an event", () => {
  const kindsOf = (max: number, ...chunks: string[]) =>
    parse(chunks.map(bytes), "7", max).map((message) => message.kind);

  it.each<[what: string, stream: string, chars: number]>([
    ["one line", "data:abcd\n\n", 4],
    ["two lines with the line end between them", "data:ab\ndata:cd\n\n", 5],
    ["empty lines", "data\ndata\ndata\n\n", 2],
    ["the second event alone", "data:abc\n\ndata:abcd\n\n", 4],
  ])("an event may have exactly as many characters as the limit: %s", (_, stream, chars) => {
    expect(kindsOf(chars, stream).at(-1)).toBe("event");
    expect(kindsOf(chars - 1, stream).at(-1)).toBe("too_large");
  });

  it("an event may have a line of 4,096 characters besides its data", () => {
    const line = `:${"x".repeat(4_095)}`;
    expect(kindsOf(10, `data:0123456789\n${line}\n\n`)).toEqual(["event"]);
    expect(kindsOf(10, "data:0123456789\n", line, "x")).toEqual(["too_large"]);
    expect(kindsOf(10, line, "x".repeat(10), "\ndata:1\n\n")).toEqual(["event"]);
    expect(kindsOf(10, line, "x".repeat(11))).toEqual(["too_large"]);
  });

  it("the text after an event over the limit is not read, even in the same line", () => {
    expect(kindsOf(10, `id:8\ndata:${"x".repeat(5_000)}\n\nretry:5\ndata:1\n\n`)).toEqual(["too_large"]);
    expect(kindsOf(10, `retry:${"0".repeat(5_000)}\n`, "retry:5\n")).toEqual(["too_large"]);
  });
});

describe("a stream that is cut into chunks", () => {
  const line = fc.oneof(
    fc.constantFrom("data", "data:", "data: x", "id", "id:1", "id: é🙂", "event:e", "retry:5", ":", ": c", "", "", ""),
    fc.string({ unit: "grapheme", maxLength: 12 }).map((text) => text.replaceAll(/[\r\n]/g, "")),
    fc.string({ unit: "grapheme", maxLength: 12 }).map((text) => `data:${text.replaceAll(/[\r\n]/g, "")}`),
  );
  const stream = fc
    .array(fc.tuple(line, fc.constantFrom("\n", "\r", "\r\n")), { maxLength: 30 })
    .map((lines) => lines.flat().join(""));

  it("any cut into chunks causes the same messages", () => {
    fc.assert(
      fc.property(stream, fc.boolean(), fc.array(fc.nat(400), { maxLength: 40 }), (text, hasMark, places) => {
        const whole = bytes(`${hasMark ? "\u{feff}" : ""}${text}`);
        const cuts = [...new Set([0, ...places.map((place) => Math.min(place, whole.length))])].sort((a, b) => a - b);
        const chunks = cuts.map((from, index) => whole.slice(from, cuts[index + 1] ?? whole.length));
        expect(parse(chunks)).toEqual(parse([whole]));
      }),
      { numRuns: runs(500) },
    );
  });

  it("chunks of one byte cause the same messages", () => {
    fc.assert(
      fc.property(stream, (text) => {
        const whole = bytes(text);
        expect(parse(Array.from(whole, (byte) => Uint8Array.of(byte)))).toEqual(parse([whole]));
      }),
    );
  });
});

describe("a hostile stream", () => {
  it.each([
    ["one line that never ends", (part: string) => part],
    ["a comment that never ends", (part: string) => `:${part}`.replaceAll("\n", "")],
    ["an event of ever more lines", (part: string) => `data:${part}\n`],
    ["an event of ever more empty lines", () => "data\n".repeat(1_000)],
  ])("the parser gives up a stream over the limit, and reads nothing after it: %s", (_, chunk) => {
    const parser = new EventStreamParser(100_000, "7");
    const messages: StreamMessage[] = [];
    for (let i = 0; i < 200; i += 1) messages.push(...parser.push(chunk("x".repeat(1_000))));
    messages.push(...parser.push("\n\ndata:1\n\n"));
    expect(messages).toEqual([{ kind: "too_large", lastEventId: "7" }]);
  });
});
