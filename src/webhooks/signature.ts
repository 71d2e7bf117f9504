/** Whether a delivery's signature is one that a secret of ours makes. How it is made is in sign.ts. */
import { WebhookVerificationError } from "../errors/webhook-verification-error.js";
import { UNSHOWN_HEADERS } from "../unshown.js";
import { hmac } from "./sign.js";

/** Where the signature is looked for: `Headers`, Node's record of headers, or the value of the header itself. */
export type SignatureHeaders =
  | Pick<Headers, "get">
  | Readonly<Record<string, string | readonly string[] | undefined>>
  | string
  | null
  | undefined;

/** One secret, or several while one replaces another. Entries that are `undefined` or empty are passed over. */
export type WebhookSecret = string | undefined | readonly (string | undefined)[];

const hasGet = (headers: object): headers is Pick<Headers, "get"> =>
  "get" in headers && typeof headers.get === "function";

/** Every value of the header, whatever its case. */
function valuesOf(headers: SignatureHeaders, name: string): string[] {
  if (headers === null || headers === undefined) return [];
  if (typeof headers === "string") return [headers];
  if (hasGet(headers)) return [headers.get(name) ?? ""];
  return Object.entries(headers)
    .filter(([key]) => key.toLowerCase() === name.toLowerCase())
    .flatMap(([, value]) => value ?? []);
}

/**
 * The digest that the signature header carries.
 *
 * @throws {@link WebhookVerificationError} `missing_signature`, or `malformed_signature` for anything but exactly one
 * `sha256=` and 64 hexadecimal digits.
 */
export function readSignature(headers: SignatureHeaders, name: string = UNSHOWN_HEADERS.webhookSignature): Uint8Array {
  const values = valuesOf(headers, name).filter((value) => value !== "");
  if (values.length === 0) throw new WebhookVerificationError("missing_signature", `there is no ${name} header`);
  const hex = values.length === 1 ? /^\s*sha256=([\da-f]{64})\s*$/i.exec(values[0]!)?.[1] : undefined;
  if (hex === undefined) {
    const found = values.length === 1 ? "another form" : `${values.length} values`;
    throw new WebhookVerificationError(
      "malformed_signature",
      `the ${name} header is to be "sha256=" and 64 hexadecimal digits, received ${found}`,
    );
  }
  return Uint8Array.from(hex.match(/../g)!, (pair) => Number.parseInt(pair, 16));
}

/**
 * The secrets that can sign something.
 *
 * @throws {@link WebhookVerificationError} `missing_secret`: an empty key would let anybody sign.
 */
export function usableSecrets(secret: WebhookSecret): string[] {
  const usable = [secret].flat().filter((one): one is string => typeof one === "string" && one !== "");
  if (usable.length === 0) {
    throw new WebhookVerificationError(
      "missing_secret",
      "there is no webhook secret to verify with: pass the secret that the webhook's creation returned (is the environment variable set?)",
    );
  }
  return usable;
}

/** 1 when they differ, else 0, in a time that does not depend on where. */
function differ(a: Uint8Array, b: Uint8Array): number {
  let difference = 0;
  for (let i = 0; i < a.length; i++) difference |= a[i]! ^ b[i]!;
  return Math.min(difference, 1);
}

/**
 * Holds the digest against every secret, and does not stop at the one that matches: the time it takes tells nothing.
 *
 * @throws {@link WebhookVerificationError} `wrong_signature`
 */
export async function checkSignature(body: Uint8Array, digest: Uint8Array, secrets: readonly string[]): Promise<void> {
  const digests = await Promise.all(secrets.map((secret) => hmac(body, secret)));
  const matches = digests.reduce((count, expected) => count + 1 - differ(expected, digest), 0);
  if (matches > 0) return;
  throw new WebhookVerificationError(
    "wrong_signature",
    `the signature is not that of this body under ${secrets.length === 1 ? "the secret" : `any of the ${secrets.length} secrets`}: ` +
      "either the secret is another webhook's, or the body is not byte for byte the one that was sent",
  );
}
