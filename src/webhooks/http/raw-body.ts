/** The raw body of a delivery. The signature covers its bytes, so a body that was parsed cannot be checked any more. */
import { WebhookVerificationError } from "../../errors/webhook-verification-error.js";

/** A body as it came over the wire. */
export type RawBody = string | ArrayBuffer | ArrayBufferView;

/** The refusal of a body that is no longer raw. `received` names what was given instead. */
export const parsedBodyError = (received = "one that was read already") =>
  new WebhookVerificationError(
    "parsed_body",
    `expected the raw body, string or bytes, received ${received}. ` +
      'Express: express.raw({ type: "*/*" }) ahead of express.json(). ' +
      "Next.js: request.text(), or bodyParser: false in pages/api. " +
      'Fastify: parseAs: "buffer". NestJS: rawBody: true. ' +
      "Hono, Workers, Deno, Bun: request.text().",
  );

const encoder = new TextEncoder();

const tagOf = (value: unknown): string => Object.prototype.toString.call(value);

/** Whether `value` is a raw body. By tag and not by class: a test runner's realm has an `ArrayBuffer` of its own. */
export const isRawBody = (value: unknown): value is RawBody =>
  typeof value === "string" || ArrayBuffer.isView(value) || tagOf(value) === "[object ArrayBuffer]";

/**
 * The bytes of a raw body: a copy, so that what was verified is what is read.
 *
 * @throws {@link WebhookVerificationError} `parsed_body`, with the way to the raw body in each framework.
 */
export function rawBytes(body: unknown): Uint8Array<ArrayBuffer> {
  if (!isRawBody(body)) throw parsedBodyError(tagOf(body));
  if (typeof body === "string") return encoder.encode(body);
  const view = ArrayBuffer.isView(body)
    ? new Uint8Array(body.buffer, body.byteOffset, body.byteLength)
    : new Uint8Array(body);
  return view.slice();
}
