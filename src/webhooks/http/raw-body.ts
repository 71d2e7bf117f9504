/** The raw body of a delivery. The signature covers its bytes, so a parsed body can no longer be verified. */
import { WebhookVerificationError } from "../../errors/webhook-verification-error.js";

/** A body as it was received. */
export type RawBody = string | ArrayBuffer | ArrayBufferView;

/** The error for a body that is not raw. `received` names what was passed instead. */
export const parsedBodyError = (received = "one that was read before") =>
  new WebhookVerificationError(
    "parsed_body",
    `expected the raw body, string or bytes, received ${received}. ` +
      'Express: express.raw({ type: "*/*" }) before express.json(). ' +
      "Next.js: request.text(), or bodyParser: false in pages/api. " +
      'Fastify: parseAs: "buffer". NestJS: rawBody: true. ' +
      "Hono, Workers, Deno, Bun: request.text().",
  );

const tagOf = (value: unknown): string => Object.prototype.toString.call(value);

/**
 * Whether `value` is a raw body. It compares the tag, not the class, because a test runner's realm has its own class
 * `ArrayBuffer`.
 */
export const isRawBody = (value: unknown): value is RawBody =>
  typeof value === "string" || ArrayBuffer.isView(value) || tagOf(value) === "[object ArrayBuffer]";

/**
 * A copy of the bytes of a raw body. A copy cannot be changed between verifying and reading.
 *
 * @throws {@link WebhookVerificationError} `parsed_body`. The message says how each framework gives access to the raw
 * body.
 */
export function rawBytes(body: unknown): Uint8Array<ArrayBuffer> {
  if (!isRawBody(body)) throw parsedBodyError(tagOf(body));
  if (typeof body === "string") return new TextEncoder().encode(body);
  const view = ArrayBuffer.isView(body)
    ? new Uint8Array(body.buffer, body.byteOffset, body.byteLength)
    : new Uint8Array(body);
  return view.slice();
}
