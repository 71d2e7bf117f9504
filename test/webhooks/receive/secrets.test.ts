/** A webhook's secret must be a string that is not blank: anybody could guess any other value. */
import { EVENT_KINDS, type EventHandlers } from "notetaker-sdk/webhooks";
import { describe, expect, it, vi } from "vitest";
import { ConfigurationError } from "../../../src/errors/argument-errors.js";
import { createReceiver } from "../../../src/webhooks/receive/receiver.js";
import { sign } from "../../../src/webhooks/receive/sign.js";
import { verify } from "../../../src/webhooks/receive/verify.js";
import { delivery, meetingBody, nodeSign, recordingReceiver, SECRET } from "../signed-delivery.js";

const body = meetingBody();

/** Invalid secrets, and the key that each would become as a string. */
const BAD_SECRETS: readonly (readonly [name: string, secret: unknown, asText: string])[] = [
  ["a promise", Promise.resolve(SECRET), "[object Promise]"],
  ["an object", { secret: SECRET }, "[object Object]"],
  ["a number", 5, "5"],
  ["a bigint", 5n, "5"],
  ["true", true, "true"],
  ["null", null, "null"],
  ["white space", " \t\n", " \t\n"],
  ["bytes", new TextEncoder().encode(SECRET), String(new TextEncoder().encode(SECRET))],
  ["a list within a list", [[SECRET]], SECRET],
  ["a list of a valid and an invalid secret", [SECRET, { a: 1 }], "[object Object]"],
  ["a list of a valid secret and white space", [SECRET, " "], " "],
  ["a list of a valid secret and null", [SECRET, null], "null"],
];

it.each(BAD_SECRETS)("a webhook secret that is %s is refused, however the delivery was signed", async (...bad) => {
  const [, secret, asText] = bad;
  const signatures = [nodeSign(body, asText), nodeSign(body)];
  await expect(sign(body, secret as never)).rejects.toBeInstanceOf(ConfigurationError);
  for (const signature of signatures) {
    await expect(verify(body, signature, secret as never)).rejects.toBeInstanceOf(ConfigurationError);
  }
  const make = () => createReceiver({ secrets: secret as never });
  expect(make).toThrow(/^createReceiver: secrets: expected a string that is not blank, received /);
  expect(make).not.toThrow(SECRET);
  // A function may return a promise. A list of promises is not a list of secrets.
  const returned = secret instanceof Promise ? [secret] : secret;
  for (const secrets of [() => returned, async () => returned]) {
    const { receiver, errors, send } = recordingReceiver({ secrets: secrets as never });
    receiver.onUnhandled(() => expect.fail("handled"));
    for (const signature of signatures) expect(await send(delivery(body, { signature }))).toBe("503 not_handled");
    expect(errors.map(({ error }) => error)).toEqual([expect.any(ConfigurationError), expect.any(ConfigurationError)]);
  }
});

it("sign refuses a secret that is missing, or is a list", async () => {
  for (const secret of [undefined, "", [SECRET]]) {
    await expect(sign(body, secret as never)).rejects.toBeInstanceOf(ConfigurationError);
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

it.each<[unknown, received: string]>([
  [5, "a number"],
  [" \t", "only white space"],
  [[SECRET], "an array"],
])(
  "the message about an invalid secret names what was received, and does not show it: %j",
  async (secret, received) => {
    const message = `expected a string that is not blank, received ${received}`;
    const inList = [SECRET, secret] as never;
    await expect(sign(body, secret as never)).rejects.toThrow(new ConfigurationError(`sign: secret: ${message}`));
    await expect(verify(body, "", inList)).rejects.toThrow(new ConfigurationError(`verify: secret: ${message}`));
    const { errors, send } = recordingReceiver({ secrets: () => inList });
    await send();
    expect(errors[0]?.error).toEqual(new ConfigurationError(`createReceiver: secrets: ${message}`));
  },
);

it("a secret with white space around it is used unchanged", async () => {
  const secret = ` ${SECRET}\n`;
  expect((await verify(body, nodeSign(body, secret), secret)).meetingId).toBe("mtg_1");
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
    const tenants: Record<string, string[]> = { acme: ["acme's"], globex: ["globex's old", "globex's"] };
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

it("handlers can be an option, or be registered in a loop over the known kinds, from a table", async () => {
  const seen: string[] = [];
  const table: Required<EventHandlers> = {
    "meeting.transcript_ready": ({ kind }) => void seen.push(kind),
    "meeting.initial_summary_ready": ({ kind }) => void seen.push(kind),
  };
  const looped = createReceiver({ secrets: SECRET });
  for (const kind of EVENT_KINDS) {
    const handler = table[kind];
    if (handler) looped.on(kind, handler);
  }
  const partly = createReceiver({ secrets: SECRET, handlers: { ...table, "meeting.transcript_ready": undefined } });
  partly.onUnhandled(({ kind }) => void seen.push(`other ${kind}`));
  for (const receiver of [looped, createReceiver({ secrets: SECRET, handlers: table }), partly]) {
    for (const kind of EVENT_KINDS) await receiver.handle(delivery(meetingBody({ event: kind })));
  }
  expect(seen).toEqual([...EVENT_KINDS, ...EVENT_KINDS, `other ${EVENT_KINDS[0]}`, EVENT_KINDS[1]]);
});
