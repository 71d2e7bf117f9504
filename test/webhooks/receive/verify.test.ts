import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { ConfigurationError } from "../../../src/errors/argument-errors.js";
import { WebhookVerificationError } from "../../../src/errors/webhook-verification-error.js";
import { sign } from "../../../src/webhooks/receive/sign.js";
import { type SignatureHeaders, verify } from "../../../src/webhooks/receive/verify.js";
import type { WebhookSecret } from "../../../src/webhooks/receive/webhook-secret.js";
import { runs } from "../../support/property-seed.js";
import { rejectionOf } from "../../support/recorder.js";
import { meetingBody, nodeSign, SECRET } from "../signed-delivery.js";

const body = meetingBody();
const signature = nodeSign(body);
const hex = signature.slice("sha256=".length);

const isSecret = (text: string) => !/\s/.test(text);

const reasonOf = async (result: Promise<unknown>) => (await rejectionOf(WebhookVerificationError, result)).reason;

it("sign returns the signature that node:crypto computes, for any body and secret", async () => {
  const secret = fc.string({ unit: "binary", minLength: 1 }).filter(isSecret);
  const text = fc.oneof(fc.string({ unit: "binary" }), fc.uint8Array({ maxLength: 4096 }));
  await fc.assert(
    fc.asyncProperty(text, secret, async (signed, key) => {
      expect(await sign(signed, key)).toBe(nodeSign(signed, key));
    }),
  );
});

describe("the arguments of verify", () => {
  it("verify accepts a string, and bytes of every class, also of another realm as in a test runner", async () => {
    const bytes = new TextEncoder().encode(body);
    const padded = new Uint8Array([1, 2, 3, ...bytes, 4]);
    const foreign = runInNewContext("Uint8Array.from(list)", { list: [...bytes] });
    const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
    shared.set(bytes);
    const views = [padded.subarray(3, 3 + bytes.length), new DataView(bytes.buffer), foreign, shared];
    for (const form of [body, bytes, Buffer.from(body), bytes.buffer, foreign.buffer, ...views]) {
      expect((await verify(form, signature, SECRET)).meetingId).toBe("mtg_1");
    }
  });

  it("verify finds the signature in the headers of every framework", async () => {
    for (const headers of [
      new Headers({ "x-webhook-signature": signature }),
      { "x-webhook-signature": signature, host: "example.com", "set-cookie": ["a", "b"] },
      { "x-webhook-signature": [signature] },
      { "X-Webhook-Signature": signature },
      signature,
      signature.toUpperCase().replace("SHA256", "sha256"),
      ` ${signature}  `,
    ] satisfies SignatureHeaders[]) {
      expect((await verify(body, headers, SECRET)).kind).toBe("meeting.transcript_ready");
    }
    const options = { signatureHeader: "X-Hub-Signature-256" };
    expect((await verify(body, { "x-hub-signature-256": signature }, SECRET, options)).meetingId).toBe("mtg_1");
    const other = verify(body, { "x-webhook-signature": signature }, SECRET, options);
    expect(await reasonOf(other)).toBe("missing_signature");
  });

  it("verify accepts a signature with any of several secrets", async () => {
    const others = fc.array(fc.string({ minLength: 1 }).filter(isSecret));
    await fc.assert(
      fc.asyncProperty(others, others, async (before, after) => {
        expect((await verify(body, signature, [...before, SECRET, ...after])).meetingId).toBe("mtg_1");
      }),
      { numRuns: runs(30) },
    );
  });

  it("verify copies the bytes, so that changing them during the verification has no effect", async () => {
    const bytes = Buffer.from(body);
    const verified = verify(bytes, signature, SECRET);
    bytes.fill(0);
    expect((await verified).meetingId).toBe("mtg_1");
  });
});

