/** Reads the body of a delivery, up to a limit. */
import { WebhookVerificationError } from "../../errors/webhook-verification-error.js";
import { parsedBodyError } from "./raw-body.js";
import { readChunks } from "./read-chunks.js";

/**
 * The sender disconnected before the body was complete. The receiver does not report this error: it only ends the
 * delivery.
 */
export class BodyBrokenOff extends Error {}

/** The smallest size of the buffer. The buffer doubles when a body exceeds it. */
const INITIAL_BYTES = 16_384;

/** Collects chunks in one buffer: a list of thousands of tiny chunks would take many times the memory of the body. */
class ByteCollector {
  #bytes = new Uint8Array(0);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  add(chunk: Uint8Array): void {
    const length = this.#length + chunk.byteLength;
    if (length > this.#bytes.byteLength) {
      const larger = new Uint8Array(Math.max(length, this.#bytes.byteLength * 2, INITIAL_BYTES));
      larger.set(this.#bytes.subarray(0, this.#length));
      this.#bytes = larger;
    }
    this.#bytes.set(chunk, this.#length);
    this.#length = length;
  }

  toBytes(): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(0, this.#length);
  }
}

/**
 * Reads the body of `request`, and stops as soon as it exceeds `maxBytes`.
 *
 * @throws {@link WebhookVerificationError} `parsed_body` if the body has been read before, `too_large` if it has more
 * than `maxBytes`.
 * @throws {@link BodyBrokenOff} if the sender disconnected before the end of the body.
 * @throws the reason of `signal`, as soon as it aborts.
 */
export async function readBody(
  request: Request,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  if (request.bodyUsed || request.body?.locked) throw parsedBodyError();
  const collector = new ByteCollector();
  try {
    for await (const chunk of request.body === null ? [] : readChunks(request.body, signal)) {
      if (!ArrayBuffer.isView(chunk)) throw parsedBodyError();
      if (collector.length + chunk.byteLength > maxBytes) throw tooLargeError(maxBytes);
      collector.add(chunk);
    }
  } catch (cause) {
    if (cause instanceof WebhookVerificationError || signal.aborted) throw cause;
    throw new BodyBrokenOff();
  }
  return collector.toBytes();
}

const tooLargeError = (maxBytes: number) =>
  new WebhookVerificationError("too_large", `expected a body of at most ${maxBytes} bytes, received more`);
