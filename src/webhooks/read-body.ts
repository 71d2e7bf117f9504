/** Reads the body of a request or a response up to a limit, and no further. */
import { WebhookVerificationError } from "../errors/webhook-verification-error.js";
import { parsedBody } from "./raw-body.js";

/** The body's bytes; or that there are more than were allowed, or that the sender went away. */
export type ReadBody = Uint8Array<ArrayBuffer> | "too large" | "broken off";

/**
 * The body of `message`, of which no more than `maxBytes` are kept: the rest is left unread.
 *
 * @throws {@link WebhookVerificationError} `parsed_body` when somebody has read the body before; the signal's reason
 * when it aborts.
 */
export async function readBody(message: Request | Response, maxBytes: number, signal: AbortSignal): Promise<ReadBody> {
  if (message.bodyUsed || message.body?.locked) throw parsedBody("a request whose body has been read");
  if (message.body === null) return new Uint8Array();
  if (Number(message.headers.get("content-length")) > maxBytes) {
    await message.body.cancel();
    return "too large";
  }

  const reader = message.body.getReader();
  const stop = () => void reader.cancel(signal.reason).catch(() => {});
  signal.addEventListener("abort", stop);
  try {
    const chunks: Uint8Array[] = [];
    let size = 0;
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      size += value.byteLength;
      if (size > maxBytes) {
        await reader.cancel();
        return "too large";
      }
      chunks.push(value);
    }
    signal.throwIfAborted();
    return joined(chunks, size);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof WebhookVerificationError) throw error;
    return "broken off";
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

function joined(chunks: readonly Uint8Array[], size: number): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.byteLength;
  }
  return whole;
}
