import {
  ConfigurationError,
  createReceiver,
  createRelay,
  memoryEventLog,
  subscribe,
  toNodeListener,
  verify,
} from "notetaker-sdk/webhooks";
import { expect, it, vi } from "vitest";
import { rejection } from "../support/recorder.js";
import { eventOf } from "./events.js";

const receiver = (options: object) => createReceiver({ secrets: "s3cret", ...options });
const relay = (options: object) => createRelay({ authorize: () => true, ...options });
const subscription = (options: object) => subscribe("https://app.example.com/", options);
const INTEGER = "expected a whole number from 1 to 2147483647";
const NUMBER = "expected a number from 1 to 2147483647";
const METHODS = "expected an object with the methods claim, complete, release, received an object";

const misspelt = { onEror: () => {} };

it.each<[string, () => unknown]>([
  ["createReceiver: onEror: unknown option; did you mean onError?", () => receiver(misspelt)],
  ["createRelay: onEror: unknown option; did you mean onError?", () => relay(misspelt)],
  ["memoryEventLog: onEror: unknown option; expected one of maxEvents", () => memoryEventLog(misspelt as object)],
  ["subscribe: onEror: unknown option; expected one of headers, ", () => subscription(misspelt)],
  [`createReceiver: deadlineMs: ${NUMBER}, received 0`, () => receiver({ deadlineMs: 0 })],
  [`createReceiver: deadlineMs: ${NUMBER}, received "8000"`, () => receiver({ deadlineMs: "8000" })],
  [`createReceiver: maxBodyBytes: ${NUMBER}, received -1`, () => receiver({ maxBodyBytes: -1 })],
  ["createReceiver: signatureHeader: expected the name of a header", () => receiver({ signatureHeader: "X-Sig: " })],
  ["createReceiver: signatureHeader: expected a string, received a number", () => receiver({ signatureHeader: 5 })],
  ["createReceiver: kind: expected a string, received a number", () => receiver({ kind: 5 })],
  [
    "createReceiver: assumptions.kin: unknown option; did you mean kind?",
    () => receiver({ assumptions: { kin: "a" } }),
  ],
  ["createReceiver: handlers: expected an object, received a function", () => receiver({ handlers: () => {} })],
  [`createReceiver: dedupe: ${METHODS}`, () => receiver({ dedupe: { claim: () => "claimed" } })],
  [`createReceiver: dedupe: ${METHODS}`, () => receiver({ dedupe: new Map() })],
  ["createRelay: authorize: expected a function", () => createRelay({} as never)],
  ["createRelay: onError: expected a function, received a string", () => relay({ onError: "log" })],
  [`createRelay: heartbeatMs: ${NUMBER}, received 2147483648`, () => relay({ heartbeatMs: 2 ** 31 })],
  [`createRelay: heartbeatMs: ${NUMBER}, received 0.5`, () => relay({ heartbeatMs: 0.5 })],
  [`createRelay: retryMs: ${NUMBER}, received -1`, () => relay({ retryMs: -1 })],
  ["subscribe: allowInsecureHttp: expected a boolean", () => subscription({ allowInsecureHttp: 1 })],
  ["subscribe: credentials: expected one of omit", () => subscription({ credentials: "all" })],
  [`createRelay: reauthorizeMs: ${NUMBER}`, () => relay({ reauthorizeMs: 0 })],
  ["subscribe: lastEventId: expected a string, received a number", () => subscription({ lastEventId: 5 })],
  ["subscribe: signal: expected an object with the methods", () => subscription({ signal: { aborted: false } })],
  [`subscribe: staleAfterMs: ${NUMBER}, received 0`, () => subscription({ staleAfterMs: 0 })],
  [`subscribe: maxEventBytes: ${NUMBER}, received -1`, () => subscription({ maxEventBytes: -1 })],
  [`memoryEventLog: maxEvents: ${INTEGER}, received 0.5`, () => memoryEventLog({ maxEvents: 0.5 })],
])("an invalid option causes a ConfigurationError: %s", (message, make) => {
  expect(make).toThrow(ConfigurationError);
  expect(make).toThrow(message);
});

it("verify refuses an unknown option", async () => {
  const error = await rejection(verify("{}", {}, "s3cret", { signatureHeadr: "x-signature" } as object));
  expect(error).toEqual(
    new ConfigurationError({ message: "verify: signatureHeadr: unknown option; did you mean signatureHeader?" }),
  );
});

it("an option that is undefined counts as omitted", () => {
  expect(() => receiver({ deadlineMs: undefined, dedupe: undefined, handlers: undefined })).not.toThrow();
  const log = memoryEventLog({ maxEvents: undefined });
  const oldest = log.latestId() as string;
  for (let number = 0; number < 1_001; number += 1) log.append(eventOf(number), undefined);
  expect(log.after(oldest, 1)).toBeUndefined();
});

it("a duration may be at least 1 and at most the longest timer", () => {
  for (const heartbeatMs of [1, 1.5, 2 ** 31 - 1]) expect(() => relay({ heartbeatMs })).not.toThrow();
});

it("toNodeListener refuses a receiver that is passed instead of its handle", () => {
  const receiver = createReceiver({ secrets: "s3cret" });
  expect(() => toNodeListener(receiver.handle)).not.toThrow();
  expect(() => toNodeListener(receiver as never)).toThrow(ConfigurationError);
  expect(() => toNodeListener(receiver as never)).toThrow("expected a function, for example receiver.handle");
});

it("a receiver and a relay can be created at the module level of an edge worker", () => {
  // What Cloudflare's workerd refuses there.
  const refuse = () => {
    throw new Error("Disallowed operation called within global scope");
  };
  for (const name of ["AbortController", "setTimeout", "setInterval", "fetch"]) vi.stubGlobal(name, refuse);
  vi.stubGlobal("crypto", { randomUUID: refuse, getRandomValues: refuse });
  try {
    createReceiver({ secrets: "s3cret" });
    createRelay({ authorize: () => true, log: memoryEventLog() });
  } finally {
    vi.unstubAllGlobals();
  }
});
