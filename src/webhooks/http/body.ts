/** The raw body of a request. The signature covers these bytes, so a parsed body cannot be verified. */
import { onAbort, throwIfAborted } from "../../async/abort.js";
import { asBytes } from "../../async/as-bytes.js";
import { ReceivedBytes } from "../../async/received-bytes.js";
import { WebhookVerificationError } from "../../errors/webhook-verification-error.js";
import { orUndefined } from "../../json/or-undefined.js";

/** A body as it was received. */
export type RawBody = string | ArrayBuffer | ArrayBufferView;

/** The error for a body that is not raw. `received` names what was passed instead. */
export const parsedBodyError = (received = "one that was read before") =>
  new WebhookVerificationError({
    reason: "parsed_body",
    message:
      `expected the raw body, string or bytes, received ${received}. ` +
      'Express: express.raw({ type: "*/*" }) before express.json(). ' +
      "Next.js: request.text(), or bodyParser: false in pages/api. " +
      'Fastify: parseAs: "buffer". NestJS: rawBody: true. ' +
      "Hono, Workers, Deno, Bun: request.text().",
  });

export const isRawBody = (value: unknown): value is RawBody =>
  typeof value === "string" || asBytes(value) !== undefined;

/** A copy of the bytes of a raw body: it cannot be changed between verifying and reading. */
export function rawBytes(body: unknown): Uint8Array<ArrayBuffer> {
  if (typeof body === "string") return new TextEncoder().encode(body);
  const bytes = asBytes(body);
  if (bytes === undefined) throw parsedBodyError(Object.prototype.toString.call(body));
  return bytes.slice();
}

export const decodeUtf8 = (bytes: Uint8Array): string | undefined =>
  orUndefined(() => new TextDecoder("utf-8", { fatal: true }).decode(bytes));

/** Leaving the loop, and the signal, cancel the stream. `onBroken` hears of a failure even between two reads. */
export async function* readChunks<T>(
  stream: ReadableStream<T>,
  signal: AbortSignal,
  onBroken = () => {},
): AsyncGenerator<T, void, undefined> {
  const reader = stream.getReader();
  reader.closed.catch(onBroken);
  const cancel = () => void reader.cancel(signal.reason).catch(() => {});
  const stopListening = onAbort(signal, cancel);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      throwIfAborted(signal);
      if (done) return;
      yield value;
    }
  } finally {
    stopListening();
    cancel();
  }
}

/** The sender disconnected before the body was complete. */
export class BodyBrokenOff extends Error {}

/** Reads the body of `request`, and stops as soon as it exceeds `maxBytes`, or `signal` aborts. */
export async function readBody(
  request: Request,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  if (request.bodyUsed || request.body?.locked) throw parsedBodyError();
  const received = new ReceivedBytes();
  try {
    for await (const chunk of request.body === null ? [] : readChunks(request.body, signal)) {
      const bytes = asBytes(chunk);
      if (bytes === undefined) throw parsedBodyError();
      if (received.length + bytes.byteLength > maxBytes) throw tooLargeError(maxBytes);
      received.add(bytes);
    }
  } catch (cause) {
    if (cause instanceof WebhookVerificationError || signal.aborted) throw cause;
    throw new BodyBrokenOff();
  }
  // A copy, which the sender of a chunk cannot change.
  return received.bytes.slice();
}

const tooLargeError = (maxBytes: number) =>
  new WebhookVerificationError({
    reason: "too_large",
    message: `expected a body of at most ${maxBytes} bytes, received more`,
  });
