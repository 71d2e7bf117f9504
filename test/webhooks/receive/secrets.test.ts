/** A webhook's secret must be a string that is not blank. Anybody could guess any other value. */
import { describe, expect, it } from "vitest";
import { ConfigurationError } from "../../../src/errors/argument-errors.js";
import { createReceiver } from "../../../src/webhooks/receive/receiver.js";
import { sign } from "../../../src/webhooks/receive/signature.js";
import { verify } from "../../../src/webhooks/receive/verify.js";
import { delivery, meetingBody, nodeSign, SECRET } from "../signed-delivery.js";

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

describe.each(BAD_SECRETS)("a webhook secret that is %s", (_, secret, asText) => {
  const forged = nodeSign(body, asText);
  const signedWell = nodeSign(body);

  it("is refused by verify, however the delivery was signed", async () => {
    for (const signature of [forged, signedWell]) {
      await expect(verify(body, signature, secret as never)).rejects.toBeInstanceOf(ConfigurationError);
    }
  });

  it("is refused by createReceiver, with a message that does not show it", () => {
    const make = () => createReceiver({ secrets: secret as never });
    expect(make).toThrow(ConfigurationError);
    expect(make).toThrow(/^createReceiver: secrets: expected a string that is not blank, received /);
    expect(make).not.toThrow(SECRET);
  });

  it("makes the receiver answer every delivery with 503 and call onError if a function returns it", async () => {
    // A function may return a promise. A list of promises is not a list of secrets.
    const returned = secret instanceof Promise ? [secret] : secret;
    for (const secrets of [() => returned, async () => returned]) {
      const errors: unknown[] = [];
      const receiver = createReceiver({ secrets: secrets as never, onError: (error) => errors.push(error) });
      receiver.onUnhandled(() => expect.fail("handled"));
      for (const signature of [forged, signedWell]) {
        expect((await receiver.handle(delivery(body, { signature }))).status).toBe(503);
      }
      expect(errors).toEqual([expect.any(ConfigurationError), expect.any(ConfigurationError)]);
      expect(String(errors[0])).toContain("expected a string that is not blank");
    }
  });
});

it.each([...BAD_SECRETS, ["undefined", undefined, ""], ["empty", "", ""], ["a list", [SECRET], ""]] as const)(
  "sign refuses a secret that is %s",
  async (_, secret) => {
    await expect(sign(body, secret as never)).rejects.toBeInstanceOf(ConfigurationError);
  },
);

it.each([undefined, "", [], [undefined, ""]])(
  "createReceiver accepts an environment variable that is not set (%j), and answers each delivery with 503",
  async (secrets) => {
    const errors: unknown[] = [];
    const receiver = createReceiver({ secrets, onError: (error) => errors.push(error) });
    expect((await receiver.handle(delivery())).status).toBe(503);
    expect(errors).toMatchObject([{ reason: "missing_secret" }]);
  },
);

it.each<[string, unknown, string]>([
  ["a number", 5, "a number"],
  ["an empty string", "", "an empty string"],
  ["white space", " \t", "only white space"],
  ["a list", [SECRET], "an array"],
])(
  "the message about an invalid secret names what was received, and does not show it: %s",
  async (_, secret, received) => {
    const message = `expected a string that is not blank, received ${received}`;
    await expect(sign(body, secret as never)).rejects.toThrow(new ConfigurationError(`sign: secret: ${message}`));
    if (secret === "") return;
    const inList = [SECRET, secret] as never;
    await expect(verify(body, "", inList)).rejects.toThrow(new ConfigurationError(`verify: secret: ${message}`));
    const errors: unknown[] = [];
    const receiver = createReceiver({ secrets: () => inList, onError: (error) => errors.push(error) });
    await receiver.handle(delivery());
    expect(errors).toEqual([new ConfigurationError(`createReceiver: secrets: ${message}`)]);
  },
);

it("a secret with white space around it is used unchanged", async () => {
  const secret = ` ${SECRET}\n`;
  expect((await verify(body, nodeSign(body, secret), secret)).meetingId).toBe("mtg_1");
});
