import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { ConfigurationError } from "../../../src/errors/argument-errors.js";
import { WebhookVerificationError } from "../../../src/errors/webhook-verification-error.js";
import { sign } from "../../../src/webhooks/receive/signature.js";
import { verify } from "../../../src/webhooks/receive/verify.js";
import { patience, runs } from "../../support/property-seed.js";
import { rejectionOf } from "../../support/recorder.js";
import { meetingBody, nodeSign, SECRET } from "../signed-delivery.js";

const body = meetingBody();
const signature = nodeSign(body);

/** White space alone is not a secret. */
const isSecret = (text: string) => text.trim() !== "";

const reasonOf = async (result: Promise<unknown>) => {
  const error = await result.then(
    (event) => expect.fail(`verified: ${JSON.stringify(event)}`),
    (error: unknown) => error,
  );
  expect(error).toBeInstanceOf(WebhookVerificationError);
  return (error as WebhookVerificationError).reason;
};

describe("a signature", () => {
  it("sign returns the signature that node:crypto computes, for any body and secret", {
    timeout: patience(20_000),
  }, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: "binary" }),
        fc.string({ unit: "binary", minLength: 1 }).filter(isSecret),
        async (text, secret) => {
          expect(await sign(text, secret)).toBe(nodeSign(text, secret));
        },
      ),
    );
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 4096 }), async (bytes) => {
        expect(await sign(bytes, SECRET)).toBe(nodeSign(bytes));
      }),
    );
  });

  it("sign returns the signature that openssl computes", async () => {
    // printf '%s' '{"event":"meeting.transcript_ready","id":"mtg_1"}' | openssl dgst -sha256 -hmac "whsec_example"
    expect(await sign('{"event":"meeting.transcript_ready","id":"mtg_1"}', "whsec_example")).toBe(
      "sha256=29c1b857b58205c3e2b72133ac0dbadf76d01641b0c3938626bd5c3713c17d22",
    );
  });

  it("sign returns the signature of RFC 4231's test case 2, for text and for bytes", async () => {
    const text = "what do ya want for nothing?";
    for (const body of [text, new TextEncoder().encode(text)]) {
      expect(await sign(body, "Jefe")).toBe("sha256=5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
    }
  });
});

describe("the arguments of verify", () => {
  it("verify accepts a string, bytes, a Buffer, an ArrayBuffer and a view of a larger buffer", async () => {
    const bytes = new TextEncoder().encode(body);
    const padded = new Uint8Array([1, 2, 3, ...bytes, 4]);
    const forms = [
      body,
      bytes,
      Buffer.from(body),
      bytes.buffer,
      padded.subarray(3, 3 + bytes.length),
      new DataView(bytes.buffer),
    ];
    for (const form of forms) expect((await verify(form, signature, SECRET)).meetingId).toBe("mtg_1");
  });

  it("verify accepts bytes of another realm, as in a test runner", async () => {
    const bytes = runInNewContext("Uint8Array.from(list)", { list: [...Buffer.from(body)] });
    const shared = new Uint8Array(new SharedArrayBuffer(Buffer.byteLength(body)));
    shared.set(Buffer.from(body));
    for (const form of [bytes, bytes.buffer, shared])
      expect((await verify(form, signature, SECRET)).meetingId).toBe("mtg_1");
  });

  it.each([
    ["Headers", new Headers({ "x-webhook-signature": signature })],
    ["Node's headers object", { "x-webhook-signature": signature, host: "example.com", "set-cookie": ["a", "b"] }],
    ["Node's headers object with a list", { "x-webhook-signature": [signature] }],
    ["an object with the sender's spelling", { "X-Webhook-Signature": signature }],
    ["the header's value", signature],
    ["the header's value in upper case", signature.toUpperCase().replace("SHA256", "sha256")],
    ["the header's value, padded", ` ${signature}  `],
  ])("verify finds the signature in %s", async (_, headers) => {
    expect((await verify(body, headers, SECRET)).kind).toBe("meeting.transcript_ready");
  });

  it("verify accepts a signature with any of several secrets", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ minLength: 1 }).filter(isSecret)),
        fc.array(fc.string({ minLength: 1 }).filter(isSecret)),
        async (before, after) => {
          expect((await verify(body, signature, [...before, SECRET, ...after])).meetingId).toBe("mtg_1");
        },
      ),
      { numRuns: runs(30) },
    );
  });

  it("verify copies the bytes, so that changing them during the verification has no effect", async () => {
    const bytes = Buffer.from(body);
    const verified = verify(bytes, signature, SECRET);
    bytes.fill(0);
    expect((await verified).meetingId).toBe("mtg_1");
  });

  it("verify refuses bytes that are not valid UTF-8, instead of replacing them", async () => {
    const bytes = Buffer.concat([Buffer.from('{"event":"x","id":"mtg_'), Buffer.from([0xff]), Buffer.from('"}')]);
    expect(await reasonOf(verify(bytes, nodeSign(bytes), SECRET))).toBe("not_an_event");
  });
});

