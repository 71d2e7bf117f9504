import { asBytes } from "../async/as-bytes.js";
import { byteReader, isReadable } from "../async/byte-reader.js";
import { ReceivedBytes } from "../async/received-bytes.js";
import type { TimeLimit } from "../async/time-limit.js";

export class BodyTooLarge {
  constructor(readonly limitBytes: number) {}
}

/** Reads a body into `received`: if the rest fails, the earlier bytes are not lost. */
async function receiveChunks(
  body: Readable,
  maxBytes: number,
  limit: TimeLimit,
  received: ReceivedBytes,
): Promise<void> {
  const reader = byteReader(body);
  const readAll = async () => {
    for (let result = await reader.read(); !result.done; result = await reader.read()) {
      const chunk = asBytes(result.value);
      if (chunk === undefined) throw new TypeError("the body has a chunk that is not bytes");
      received.add(chunk);
      if (received.length > maxBytes) throw new BodyTooLarge(maxBytes);
    }
  };
  try {
    await limit.abortable(readAll());
  } catch (error) {
    // Node's `fetch` forgets its signal once the request is garbage-collected. An abort after the headers may then
    // leave the connection open, so it is closed here.
    reader.close(error);
    throw error;
  }
}

type Readable = ReadableStream | AsyncIterable<unknown>;

/** Decoding once costs less than decoding each chunk. If `isCut`, half a character at the end is left out. */
const decoded = ({ bytes }: ReceivedBytes, isCut: boolean): string =>
  new TextDecoder().decode(bytes, { stream: isCut });

/** Some runtimes have no stream here, and jest's jsdom has no `TextDecoder`, although its `fetch` may stream. */
const streamOf = ({ body }: { readonly body?: unknown }): Readable | undefined =>
  isReadable(body) && typeof TextDecoder !== "undefined" ? body : undefined;

export async function readText(response: Response, maxBytes: number, limit: TimeLimit): Promise<string> {
  const body = streamOf(response);
  if (body === undefined) {
    const text = await limit.abortable(response.text());
    if (text.length > maxBytes) throw new BodyTooLarge(maxBytes);
    return text;
  }
  const received = new ReceivedBytes();
  await receiveChunks(body, maxBytes, limit, received);
  return decoded(received, false);
}

/** About the first `maxBytes` bytes; if the body fails or `limit` aborts, the part that arrived before. */
export async function readExcerpt(response: Response, maxBytes: number, limit: TimeLimit): Promise<string> {
  const body = streamOf(response);
  if (body === undefined) {
    const readWhole = async () => (await limit.abortable(response.text())).slice(0, maxBytes);
    return readWhole().catch(() => "");
  }
  const received = new ReceivedBytes();
  await receiveChunks(body, maxBytes, limit, received).catch(() => {});
  return decoded(received, true);
}
