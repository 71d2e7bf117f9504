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

/** Whether `value` is a raw body. By tag, not by class: a test runner's realm has an `ArrayBuffer` of its own. */
export const isRawBody = (value: unknown): value is RawBody =>
  typeof value === "string" || ArrayBuffer.isView(value) || tagOf(value) === "[object ArrayBuffer]";

/**
 * The bytes of a raw body. A copy, so that the bytes that are read are the bytes that were verified.
 *
 * @throws {@link WebhookVerificationError} `parsed_body`, with the way to the raw body in each framework.
 */
export function rawBytes(body: unknown): Uint8Array<ArrayBuffer> {
  if (!isRawBody(body)) throw parsedBodyError(tagOf(body));
  if (typeof body === "string") return new TextEncoder().encode(body);
  const view = ArrayBuffer.isView(body)
    ? new Uint8Array(body.buffer, body.byteOffset, body.byteLength)
    : new Uint8Array(body);
  return view.slice();
}
