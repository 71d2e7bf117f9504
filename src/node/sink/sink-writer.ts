/** Writes to the sink of an export, and counts the files that were written or left unchanged. */
import { parseJson } from "../../json/parse-json.js";
import { pullStream } from "../../media/bytes/pull-stream.js";
import type { ExportSink } from "./sink.js";

/** How the writing of a stream ended: the file is complete, the stream broke off, or the sink failed. */
export type StreamOutcome =
  | { kind: "saved"; size: number }
  | { kind: "broken"; error: unknown }
  | { kind: "unwritable"; error: unknown };

/** A value as JSON that is indented for people. */
export const jsonBytes = (value: unknown): Uint8Array => Buffer.from(`${JSON.stringify(value, undefined, 2)}\n`);

export class SinkWriter {
  readonly #sink: ExportSink;
  /** How many files were written, except the export's own state. */
  written = 0;
  /** How many files were left as they were. */
  unchanged = 0;

  constructor(sink: ExportSink) {
    this.#sink = sink;
  }

  async read(path: string): Promise<Uint8Array | undefined> {
    return this.#sink.read(path);
  }

  /** The value of a JSON file; `undefined` if the file does not exist or is not JSON. The shape is unchecked. */
  async readJson(path: string): Promise<unknown> {
    const bytes = await this.read(path);
    return bytes === undefined ? undefined : parseJson(Buffer.from(bytes).toString("utf8"));
  }

  async write(path: string, bytes: Uint8Array): Promise<void> {
    await this.#sink.write(path, bytes);
  }

  async delete(path: string): Promise<void> {
    await this.#sink.delete?.(path);
  }

  /** Writes a file unless it already has the same bytes. Returns whether it was written. */
  async writeChanged(path: string, bytes: Uint8Array): Promise<boolean> {
    const before = await this.read(path);
    if (before !== undefined && Buffer.compare(before, bytes) === 0) return false;
    await this.write(path, bytes);
    return true;
  }

  /** Writes one of the user's files unless it already has the same bytes, and counts it. */
  async saveFile(path: string, bytes: Uint8Array): Promise<void> {
    if (await this.writeChanged(path, bytes)) this.written += 1;
    else this.unchanged += 1;
  }

  /** Writes a stream. Throws nothing: the result says whether the stream or the sink failed. */
  async saveStream(path: string, stream: ReadableStream<Uint8Array>): Promise<StreamOutcome> {
    let size = 0;
    let broken: { error: unknown } | undefined;
    async function* counted() {
      try {
        for await (const chunk of stream as AsyncIterable<Uint8Array<ArrayBuffer>>) {
          size += chunk.byteLength;
          yield chunk;
        }
      } catch (error) {
        broken = { error };
        throw error;
      }
    }
    const chunks = counted();
    const copy = pullStream(chunks, () => chunks.return()).stream;
    try {
      if (this.#sink.writeStream !== undefined) await this.#sink.writeStream(path, copy);
      else await this.#sink.write(path, new Uint8Array(await new Response(copy).arrayBuffer()));
    } catch (error) {
      if (broken !== undefined) return { kind: "broken", error: broken.error };
      // Not awaited, because a stream that hangs would hold up the error.
      chunks.return().catch(() => {});
      return { kind: "unwritable", error };
    }
    this.written += 1;
    return { kind: "saved", size };
  }
}
