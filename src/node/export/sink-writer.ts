/** The sink as an export uses it. */
import { type ExportSink, folderSink } from "./sink.js";

/** What the sink failed with: no matter of one meeting, but the end of the run. */
export class SinkFailure {
  readonly reason: unknown;

  constructor(reason: unknown) {
    this.reason = reason;
  }
}

/** Every failure of the sink itself is a {@link SinkFailure}. */
export class Output {
  readonly #sink: ExportSink;
  written = 0;
  unchanged = 0;

  constructor(into: string | ExportSink) {
    this.#sink = typeof into === "string" ? folderSink(into) : into;
  }

  read(path: string): Promise<Uint8Array | undefined> {
    return guarded(async () => this.#sink.read(path));
  }

  write(path: string, bytes: Uint8Array): Promise<void> {
    return guarded(async () => this.#sink.write(path, bytes));
  }

  /** Writes what is not there yet, or not with these bytes; says whether it did. */
  async writeChanged(path: string, bytes: Uint8Array): Promise<boolean> {
    const before = await this.read(path);
    if (before !== undefined && Buffer.compare(before, bytes) === 0) return false;
    await this.write(path, bytes);
    return true;
  }

  /** The same for a file that the user wants, and counts it. */
  async saveFile(path: string, bytes: Uint8Array): Promise<void> {
    if (await this.writeChanged(path, bytes)) this.written += 1;
    else this.unchanged += 1;
  }

  /** The length in bytes. A failure of the stream stays as it is. */
  async saveStream(path: string, stream: ReadableStream<Uint8Array>): Promise<number> {
    const reader = stream.getReader();
    let size = 0;
    let failure: { reason: unknown } | undefined;
    const watched = new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          const { done, value } = await reader.read().catch((reason) => {
            failure = { reason };
            throw reason;
          });
          if (done) return controller.close();
          size += value.byteLength;
          controller.enqueue(value);
        },
        cancel: (reason) => reader.cancel(reason),
      },
      { highWaterMark: 0 },
    );
    try {
      if (this.#sink.writeStream !== undefined) await this.#sink.writeStream(path, watched);
      else await this.#sink.write(path, new Uint8Array(await new Response(watched).arrayBuffer()));
    } catch (error) {
      if (failure !== undefined) throw failure.reason;
      await reader.cancel(error).catch(() => {});
      throw new SinkFailure(error);
    }
    this.written += 1;
    return size;
  }
}

async function guarded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new SinkFailure(error);
  }
}
