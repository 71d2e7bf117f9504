/** A webhook's secret must be a string that is not blank: anybody could guess any other value. */
import { EVENT_KINDS, type EventHandlers, type MeetingEvent } from "notetaker-sdk/webhooks";
import { describe, expect, it, vi } from "vitest";
import { ConfigurationError } from "../../../src/errors/argument-errors.js";
import { createReceiver } from "../../../src/webhooks/receive/receiver.js";
import { sign } from "../../../src/webhooks/receive/sign.js";
import { verify } from "../../../src/webhooks/receive/verify.js";
import { delivery, meetingBody, nodeSign, recordingReceiver, SECRET } from "../signed-delivery.js";

const body = meetingBody();

/** Invalid secrets, what the message says of each, and the key that it would become as a string. */
const BAD_SECRETS: readonly (readonly [name: string, secret: unknown, received: string, asText: string])[] = [
  ["a promise", Promise.resolve(SECRET), "an object", "[object Promise]"],
  ["an object", { secret: SECRET }, "an object", "[object Object]"],
  ["a number", 5, "a number", "5"],
  ["a bigint", 5n, "a bigint", "5"],
  ["true", true, "a boolean", "true"],
  ["null", null, "null", "null"],
  ["white space", " \t\n", "only white space", " \t\n"],
  ["bytes", new TextEncoder().encode(SECRET), "an object", String(new TextEncoder().encode(SECRET))],
  ["a list within a list", [[SECRET]], "an array", SECRET],
  ["a list of a valid and an invalid secret", [SECRET, { a: 1 }], "an object", "[object Object]"],
  ["a list of a valid secret and white space", [SECRET, " "], "only white space", " "],
  ["a list of a valid secret and null", [SECRET, null], "null", "null"],
];

it.each(BAD_SECRETS)("a webhook secret that is %s is refused, however the delivery was signed", async (...bad) => {
  const [, secret, received, asText] = bad;
  const refusal = (where: string) =>
    new ConfigurationError({ message: `${where}: expected a string that is not blank, received ${received}` });
  const signatures = [nodeSign(body, asText), nodeSign(body)];
  await expect(sign(body, secret as never)).rejects.toBeInstanceOf(ConfigurationError);
  for (const signature of signatures) {
    await expect(verify(body, signature, secret as never)).rejects.toThrow(refusal("verify: secret"));
  }
  const refused = refusal("createReceiver: secrets");
  expect(() => createReceiver({ secrets: secret as never })).toThrow(refused);
  // A function may return a promise. A list of promises is not a list of secrets.
  const returned = secret instanceof Promise ? [secret] : secret;
  for (const secrets of [() => returned, async () => returned]) {
    const { receiver, errors, send } = recordingReceiver({ secrets: secrets as never });
    receiver.onUnhandled(() => expect.fail("handled"));
    for (const signature of signatures) expect(await send(delivery(body, { signature }))).toBe("503 not_handled");
    expect(errors.map(({ error }) => error)).toEqual([refused, refused]);
  }
});

it("sign refuses a secret that is missing, or is a list, and says what it received", async () => {
  for (const [secret, received] of [
    [undefined, "nothing"],
    ["", "an empty string"],
    [[SECRET], "an array"],
  ] as const) {
    const message = `sign: secret: expected a string that is not blank, received ${received}`;
    await expect(sign(body, secret as never)).rejects.toThrow(new ConfigurationError({ message }));
  }
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

it.each(["one two", "one\ntwo", `${SECRET}\u00a0x`])(
  "white space inside a secret is refused when the receiver is created: %j",
  async (secret) => {
    const refused = (where: string) =>
      new ConfigurationError({
        message: `${where}: expected no white space inside a secret; for several secrets, pass a list`,
      });
    expect(() => createReceiver({ secrets: [SECRET, secret] })).toThrow(refused("createReceiver: secrets"));
    await expect(verify(body, nodeSign(body), secret)).rejects.toThrow(refused("verify: secret"));
    await expect(sign(body, secret)).rejects.toThrow(refused("sign: secret"));
  },
);

it.each<[unknown, string]>([
  [undefined, "is the environment variable set?"],
  [["", undefined], "is the environment variable set?"],
  [[], "the list of secrets is empty"],
  [() => [], "the secrets function returned none for this delivery"],
  [async () => undefined, "the secrets function returned none for this delivery"],
])("the response says why there is no secret: %j", async (secrets, why) => {
  const { receiver, errors } = recordingReceiver({ secrets: secrets as never });
  const response = await receiver.handle(delivery());
  const message = `no secret to verify with: ${why}`;
  expect([response.status, await response.json()]).toEqual([503, { error: { code: "missing_secret", message } }]);
  expect(errors).toMatchObject([{ error: { message } }]);
  if (typeof secrets !== "function") await expect(verify(body, nodeSign(body), secrets as [])).rejects.toThrow(message);
});

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

it("handlers can be an option, or be registered in a loop over the known kinds", async () => {
  const seen: string[] = [];
  const handle = ({ kind }: MeetingEvent) => void seen.push(kind);
  const table: EventHandlers = Object.fromEntries(EVENT_KINDS.map((kind) => [kind, handle]));
  const looped = createReceiver({ secrets: SECRET });
  for (const kind of EVENT_KINDS) looped.on(kind, handle);
  const partly = createReceiver({ secrets: SECRET, handlers: { ...table, "meeting.transcript_ready": undefined } });
  partly.onUnhandled(({ kind }) => void seen.push(`other ${kind}`));
  for (const receiver of [looped, createReceiver({ secrets: SECRET, handlers: table }), partly]) {
    for (const kind of EVENT_KINDS) await receiver.handle(delivery(meetingBody({ event: kind })));
  }
  expect(seen).toEqual([...EVENT_KINDS, ...EVENT_KINDS, `other ${EVENT_KINDS[0]}`, ...EVENT_KINDS.slice(1)]);
});
