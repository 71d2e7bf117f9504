/** Writes to the sink of an export, and counts the files that were written or left unchanged. */
import type { ExportSink } from "./sink.js";
import type { StreamOutcome } from "./stream-outcome.js";

export class SinkWriter {
  readonly #sink: ExportSink;
  #written = 0;
  #unchanged = 0;

  constructor(sink: ExportSink) {
    this.#sink = sink;
  }

  /** How many files were written, except the export's own state. */
  get written(): number {
    return this.#written;
  }

  /** How many files were left unchanged. */
  get unchanged(): number {
    return this.#unchanged;
  }

  /** Counts files that are left as they are. */
  countUnchanged(files: number): void {
    this.#unchanged += files;
  }

  async read(path: string): Promise<Uint8Array | undefined> {
    return this.#sink.read(path);
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
    if (await this.writeChanged(path, bytes)) this.#written += 1;
    else this.#unchanged += 1;
  }

  /** Writes a stream. Throws nothing: the result says whether the stream or the sink failed. */
  async saveStream(path: string, stream: ReadableStream<Uint8Array>): Promise<StreamOutcome> {
    const source = new CountedStream(stream);
    try {
      if (this.#sink.writeStream !== undefined) await this.#sink.writeStream(path, source.stream);
      else await this.#sink.write(path, new Uint8Array(await new Response(source.stream).arrayBuffer()));
    } catch (error) {
      if (source.failure !== undefined) return { kind: "broken", error: source.failure.error };
      await source.cancel(error);
      return { kind: "unwritable", error };
    }
    this.#written += 1;
    return { kind: "saved", size: source.size };
  }
}

/** A stream that counts its bytes, and remembers the failure of its source. */
class CountedStream {
  readonly stream: ReadableStream<Uint8Array>;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  size = 0;
  failure: { error: unknown } | undefined;

  constructor(source: ReadableStream<Uint8Array>) {
    this.#reader = source.getReader();
    this.stream = new ReadableStream<Uint8Array>(
      {
        pull: (controller) => this.#pull(controller),
        cancel: (reason) => this.#reader.cancel(reason),
      },
      { highWaterMark: 0 },
    );
  }

  async cancel(reason: unknown): Promise<void> {
    await this.#reader.cancel(reason).catch(() => {});
  }

  async #pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    const result = await this.#reader.read().catch((error: unknown) => {
      this.failure = { error };
      throw error;
    });
    if (result.done) {
      controller.close();
      return;
    }
    this.size += result.value.byteLength;
    controller.enqueue(result.value);
  }
}