describe("what verify refuses", () => {
  it("verify refuses a body, a signature or a secret that differs in one bit or character", {
    timeout: patience(20_000),
  }, async () => {
    const bytes = Buffer.from(body);
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length * 8 - 1), async (bit) => {
        const flipped = Buffer.from(bytes);
        flipped[bit >> 3]! ^= 1 << (bit & 7);
        expect(await reasonOf(verify(flipped, signature, SECRET))).toBe("wrong_signature");
      }),
    );
    const digest = Buffer.from(signature.slice(7), "hex");
    for (let bit = 0; bit < 256; bit++) {
      const flipped = Buffer.from(digest);
      flipped[bit >> 3]! ^= 1 << (bit & 7);
      expect(await reasonOf(verify(body, `sha256=${flipped.toString("hex")}`, SECRET))).toBe("wrong_signature");
    }
    expect(await reasonOf(verify(body, signature, `${SECRET} `))).toBe("wrong_signature");
  });

  it.each([
    ["no headers", undefined],
    ["null, as Headers.get returns it", null],
    ["an empty value", ""],
    ["Headers without the header", new Headers()],
    ["an object without the header", { host: "example.com" }],
    ["an object with undefined as the header", { "x-webhook-signature": undefined }],
    ["an object with an empty list as the header", { "x-webhook-signature": [] }],
  ])("verify refuses a missing signature: %s", async (_, headers) => {
    expect(await reasonOf(verify(body, headers, SECRET))).toBe("missing_signature");
  });

  const hex = signature.slice("sha256=".length);
  it.each([
    ["no algorithm", hex],
    ["another algorithm", `sha1=${hex}`],
    ["a missing digit", signature.slice(0, -1)],
    ["an additional digit", `${signature}0`],
    ["a value that is not hexadecimal", `sha256=${"g".repeat(64)}`],
    ["base64", `sha256=${Buffer.from(hex, "hex").toString("base64")}`],
    ["two signatures in one value", `${signature}, ${signature}`],
    ["two values", { "x-webhook-signature": [signature, signature] }],
    ["the header twice, in two spellings", { "x-webhook-signature": signature, "X-Webhook-Signature": signature }],
  ])("verify refuses a malformed signature: %s", async (_, headers) => {
    expect(await reasonOf(verify(body, headers, SECRET))).toBe("malformed_signature");
  });

  it.each([
    ["undefined", undefined],
    ["empty", ""],
    ["an empty list", []],
    ["a list of empty values", [undefined, ""]],
  ])("verify refuses every delivery if the secret is %s, even one signed with an empty key", async (_, secret) => {
    // Anybody can sign with an empty key, as node:crypto does here.
    expect(await reasonOf(verify(body, nodeSign(body, ""), secret))).toBe("missing_secret");
    expect(await reasonOf(verify(body, undefined, secret))).toBe("missing_secret");
  });

  it("verify refuses a signature that none of several secrets matches", async () => {
    expect(await reasonOf(verify(body, nodeSign(body, "third"), ["first", "second"]))).toBe("wrong_signature");
  });

  it("verify refuses a delivery that was signed with an empty secret, even if another secret is valid", async () => {
    expect(await reasonOf(verify(body, nodeSign(body, ""), ["", SECRET, undefined]))).toBe("wrong_signature");
    expect((await verify(body, signature, ["", SECRET, undefined])).meetingId).toBe("mtg_1");
  });

  it.each([
    ["an object", JSON.parse(body)],
    ["an array", [1]],
    ["undefined, as in Express 5 without a parser", undefined],
    ["null", null],
    ["a number", 5],
    ["a promise", Promise.resolve(body)],
    ["a stream", new ReadableStream()],
    ["a Request", new Request("https://example.com/", { method: "POST", body })],
  ])("verify refuses a body that is not raw: %s", async (_, parsed) => {
    const error = await verify(parsed, signature, SECRET).catch((error: unknown) => error);
    expect(error).toMatchObject({ reason: "parsed_body" });
    for (const framework of ["Express", "Next.js", "Fastify", "NestJS", "Hono", "Workers"])
      expect((error as Error).message).toContain(framework);
  });

  it.each(["", "hello", "null", "[]", '"mtg_1"', "5", "{", `\u0000{}`])(
    "verify refuses a body that is not a JSON object: %j",
    async (text) => {
      expect(await reasonOf(verify(text, nodeSign(text), SECRET))).toBe("not_an_event");
    },
  );

  it("the error of verify contains neither the secret nor the body", async () => {
    for (const attempt of [
      () => verify(body, nodeSign(body, "other"), SECRET),
      () => verify("topsecret{", nodeSign("topsecret{"), SECRET),
      () => verify(body, "sha256=topsecret", SECRET),
    ]) {
      const error = await attempt().catch((error: Error) => error);
      const shown = `${(error as Error).stack}${JSON.stringify(error)}`;
      expect(shown).not.toContain(SECRET);
      expect(shown).not.toContain("topsecret");
    }
  });
});

