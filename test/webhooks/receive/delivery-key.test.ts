import { createHash, createHmac } from "node:crypto";
import fc from "fast-check";
import { expect, it } from "vitest";
import { memoryDedupe } from "../../../src/webhooks/receive/dedupe.js";
import type { ReceiverOptions } from "../../../src/webhooks/receive/receiver-options.js";
import { delivery, meetingBody, nodeSign, recordingReceiver, SECRET } from "../signed-delivery.js";

async function keyOf(body: string, secret = SECRET, options: Partial<ReceiverOptions> = {}): Promise<string> {
  const keys: string[] = [];
  const { receiver, send } = recordingReceiver({ secrets: secret, ...options });
  receiver.onUnhandled((_, { deliveryKey }) => void keys.push(deliveryKey));
  expect(await send(delivery(body, { signature: nodeSign(body, secret) }))).toBe("200 handled");
  return keys[0] ?? expect.fail("no key");
}

it("the key is 43 characters of URL-safe base64, for any kind and body", async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "binary" }), fc.string({ unit: "grapheme" }), async (event, title) => {
      expect(await keyOf(meetingBody({ event, title }))).toMatch(/^[A-Za-z0-9_-]{43}$/);
    }),
  );
  const keys = await Promise.all(Array.from({ length: 16 }, (_, title) => keyOf(meetingBody({ title }))));
  expect(keys.join()).toMatch(/-.*_|_.*-/);
});

it("the key is the same for each delivery of an event, and differs if the kind, the body or the secret differs", async () => {
  const body = meetingBody({ a: "one", b: "two" });
  const keys = await Promise.all([
    keyOf(body),
    keyOf(body, SECRET, { assumptions: { kind: "a" } }),
    keyOf(body, SECRET, { assumptions: { kind: "b" } }),
    keyOf(body, "another-secret"),
    keyOf(`${body} `),
  ]);
  expect(new Set(keys).size).toBe(keys.length);
  expect(await keyOf(body)).toBe(keys[0]);
});

it("the key contains neither the signature nor a hash of the body, in any encoding", async () => {
  const body = meetingBody();
  const key = await keyOf(body);
  for (const encoding of ["hex", "base64", "base64url"] as const) {
    for (const digest of [createHmac("sha256", SECRET).update(body), createHash("sha256").update(body)]) {
      const text = digest.digest(encoding);
      expect(text).not.toContain(key);
      expect(key).not.toContain(text);
    }
  }
});

it("two webhooks that share one store each handle an event once", async () => {
  const dedupe = memoryDedupe();
  const body = meetingBody();
  for (const secret of ["first-webhook", "second-webhook"]) {
    const { receiver, send } = recordingReceiver({ secrets: secret, dedupe });
    receiver.onUnhandled(() => {});
    const deliver = () => send(delivery(body, { signature: nodeSign(body, secret) }));
    expect([await deliver(), await deliver()]).toEqual(["200 handled", "200 handled_before"]);
  }
});
