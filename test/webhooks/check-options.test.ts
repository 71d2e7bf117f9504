import {
  ConfigurationError,
  createReceiver,
  createRelay,
  memoryDedupe,
  memoryEventLog,
  subscribe,
  toNodeListener,
  verify,
} from "notetaker-sdk/webhooks";
import { expect, it } from "vitest";
import { rejection } from "../support/recorder.js";
import { eventOf } from "./events.js";

it.each<[string, (options: object) => unknown, string]>([
  [
    "createReceiver",
    (options) => createReceiver({ secrets: "s3cret", ...options }),
    "onEror: unknown option; did you mean onError?",
  ],
  [
    "createRelay",
    (options) => createRelay({ authorize: () => true, ...options }),
    "onEror: unknown option; did you mean onError?",
  ],
  ["memoryDedupe", (options) => memoryDedupe(options), "onEror: unknown option; expected one of keepMs, maxKeys"],
  ["memoryEventLog", (options) => memoryEventLog(options), "onEror: unknown option; expected one of maxEvents"],
  [
    "subscribe",
    (options) => subscribe("https://app.example.com/events", options),
    "onEror: unknown option; expected one of headers, ",
  ],
])("%s refuses an unknown option, and names the allowed ones", (owner, make, message) => {
  expect(() => make({})).not.toThrow();
  expect(() => make({ onEror: () => {} })).toThrow(ConfigurationError);
  expect(() => make({ onEror: () => {} })).toThrow(`${owner}: ${message}`);
});

it("verify refuses an unknown option", async () => {
  const error = await rejection(verify("{}", {}, "s3cret", { signatureHeadr: "x-signature" } as object));
  expect(error).toEqual(
    new ConfigurationError("verify: signatureHeadr: unknown option; did you mean signatureHeader?"),
  );
});

it.each<[string, () => unknown, string]>([
  [
    "a deadline of 0",
    () => createReceiver({ secrets: "s3cret", deadlineMs: 0 }),
    "createReceiver: deadlineMs: expected a number from 1 to 2147483647, received 0",
  ],
  [
    "a deadline that is a string",
    () => createReceiver({ secrets: "s3cret", deadlineMs: "8000" as never }),
    "createReceiver: deadlineMs: expected a number from 1 to 2147483647, received a string",
  ],
  [
    "a heartbeat longer than the longest timer",
    () => createRelay({ authorize: () => true, heartbeatMs: 2 ** 31 }),
    "createRelay: heartbeatMs: expected a number from 1 to 2147483647, received 2147483648",
  ],
  ["a relay without authorize", () => createRelay({} as never), "createRelay: authorize: expected a function"],
  [
    "an onError that is not a function",
    () => createRelay({ authorize: () => true, onError: "log" as never }),
    "createRelay: onError: expected a function, received a string",
  ],
  [
    "an allowInsecureHttp that is not a boolean",
    () => subscribe("https://app.example.com/", { allowInsecureHttp: 1 as never }),
    "subscribe: allowInsecureHttp: expected true or false, received 1",
  ],
  ...["", " \t", 5].map((signatureHeader): [string, () => unknown, string] => [
    `the signature header ${JSON.stringify(signatureHeader)}`,
    () => createReceiver({ secrets: "s3cret", signatureHeader: signatureHeader as never }),
    "createReceiver: signatureHeader: expected a non-empty string, received ",
  ]),
  [
    "a dedupe store with only some of its methods",
    () => createReceiver({ secrets: "s3cret", dedupe: { claim: () => "claimed" } as never }),
    "createReceiver: dedupe: expected an object with the methods claim, complete, release, received an object",
  ],
  [
    "a dedupe store without methods",
    () => createReceiver({ secrets: "s3cret", dedupe: new Map() as never }),
    "createReceiver: dedupe: expected an object with the methods claim, complete, release, received an object",
  ],
  ["options that are null", () => memoryDedupe(null as never), "memoryDedupe: options: expected an object"],
])("an invalid option causes a ConfigurationError that says what was received: %s", (_, make, message) => {
  expect(make).toThrow(ConfigurationError);
  expect(make).toThrow(message);
});

it("an option that is undefined counts as omitted", () => {
  expect(() => createReceiver({ secrets: "s3cret", deadlineMs: undefined, dedupe: undefined })).not.toThrow();
  const log = memoryEventLog({ maxEvents: undefined });
  const oldest = log.latestId() as string;
  for (let number = 0; number < 1_001; number += 1) log.append(eventOf(number), undefined);
  expect(log.after(oldest, 1)).toBeUndefined();
});

it("a duration option may be at least 1 and at most the longest timer", () => {
  for (const heartbeatMs of [1, 2 ** 31 - 1]) {
    expect(() => createRelay({ authorize: () => true, heartbeatMs })).not.toThrow();
  }
  for (const heartbeatMs of [0.5, Number.NaN]) {
    expect(() => createRelay({ authorize: () => true, heartbeatMs })).toThrow(ConfigurationError);
  }
});

it("toNodeListener refuses a receiver that is passed instead of its handle", () => {
  const receiver = createReceiver({ secrets: "s3cret" });
  expect(() => toNodeListener(receiver.handle)).not.toThrow();
  expect(() => toNodeListener(receiver as never)).toThrow(ConfigurationError);
  expect(() => toNodeListener(receiver as never)).toThrow("expected a function, for example receiver.handle");
});
