/** Reads the body of a response as text, up to a maximum length. */
import { abortable } from "../async/abort.js";
import { type ByteReader, byteReader, isReadable } from "../async/byte-reader.js";

/** Thrown for a body that is longer than allowed. */
export class BodyTooLarge {
  constructor(readonly limitBytes: number) {}
}

/**
 * Decodes a body while it arrives, and adds each part to `parts`. If the rest fails, the earlier parts are not lost.
 * The limit counts bytes after decompression. When `signal` aborts, rejects at once and closes the connection.
 */
async function readChunks(response: Response, maxBytes: number, signal: AbortSignal, parts: string[]): Promise<void> {
  const { body } = response;
  // In some runtimes, the body of a response is not a stream. jest's jsdom environment has no `TextDecoder`, although
  // its `fetch` may return streams.
  if (!isReadable(body) || typeof TextDecoder === "undefined") {
    const text = await abortable(response.text(), signal);
    parts.push(text.slice(0, maxBytes));
    if (text.length > maxBytes) throw new BodyTooLarge(maxBytes);
    return;
  }
  const reader = byteReader(body);
  try {
    await abortable(decodeChunks(reader, maxBytes, parts), signal);
  } catch (error) {
    // Node's `fetch` forgets its signal once the request is garbage-collected. An abort after the headers may then
    // leave the connection open, so it is closed here.
    reader.close(error);
    throw error;
  }
}

async function decodeChunks(reader: ByteReader, maxBytes: number, parts: string[]): Promise<void> {
  const decoder = new TextDecoder();
  for (let bytes = 0; ; ) {
    const { done, value } = await reader.read();
    if (done) break;
    const chunk = value as Uint8Array;
    bytes += chunk.byteLength;
    parts.push(decoder.decode(chunk, { stream: true }));
    if (bytes > maxBytes) throw new BodyTooLarge(maxBytes);
  }
  parts.push(decoder.decode());
}

/** Reads the whole text of a body. Throws `BodyTooLarge` if the body has more than `maxBytes` bytes. */
export async function readText(response: Response, maxBytes: number, signal: AbortSignal): Promise<string> {
  const parts: string[] = [];
  await readChunks(response, maxBytes, signal, parts);
  return parts.join("");
}

/**
 * Reads about the first `maxBytes` bytes of a body. If the body fails or `signal` aborts, returns the part that arrived
 * before. Never rejects.
 */
export async function readExcerpt(response: Response, maxBytes: number, signal: AbortSignal): Promise<string> {
  const parts: string[] = [];
  await readChunks(response, maxBytes, signal, parts).catch(() => {});
  return parts.join("");
}
