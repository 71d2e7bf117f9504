/** What an export writes to, and the counts of what it has written. */
import { parseJson } from "../../json/parse-json.js";
import { pullStream } from "../../media/bytes.js";

/** The target of an export: a folder, or any store of bytes by path. */
export interface ExportSink {
  /**
   * Stores `bytes` under `path`. The path is relative, its parts are separated by `/`, and each part is a safe file
   * name on every system. Resolves once the bytes are stored. It must be atomic: after a crash, the sink has either the
   * old bytes or the new ones. An error ends the export; the next run resumes it.
   */
  write(path: string, bytes: Uint8Array): Promise<void> | void;
  /** Returns the bytes stored under `path`, or `undefined` if there are none. */
  read(path: string): Promise<Uint8Array | undefined> | Uint8Array | undefined;
  /**
   * Like `write`, for recordings, which may not fit into memory. Without this method, `write` receives the whole
   * recording.
   */
  writeStream?(path: string, stream: ReadableStream<Uint8Array>): Promise<void>;
  /** Deletes the bytes stored under `path`, if there are any. Required by `prune`. */
  delete?(path: string): Promise<void> | void;
  /**
   * Locks the sink for one export, and resolves to a function that unlocks it. Rejects while another export has the
   * lock. Without this method, the sink is not locked.
   */
  lock?(): Promise<() => Promise<void>>;
}

/** The folder in a sink where an export stores its own state. */
export const STATE_FOLDER = ".notetaker-export";

/** A value as JSON that is indented for people. */
export const jsonBytes = (value: unknown): Uint8Array => Buffer.from(`${JSON.stringify(value, undefined, 2)}\n`);

/** Writes to the sink of an export, and counts the files that were written or left unchanged. */
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

  /** Writes a stream. If the stream breaks off, returns its error; if the sink fails, throws. */
  async saveStream(path: string, stream: ReadableStream<Uint8Array>): Promise<{ size: number } | { broken: unknown }> {
    let size = 0;
    let failure: { broken: unknown } | undefined;
    async function* counted() {
      try {
        for await (const chunk of stream as AsyncIterable<Uint8Array<ArrayBuffer>>) {
          size += chunk.byteLength;
          yield chunk;
        }
      } catch (broken) {
        failure = { broken };
        throw broken;
      }
    }
    const chunks = counted();
    const copy = pullStream(chunks, () => chunks.return()).stream;
    try {
      if (this.#sink.writeStream !== undefined) await this.#sink.writeStream(path, copy);
      else await this.#sink.write(path, new Uint8Array(await new Response(copy).arrayBuffer()));
    } catch (error) {
      if (failure !== undefined) return failure;
      // Not awaited, because a stream that hangs would hold up the error.
      chunks.return().catch(() => {});
      throw error;
    }
    this.written += 1;
    return { size };
  }
}
