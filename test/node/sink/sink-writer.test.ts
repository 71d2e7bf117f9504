/** What an export writes to its sink, and what it counts. */
import { describe, expect, it } from "vitest";
import { jsonBytes, readJson } from "../../../src/node/sink/json-file.js";
import type { ExportSink } from "../../../src/node/sink/sink.js";
import { SinkWriter } from "../../../src/node/sink/sink-writer.js";
import { rejection } from "../../support/recorder.js";

function sinkOf(overrides: Partial<ExportSink> = {}) {
  const store = new Map<string, Uint8Array>();
  const writes: string[] = [];
  const sink: ExportSink = {
    write(path, bytes) {
      writes.push(path);
      store.set(path, bytes);
    },
    read: (path) => store.get(path),
    ...overrides,
  };
  return { store, writes, writer: new SinkWriter(sink) };
}
const bytes = (text: string) => Buffer.from(text);
const streamOf = (...texts: string[]) =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      for (const text of texts) controller.enqueue(bytes(text));
      controller.close();
    },
  });

describe("a file that an export writes", () => {
  it("is written and counted as written, unless the sink has the same bytes", async () => {
    const { writer, writes } = sinkOf();
    await writer.saveFile("a", bytes("one"));
    await writer.saveFile("a", bytes("one"));
    await writer.saveFile("a", bytes("two"));
    await writer.saveFile("b", bytes(""));
    await writer.saveFile("b", bytes(""));
    expect(writes).toEqual(["a", "a", "b"]);
    expect([writer.written, writer.unchanged]).toEqual([3, 2]);
  });

  it("is not counted if it belongs to the export itself", async () => {
    const { writer, writes } = sinkOf();
    expect(await writer.writeChanged("a", bytes("one"))).toBe(true);
    expect(await writer.writeChanged("a", bytes("one"))).toBe(false);
    await writer.write("a", bytes("one"));
    expect(writes).toEqual(["a", "a"]);
    expect([writer.written, writer.unchanged]).toEqual([0, 0]);
  });

  it("can be counted as unchanged", () => {
    const { writer } = sinkOf();
    writer.countUnchanged(2);
    writer.countUnchanged(3);
    expect([writer.written, writer.unchanged]).toEqual([0, 5]);
  });

  it("is deleted only by a sink with delete", async () => {
    const deleted: string[] = [];
    await sinkOf({ delete: (path) => void deleted.push(path) }).writer.delete("a");
    await sinkOf().writer.delete("a");
    expect(deleted).toEqual(["a"]);
  });

  it("is parsed as JSON, or undefined if it is not JSON", async () => {
    const { writer, store } = sinkOf();
    store.set("a", jsonBytes({ x: [1] }));
    store.set("b", bytes("{"));
    expect(Buffer.from(store.get("a") ?? []).toString()).toBe('{\n  "x": [\n    1\n  ]\n}\n');
    expect(await readJson(writer, "a")).toEqual({ x: [1] });
    expect(await readJson(writer, "b")).toBeUndefined();
    expect(await readJson(writer, "c")).toBeUndefined();
  });
});

describe("a stream that an export writes", () => {
  it("is collected for a sink without writeStream, and counted with its size", async () => {
    const { writer, store } = sinkOf();
    expect(await writer.saveStream("a", streamOf("one", "", "two"))).toEqual({ kind: "saved", size: 6 });
    expect(Buffer.from(store.get("a") ?? []).toString()).toBe("onetwo");
    expect([writer.written, writer.unchanged]).toEqual([1, 0]);
  });

  it("is passed to writeStream, and read only on demand", async () => {
    let pulls = 0;
    const source = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          pulls += 1;
          if (pulls < 3) controller.enqueue(bytes("x"));
          else controller.close();
        },
      },
      { highWaterMark: 0 },
    );
    const seen: number[] = [];
    const writeStream = async (_: string, stream: ReadableStream<Uint8Array>) => {
      await new Promise((resolve) => setImmediate(resolve));
      seen.push(pulls);
      await new Response(stream).arrayBuffer();
    };
    expect(await sinkOf({ writeStream }).writer.saveStream("a", source)).toEqual({ kind: "saved", size: 2 });
    expect(seen).toEqual([0]);
  });

  it("has one result if the stream breaks off, and another if the sink fails", async () => {
    const lost = new Error("lost");
    const broken = () => new ReadableStream<Uint8Array>({ pull: () => Promise.reject(lost) });
    const { writer, writes } = sinkOf();
    expect(await writer.saveStream("a", broken())).toEqual({ kind: "broken", error: lost });
    expect(writes).toEqual([]);

    const full = new Error("full");
    let cancelled: unknown;
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(bytes("x")),
      cancel(reason) {
        cancelled = reason;
      },
    });
    const failing = sinkOf({ writeStream: () => Promise.reject(full) }).writer;
    expect(await failing.saveStream("a", endless)).toEqual({ kind: "unwritable", error: full });
    expect(cancelled).toBe(full);
    expect([writer.written, failing.written]).toEqual([0, 0]);
  });

  it("is cancelled if the sink cancels it", async () => {
    let cancelled: unknown;
    const source = new ReadableStream<Uint8Array>({
      cancel(reason) {
        cancelled = reason;
      },
    });
    const writeStream = async (_: string, stream: ReadableStream<Uint8Array>) => stream.cancel("enough");
    await sinkOf({ writeStream }).writer.saveStream("a", source);
    expect(cancelled).toBe("enough");
  });
});

it("an error of the sink is thrown unchanged", async () => {
  const full = new Error("full");
  const { writer } = sinkOf({
    write() {
      throw full;
    },
  });
  expect(await rejection(writer.saveFile("a", bytes("x")))).toBe(full);
  expect(writer.written).toBe(0);
});
