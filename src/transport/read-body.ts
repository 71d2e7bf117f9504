/** Reads the body of a response, as text and no more of it than allowed. */
import { abortable } from "../async/abortable.js";
import { ASYNC_ITERATOR } from "../async/async-iterator.js";

/** Thrown for a body that is longer than allowed. */
export class BodyTooLarge {
  constructor(readonly limitBytes: number) {}
}

type Chunk = Uint8Array;

/** Some runtimes have no streams in responses, and some implementations of `fetch` have streams of their own. */
function chunksOf(body: unknown): AsyncIterator<Chunk> | undefined {
  if (body === undefined) return undefined;
  const stream = body as Partial<ReadableStream<Chunk>> & Partial<AsyncIterable<Chunk>>;
  if (typeof stream.getReader === "function") {
    const reader = stream.getReader() as ReadableStreamDefaultReader<Chunk>;
    return {
      next: () => reader.read() as Promise<IteratorResult<Chunk>>,
      async return() {
        await reader.cancel();
        return { done: true, value: undefined };
      },
    };
  }
  return stream[ASYNC_ITERATOR]?.();
}

/** Ends the reading of a body, and closes its connection. The rest is not waited for: it may never come. */
async function stopReading(chunks: AsyncIterator<unknown>): Promise<void> {
  try {
    await chunks.return?.();
  } catch {
    // It has failed already.
  }
}

/**
 * The text of a body, decoded as it comes. `onText` gets each part, so that what has come is not lost should the rest
 * fail. Counted are the bytes after decompression; from `maxBytes` on, `BodyTooLarge` is thrown or, with `cut`, the
 * rest is left unread.
 */
async function readChunks(
  response: Response,
  { maxBytes, cut, onText }: { maxBytes: number; cut: boolean; onText(text: string): void },
): Promise<void> {
  if (response.body === null) return;
  // jest's jsdom environment has no decoder, and may be given a `fetch` with streams.
  const chunks = typeof TextDecoder === "undefined" ? undefined : chunksOf(response.body);
  if (chunks === undefined) {
    const text = await response.text();
    if (text.length > maxBytes && !cut) throw new BodyTooLarge(maxBytes);
    onText(text.slice(0, maxBytes));
    return;
  }
  const decoder = new TextDecoder();
  for (let bytes = 0; ; ) {
    const { done, value } = await chunks.next();
    if (done) break;
    bytes += value.byteLength;
    if (bytes > maxBytes) {
      void stopReading(chunks);
      if (!cut) throw new BodyTooLarge(maxBytes);
      onText(decoder.decode(value));
      return;
    }
    onText(decoder.decode(value, { stream: true }));
  }
  onText(decoder.decode());
}

/** The whole text of a body. @throws {BodyTooLarge} it has more than `maxBytes` bytes */
export async function readText(response: Response, maxBytes: number): Promise<string> {
  const parts: string[] = [];
  await readChunks(response, { maxBytes, cut: false, onText: (text) => parts.push(text) });
  return parts.join("");
}

/**
 * The first `maxBytes` or so of a body, or as much of them as comes before it fails or `signal` aborts. Never rejects.
 */
export function readExcerpt(response: Response, maxBytes: number, signal: AbortSignal): Promise<string> {
  const parts: string[] = [];
  const reading = readChunks(response, { maxBytes, cut: true, onText: (text) => parts.push(text) });
  return abortable(reading, signal).then(
    () => parts.join(""),
    () => parts.join(""),
  );
}

/** Leaves a body unread, and closes its connection. */
export function discardBody(response: Response): void {
  const { body } = response;
  if (!body) return;
  const chunks = chunksOf(body);
  if (chunks !== undefined) void stopReading(chunks);
}