describe("the message of verify", () => {
  const framework = /^expected the raw body, string or bytes, received \[object Object\]\. Express: express\.raw/;
  it.each<[reason: string, body: string, headers: string | undefined, secret: string | undefined, message: string]>([
    ["missing_signature", body, undefined, SECRET, "the delivery has no x-webhook-signature header"],
    ["malformed_signature", body, "x", SECRET, 'x-webhook-signature: expected "sha256=" and 64 hexadecimal digits'],
    ["missing_secret", body, signature, undefined, "no secret to verify with: is the environment variable set?"],
    ["not_an_event", "[]", nodeSign("[]"), SECRET, "expected a JSON object as the body"],
    [
      "wrong_signature",
      body,
      nodeSign("else"),
      SECRET,
      "signature mismatch: wrong secret, or the body was changed after signing",
    ],
  ])("verify says what is wrong: %s", async (reason, text, headers, secret, message) => {
    await expect(verify(text, headers, secret)).rejects.toMatchObject({ reason, message });
  });

  it("verify says what was received instead of the raw body", async () => {
    await expect(verify({} as never, signature, SECRET)).rejects.toThrow(framework);
  });

  it("verify names the signature header of its options in its message", async () => {
    await expect(verify(body, undefined, SECRET, { signatureHeader: "X-Signature" })).rejects.toThrow(
      "the delivery has no X-Signature header",
    );
  });
});

describe("a runtime without Web Crypto", () => {
  it.each([
    ["no crypto", undefined],
    ["a crypto without subtle, as in a page over http:", {}],
  ])("verify and sign throw before they check the delivery: %s", async (_, crypto) => {
    vi.stubGlobal("crypto", crypto);
    const failures = await Promise.all([
      rejectionOf(ConfigurationError, verify(body, signature, SECRET)),
      rejectionOf(ConfigurationError, verify(body, "sha256=1", SECRET)),
      rejectionOf(ConfigurationError, sign(body, SECRET)),
    ]).finally(() => vi.unstubAllGlobals());
    for (const { message } of failures) expect(message).toMatch(/^this runtime has no Web Crypto \(crypto\.subtle\)/);
  });
});

it("verify reads the signature from the header that the options name", async () => {
  const options = { signatureHeader: "X-Hub-Signature-256" };
  expect((await verify(body, { "x-hub-signature-256": signature }, SECRET, options)).meetingId).toBe("mtg_1");
  expect(await reasonOf(verify(body, { "x-webhook-signature": signature }, SECRET, options))).toBe("missing_signature");
});
