/** Reads the body of a request up to a limit, and no further. */
import { WebhookVerificationError } from "../../errors/webhook-verification-error.js";
import { parsedBodyError } from "./raw-body.js";
import { readChunks } from "./read-chunks.js";

/** The body's bytes; or that there are more than were allowed, or that the sender went away. */
export type ReadBody = Uint8Array<ArrayBuffer> | "too_large" | "broken_off";

/**
 * The body of `request`, of which no more than `maxBytes` are kept: the rest is left unread.
 *
 * @throws {@link WebhookVerificationError} `parsed_body` when somebody has read the body before.
 */
export async function readBody(request: Request, maxBytes: number, signal: AbortSignal): Promise<ReadBody> {
  if (request.bodyUsed || request.body?.locked) throw parsedBodyError();
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let left = maxBytes;
  try {
    for await (const chunk of request.body ? readChunks(request.body, signal) : []) {
      left -= chunk.byteLength;
      if (left < 0) return "too_large";
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof WebhookVerificationError) throw error;
    return "broken_off";
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}
