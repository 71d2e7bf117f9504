/** A webhook's secret must be a string that is not blank: anybody could guess any other value. */
import { describe, expect, it, vi } from "vitest";
import { ConfigurationError } from "../../../src/errors/argument-errors.js";
import { createReceiver } from "../../../src/webhooks/receive/receiver.js";
import { sign } from "../../../src/webhooks/receive/sign.js";
import { verify } from "../../../src/webhooks/receive/verify.js";
import { rejectionOf } from "../../support/recorder.js";
import { delivery, meetingBody, nodeSign, recordingReceiver, SECRET } from "../signed-delivery.js";

const body = meetingBody();

/** Invalid secrets, and the key that each would become as a string. */
const BAD_SECRETS: readonly (readonly [name: string, secret: unknown, asText: string])[] = [
  ["a promise", Promise.resolve(SECRET), "[object Promise]"],
  ["an object", { secret: SECRET }, "[object Object]"],
  ["a number", 5, "5"],
  ["true", true, "true"],
  ["null", null, "null"],
  ["white space", " \t\n", " \t\n"],
  ["bytes", new TextEncoder().encode(SECRET), String(new TextEncoder().encode(SECRET))],
  ["text with white space inside", `${SECRET}\u00a0x`, `${SECRET}\u00a0x`],
  ["a list within a list", [[SECRET]], SECRET],
  ["a list of a valid and an invalid secret", [SECRET, { a: 1 }], "[object Object]"],
  ["a list of a valid secret and white space", [SECRET, " "], " "],
  ["a list of a valid secret and null", [SECRET, null], "null"],
  ["a list of a valid secret and one with a line break inside", [SECRET, "one\ntwo"], "one\ntwo"],
];

it.each(BAD_SECRETS)("a webhook secret that is %s is refused, however the delivery was signed", async (...bad) => {
  const [, secret, asText] = bad;
  const signatures = [nodeSign(body, asText), nodeSign(body)];
  await rejectionOf(ConfigurationError, sign(body, secret as never));
  for (const signature of signatures) {
    const error = await rejectionOf(ConfigurationError, verify(body, signature, secret as never));
    expect(error.message).not.toContain(SECRET);
  }
  expect(() => createReceiver({ secrets: secret as never })).toThrow(ConfigurationError);
  // A function may return a promise. A list of promises is not a list of secrets.
  const returned = secret instanceof Promise ? [secret] : secret;
  for (const secrets of [() => returned, async () => returned]) {
    const { receiver, errors, send } = recordingReceiver({ secrets: secrets as never });
    receiver.onUnhandled(() => expect.fail("handled"));
    for (const signature of signatures) expect(await send(delivery(body, { signature }))).toBe("503 not_handled");
    expect(errors.map(({ error }) => error)).toEqual(Array(2).fill(expect.any(ConfigurationError)));
  }
});

it.each([[undefined], [""], [[SECRET]]])("sign refuses a secret that is missing, or is a list: %j", async (secret) => {
  await rejectionOf(ConfigurationError, sign(body, secret as never));
});

it.each([undefined, "", [], [undefined, ""], () => undefined])(
  "createReceiver accepts an environment variable that is not set (%j), and answers each delivery with 503",
  async (secrets) => {
    const { receiver, errors, send } = recordingReceiver({ secrets });
    receiver.onUnhandled(() => expect.fail("handled"));
    expect(await send(delivery(body, { signature: nodeSign(body, "") }))).toBe("503 missing_secret");
    expect(errors).toMatchObject([{ error: { reason: "missing_secret" }, context: { status: 503 } }]);
  },
);

it.each([`${SECRET}\n`, `${SECRET}\r\n`, ` \t${SECRET}`, `\ufeff${SECRET}\u00a0`])(
  "white space around a secret is not part of it: %j",
  async (secret) => {
    expect((await verify(body, nodeSign(body), secret)).meetingId).toBe("mtg_1");
    expect(await sign(body, secret)).toBe(nodeSign(body));
    for (const secrets of [secret, ["other", secret], async () => secret]) {
      const { receiver, send } = recordingReceiver({ secrets });
      receiver.onUnhandled(() => {});
      expect(await send()).toBe("200 handled");
      expect(await send(delivery(body, { signature: nodeSign(body, secret) }))).toBe("401 wrong_signature");
    }
  },
);

describe("the secrets function of a receiver", () => {
  it("is called for each delivery, and its error is reported", async () => {
    const failure = new Error("vault is sealed");
    const secrets = vi
      .fn<() => Promise<string[]>>()
      .mockResolvedValueOnce(["other"])
      .mockResolvedValueOnce(["other", SECRET])
      .mockRejectedValueOnce(failure);
    const { receiver, errors, send } = recordingReceiver({ secrets });
    receiver.onUnhandled(() => {});
    expect([await send(), await send(), await send()]).toEqual([
      "401 wrong_signature",
      "200 handled",
      "503 not_handled",
    ]);
    expect(errors).toEqual([{ error: failure, context: { status: 503 } }]);
  });

  it("gets the request, so that each tenant can have its own secrets", async () => {
    const tenants: Record<string, string[]> = { acme: ["acme's"], globex: ["globex's-old", "globex's"] };
    const { receiver, send } = recordingReceiver({
      secrets: ({ url }) => tenants[new URL(url).pathname.slice("/hooks/".length)],
    });
    receiver.onUnhandled(() => {});
    const headers = (secret: string) => ({ "X-Webhook-Signature": nodeSign(body, secret) });
    const to = (tenant: string, secret: string) =>
      new Request(`https://example.com/hooks/${tenant}`, { method: "POST", body, headers: headers(secret) });
    expect(await send(to("acme", "acme's"))).toBe("200 handled");
    expect(await send(to("globex", "globex's"))).toBe("200 handled");
    expect(await send(to("globex", "acme's"))).toBe("401 wrong_signature");
    expect(await send(to("nobody", "acme's"))).toBe("503 missing_secret");
  });

  it("gets the context that was passed to handle, and so does the handler, with the request and the matching index", async () => {
    const receiver = createReceiver<{ list: (string | undefined)[] } | undefined>({
      secrets: (_, context) => context?.list ?? SECRET,
    });
    const seen: unknown[] = [];
    receiver.onUnhandled((_, { request, context, secretIndex }) => void seen.push([request, context, secretIndex]));
    const context = { list: [undefined, "other", SECRET] };
    const requests = [delivery(), delivery(meetingBody({ id: "mtg_2" }))] as const;
    await receiver.handle(requests[0], context);
    await receiver.handle(requests[1]);
    expect(seen).toEqual([
      [requests[0], context, 2],
      [requests[1], undefined, 0],
    ]);
    expect((seen[0] as unknown[])[0]).toBe(requests[0]);
  });
});
