/** Reads the body of a response, as text and no more of it than allowed. */
import { abortable } from "../async/abortable.js";
import { onAbort } from "../async/on-abort.js";
import { byteReader, isReadable } from "./byte-reader.js";

/** Thrown for a body that is longer than allowed. */
export class BodyTooLarge {
  constructor(readonly limitBytes: number) {}
}

/**
 * Decodes the text of a body as it comes. `onText` gets each part, so that the parts so far are not lost if the rest
 * fails. The limit counts bytes after decompression. When `signal` aborts, the connection is closed.
 */
async function readChunks(
  response: Response,
  maxBytes: number,
  signal: AbortSignal,
  onText: (text: string) => void,
): Promise<void> {
  const { body } = response;
  // Some runtimes have no streams in responses. jest's jsdom environment has no decoder, and may be given a `fetch`
  // with streams.
  if (!isReadable(body) || typeof TextDecoder === "undefined") {
    const text = await response.text();
    onText(text.slice(0, maxBytes));
    if (text.length > maxBytes) throw new BodyTooLarge(maxBytes);
    return;
  }
  const reader = byteReader(body);
  // Node's `fetch` forgets its signal once the request is garbage-collected: after the headers, an abort may close
  // nothing.
  onAbort(signal, () => reader.close(signal.reason));
  const decoder = new TextDecoder();
  for (let bytes = 0; ; ) {
    const { done, value } = await reader.read();
    if (signal.aborted) throw signal.reason;
    if (done) break;
    const chunk = value as Uint8Array;
    bytes += chunk.byteLength;
    onText(decoder.decode(chunk, { stream: true }));
    if (bytes <= maxBytes) continue;
    reader.close(undefined);
    throw new BodyTooLarge(maxBytes);
  }
  onText(decoder.decode());
}

/** The whole text of a body. @throws {BodyTooLarge} it has more than `maxBytes` bytes */
export async function readText(response: Response, maxBytes: number, signal: AbortSignal): Promise<string> {
  const parts: string[] = [];
  await readChunks(response, maxBytes, signal, (text) => parts.push(text));
  return parts.join("");
}

/**
 * The first `maxBytes` or so of a body, or as much of them as comes before it fails or `signal` aborts. Never rejects.
 */
export async function readExcerpt(response: Response, maxBytes: number, signal: AbortSignal): Promise<string> {
  const parts: string[] = [];
  const reading = readChunks(response, maxBytes, signal, (text) => parts.push(text));
  await abortable(reading, signal).catch(() => {});
  return parts.join("");
}

/** Leaves a body unread, and closes its connection. A middleware may have read it. */
export function discardBody({ body }: Response): void {
  if (isReadable(body) && !body.locked) byteReader(body).close(undefined);
}
