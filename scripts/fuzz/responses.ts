/**
 * The target `responses`: calls of the client and walks over pages, with any status, headers and body, in the three
 * modes of validation, with the body as a whole and in pieces. The first three bytes of the input select status, call
 * and mode; the rest is the response.
 */
import { isDeepStrictEqual } from "node:util";
import { errorFromJSON, isNotetakerError, Notetaker, type ValidationMode } from "notetaker-sdk";
import { CALLS } from "../../test/support/calls.js";
import { fail } from "./fail.js";
import { requestOf } from "./request-of.js";

const TOKEN = "tok_fuzz_0123456789";
/** The statuses of the response, common ones first. */
const STATUSES = [
  ...[200, 201, 202, 203, 204, 205, 206, 300, 301, 304, 400, 401, 402, 403, 404, 408, 409, 410, 413, 422, 425, 429],
  ...[451, 499, 500, 501, 502, 503, 504, 507, 520, 599],
];
const WITHOUT_BODY = new Set([204, 205, 304]);
const MODES: readonly ValidationMode[] = ["strict", "warn", "off"];
/** A walk with more items is a failure: every request gets the same page, which the walk must notice. */
const MAX_ITEMS = 5_000;

const WALKS: readonly ((notetaker: Notetaker) => AsyncIterable<unknown>)[] = [
  ({ rooms }) => rooms.list({ limit: 1 }),
  ({ meetings }) => meetings.list({ expand: ["documents"] }),
  ({ permissions }) => permissions.list("mtg_1"),
  ({ rooms }) => rooms.list({ expand: ["meetings"] }, { onInvalid: () => {} }),
  ({ meetings }) => meetings.list({}, { prefetch: true }),
];

async function walk(items: AsyncIterable<unknown>): Promise<unknown[]> {
  const found: unknown[] = [];
  for await (const item of items) {
    if (found.push(item) > MAX_ITEMS) fail("the walk has no end");
  }
  return found;
}

const bodyOf = (body: Buffer, piece: number): BodyInit =>
  piece === 0
    ? new Uint8Array(body)
    : new ReadableStream({
        start(controller) {
          for (let at = 0; at < body.length; at += piece)
            controller.enqueue(new Uint8Array(body.subarray(at, at + piece)));
          controller.close();
        },
      });

/** The result of the call as text. An error that does not belong to the library is thrown. */
async function outcomeOf(input: Buffer, piece: number): Promise<string> {
  const [statusAt = 0, callAt = 0, modeAt = 0] = input;
  const status = STATUSES[statusAt % STATUSES.length] ?? 200;
  const mode = MODES[modeAt % MODES.length] ?? "strict";
  const { headers, body } = requestOf(input.subarray(3));
  const notetaker = new Notetaker({
    baseUrl: "https://a.example/v1",
    token: TOKEN,
    maxRetries: 0,
    validation: mode,
    logger: { debug() {}, info() {}, warn() {}, error() {} },
    fetch: async () => new Response(WITHOUT_BODY.has(status) ? null : bodyOf(body, piece), { status, headers }),
  });
  const choice = callAt % (CALLS.length + WALKS.length);
  const make = CALLS[choice]?.make;
  const items = WALKS[choice - CALLS.length];
  try {
    const result = make === undefined ? await walk(items?.(notetaker) ?? fail("no walk")) : await make(notetaker);
    return `result ${JSON.stringify(result)}`;
  } catch (error) {
    if (!isNotetakerError(error)) throw error;
    return outcomeOfError(error, mode, status);
  }
}

/**
 * The names and texts in a JSON text, without escapes. In the JSON text itself, a tab before `ok_…` is written as
 * `\tok_…`, which contains the token.
 */
function stringsOf(json: string): string {
  const strings: string[] = [];
  JSON.parse(json, (name, value) => {
    strings.push(name);
    if (typeof value === "string") strings.push(value);
    return value;
  });
  return strings.join(" ");
}

/** Checks that an error does not show the token, survives serialisation as JSON, and fits the mode of validation. */
function outcomeOfError(error: Error & { status?: number }, mode: ValidationMode, status: number): string {
  const text = JSON.stringify(error);
  if (`${stringsOf(text)} ${error.message} ${error.stack}`.includes(TOKEN))
    fail(`the token is shown: ${error.message}`);
  if (error.status !== undefined && error.status !== status) fail(`status ${error.status} instead of ${status}`);
  const again = JSON.stringify(errorFromJSON(text));
  if (!isDeepStrictEqual(JSON.parse(again), JSON.parse(text))) fail(`the record ${text} came back as ${again}`);
  const isSuccess = status >= 200 && status < 300;
  if (!isSuccess && error.name === "ResponseValidationError") fail(`a ${status} is no invalid success`);
  if (mode === "off" && error.name === "ResponseValidationError" && /issue/.test(error.message)) fail(error.message);
  return `${error.name} ${error.message}`;
}

export async function readResponse(input: Buffer): Promise<void> {
  const whole = await outcomeOf(input, 0);
  const pieces = await outcomeOf(input, Math.max(1, input.length >> 4));
  if (pieces !== whole) fail(`in pieces ${pieces.slice(0, 200)}, as a whole ${whole.slice(0, 200)}`);
}