describe("what verify refuses", () => {
  it("verify refuses a body or a signature that differs in one bit, and a secret that differs in one character", async () => {
    const flip = (bytes: Uint8Array, bit: number) => {
      const flipped = Buffer.from(bytes);
      flipped[bit >> 3]! ^= 1 << (bit & 7);
      return flipped;
    };
    const bytes = Buffer.from(body);
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length * 8 - 1), async (bit) => {
        expect(await reasonOf(verify(flip(bytes, bit), signature, SECRET))).toBe("wrong_signature");
      }),
    );
    for (let bit = 0; bit < 256; bit++) {
      const digest = flip(Buffer.from(hex, "hex"), bit).toString("hex");
      expect(await reasonOf(verify(body, `sha256=${digest}`, SECRET))).toBe("wrong_signature");
    }
    expect(await reasonOf(verify(body, signature, `${SECRET}x`))).toBe("wrong_signature");
  });

  const emptyKey = nodeSign(body, "");
  const notUtf8 = Buffer.concat([Buffer.from('{"event":"x","id":"mtg_'), Buffer.from([0xff]), Buffer.from('"}')]);
  it.each<[reason: string, what: string, SignatureHeaders, WebhookSecret?, body?: string | Uint8Array]>([
    ["missing_signature", "no headers", undefined],
    ["missing_signature", "null, as Headers.get returns it", null],
    ["missing_signature", "an empty value", ""],
    ["missing_signature", "Headers without the header", new Headers()],
    ["missing_signature", "an object without the header", { host: "example.com" }],
    ["missing_signature", "an object with undefined as the header", { "x-webhook-signature": undefined }],
    ["missing_signature", "an object with an empty list", { "x-webhook-signature": [] }],
    ["malformed_signature", "no algorithm", hex],
    ["malformed_signature", "another algorithm", `sha1=${hex}`],
    ["malformed_signature", "a missing digit", signature.slice(0, -1)],
    ["malformed_signature", "an additional digit", `${signature}0`],
    ["malformed_signature", "a value that is not hexadecimal", `sha256=${"g".repeat(64)}`],
    ["malformed_signature", "base64", `sha256=${Buffer.from(hex, "hex").toString("base64")}`],
    ["malformed_signature", "two signatures in one value", `${signature}, ${signature}`],
    ["malformed_signature", "two values", { "x-webhook-signature": [signature, signature] }],
    ["malformed_signature", "two spellings", { "x-webhook-signature": signature, "X-Webhook-Signature": signature }],
    // Anybody can sign with an empty key, as node:crypto does here.
    ["missing_secret", "an empty secret", emptyKey, ""],
    ["missing_secret", "no secrets", emptyKey, []],
    ["missing_secret", "secrets that are not set", emptyKey, [undefined, ""]],
    ["wrong_signature", "an empty key beside a valid secret", emptyKey, ["", SECRET, undefined]],
    ["wrong_signature", "none of several secrets", nodeSign(body, "third"), ["first", "second"]],
    ...["", "hello", "null", "[]", '"mtg_1"', "5", "{", "\u0000{}"].map(
      (text): [string, string, string, WebhookSecret, string] => [
        "not_an_event",
        JSON.stringify(text),
        nodeSign(text),
        SECRET,
        text,
      ],
    ),
    ["not_an_event", "bytes that are not UTF-8", nodeSign(notUtf8), SECRET, notUtf8],
  ])("the reason is %s: %s", async (reason, _, headers, secret = SECRET, text = body) => {
    expect(await reasonOf(verify(text, headers, secret))).toBe(reason);
  });

  it.each([
    ["an object", JSON.parse(body)],
    ["undefined, as in Express 5 without a parser", undefined],
    ["null", null],
    ["a stream", new ReadableStream()],
    ["a Request", new Request("https://example.com/", { method: "POST", body })],
  ])("verify and sign refuse a body that is not raw, and say how to get it: %s", async (_, parsed) => {
    expect(await reasonOf(sign(parsed, SECRET))).toBe("parsed_body");
    const error = await rejectionOf(WebhookVerificationError, verify(parsed, signature, SECRET));
    expect(error.reason).toBe("parsed_body");
    expect(error.message).toMatch(/received \[object \w+\].*express\.raw/);
  });

  it.each([
    ["a malformed signature", "sha256=topsecret", body],
    ["a wrong signature", nodeSign(body, "other"), body],
    ["a body that is no event", nodeSign("topsecret{"), "topsecret{"],
  ])("the error of verify contains neither the secret nor the body: %s", async (_, header, text) => {
    const error = await rejectionOf(WebhookVerificationError, verify(text, header, SECRET));
    expect(`${error.stack}${JSON.stringify(error)}`).not.toMatch(new RegExp(`${SECRET}|topsecret`));
  });
});

it.each([
  ["no crypto", undefined],
  ["a crypto without subtle, as in a page over http:", {}],
])("without Web Crypto, verify and sign throw before they check the delivery: %s", async (_, crypto) => {
  vi.stubGlobal("crypto", crypto);
  const attempts = [verify(body, signature, SECRET), verify(body, "sha256=1", SECRET), sign(body, SECRET)];
  for (const attempt of attempts) await rejectionOf(ConfigurationError, attempt);
});
