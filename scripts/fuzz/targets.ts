/** The targets of fuzzing: each parser of untrusted bytes, with the errors that it may throw. */
import { InvalidArgumentError, parseMeetingLink } from "notetaker-sdk";
import { createEmulator, EmulatorError, type Seed } from "notetaker-sdk/testing";
import { createReceiver, sign } from "notetaker-sdk/webhooks";
import { readArguments, UsageError } from "../../src/command-line.js";
import { decodeDocx } from "../../src/documents/content.js";
import { errorFromJSON } from "../../src/errors/error-from-json.js";
import { readRateLimitReset, readRetryAfter } from "../../src/errors/retry-after.js";
import { parseJson } from "../../src/json/parse-json.js";
import { parsePlace } from "../../src/node/walk/walk-place.js";
import { eventReader } from "../../src/webhooks/subscribe/read-events.js";
import { fail } from "./fail.js";
import { requestOf } from "./request-of.js";
import { readResponse } from "./responses.js";

export interface Target {
  name: string;
  /** Parses the input. Any error that it throws is a crash; expected errors are caught. */
  read(input: Buffer): unknown;
  /** Whether the system limits the length of the input. Then growth is not measured. */
  isBounded?: true;
}

/** Runs `read`, and ignores the errors for which `isExpected` returns `true`. */
const unless =
  (isExpected: (error: unknown) => boolean, read: (input: Buffer) => unknown): Target["read"] =>
  async (input) => {
    try {
      await read(input);
    } catch (error) {
      if (!isExpected(error)) throw error;
    }
  };

const SECRET = "whsec_fuzz";
const receiver = createReceiver({ secrets: SECRET, handlers: {}, onError: () => {} });
async function deliver(headers: Headers, body: Buffer): Promise<void> {
  const request = new Request("https://a.example/hook", { method: "POST", headers, body: new Uint8Array(body) });
  const { status } = await receiver.handle(request);
  if (![200, 400, 401, 413, 503].includes(status)) fail(`the receiver answered ${status}`);
}

/** The stream in pieces must result in the same messages as the whole stream. */
function parseStream(input: Buffer): void {
  const text = input.toString();
  const whole = eventReader(4_096)(new TextEncoder().encode(text));
  const readPiece = eventReader(4_096);
  const pieces = text.match(/.{1,7}/gsu)?.flatMap((piece) => readPiece(new TextEncoder().encode(piece))) ?? [];
  if (JSON.stringify(whole) !== JSON.stringify(pieces)) fail("the stream in pieces differs from the whole");
}

function readDates(input: Buffer): void {
  for (const line of input.toString("latin1").split("\n")) {
    const value = line.replace(/[\0\r]/g, "");
    const headers = new Headers({ "retry-after": value, "x-ratelimit-reset": value, date: value });
    for (const wait of [readRetryAfter(headers), readRateLimitReset(headers)]) {
      if (wait !== undefined && !(wait >= 0)) fail(`a wait of ${wait} ms`);
    }
  }
}

const OPTIONS = { port: { type: "string" }, seed: { type: "string" }, control: { type: "boolean" } } as const;

export const TARGETS: readonly Target[] = [
  { name: "webhook-headers", read: (input) => deliver(requestOf(input).headers, requestOf(input).body) },
  {
    name: "webhook-body",
    read: async (input) => {
      const signature = await sign(new Uint8Array(input), SECRET);
      await deliver(new Headers({ "x-webhook-signature": signature }), input);
    },
  },
  { name: "event-stream", read: parseStream },
  {
    name: "docx",
    read: unless(
      (error) => error instanceof InvalidArgumentError,
      (input) => {
        // The document must not be unpacked, so that a zip bomb stays small.
        const bytes = decodeDocx({ format: "docx", content: input.toString("latin1") });
        if (bytes.length > input.length) fail(`${bytes.length} bytes of ${input.length}`);
      },
    ),
  },
  { name: "responses", read: readResponse },
  {
    name: "checkpoint",
    read: (input) => {
      parsePlace(input.toString("latin1"));
      parsePlace(input.toString("base64url"));
    },
  },
  {
    name: "seed",
    read: unless(
      (error) => error instanceof EmulatorError,
      (input) => createEmulator({ seed: parseJson(input.toString()) as Seed }),
    ),
  },
  {
    name: "arguments",
    // The parser is Node's, which needs quadratic time in the number of arguments.
    isBounded: true,
    read: async (input) => {
      const args = input.toString().split("\n");
      const isUsage = (error: unknown) => error instanceof UsageError;
      await unless(isUsage, () => readArguments(args, OPTIONS, true))(input);
    },
  },
  {
    name: "error-record",
    read: unless(
      (error) => error instanceof InvalidArgumentError,
      (input) => {
        const error = errorFromJSON(input.toString());
        const again = errorFromJSON(JSON.stringify(error));
        if (JSON.stringify(again) !== JSON.stringify(error)) fail("the record of the record differs");
      },
    ),
  },
  { name: "meeting-link", read: (input) => parseMeetingLink(input.toString()) },
  { name: "dates", read: readDates },
];
