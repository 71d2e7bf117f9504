/** The raw body of a delivery. The signature covers its bytes, so a body that was parsed cannot be checked any more. */
import { WebhookVerificationError } from "../errors/webhook-verification-error.js";

/** A body as it came over the wire. */
export type RawBody = string | ArrayBuffer | ArrayBufferView;

const RECIPES = [
  'Express: express.raw({ type: "*/*" }) on this route, ahead of express.json()',
  "Next.js: await request.text() in a route handler; in pages/api, export const config = { api: { bodyParser: false } }",
  'Fastify: addContentTypeParser("application/json", { parseAs: "buffer" }, (request, body, done) => done(null, body))',
  "NestJS: NestFactory.create(app, { rawBody: true }), then request.rawBody",
  "Hono: await c.req.text(), or c.req.raw untouched",
  "Workers, Deno, Bun: await request.text()",
];

/** The refusal of a body that is no longer raw. `received` names what was given instead. */
export const parsedBody = (received: string) =>
  new WebhookVerificationError(
    "parsed_body",
    `expected the raw body as a string or bytes, received ${received}: the signature covers the bytes that were sent, ` +
      `and JSON.stringify does not bring them back. ${RECIPES.join(". ")}.`,
  );

function nameOf(value: unknown): string {
  if (value === null || value === undefined) return `${value}`;
  if (typeof value !== "object") return `a ${typeof value}`;
  const named = Object.prototype.toString.call(value).slice(8, -1);
  if (named === "Object") return "an object that was parsed already";
  return Array.isArray(value) ? "an array that was parsed already" : `a ${named}`;
}

const encoder = new TextEncoder();

/** Whether `value` is a raw body. Tests by tag and not by class: a test runner's realm has an `ArrayBuffer` of its own. */
export const isRawBody = (value: unknown): value is RawBody =>
  typeof value === "string" ||
  ArrayBuffer.isView(value) ||
  Object.prototype.toString.call(value) === "[object ArrayBuffer]";

/**
 * The bytes of a raw body: a copy, so that what was verified is what is read.
 *
 * @throws {@link WebhookVerificationError} `parsed_body`, with the way to the raw body in each framework.
 */
export function rawBytes(body: unknown): Uint8Array<ArrayBuffer> {
  if (!isRawBody(body)) throw parsedBody(nameOf(body));
  if (typeof body === "string") return encoder.encode(body);
  if (!ArrayBuffer.isView(body)) return new Uint8Array(body).slice();
  return new Uint8Array(body.buffer, body.byteOffset, body.byteLength).slice();
}
