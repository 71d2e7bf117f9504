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

it.each<[string, (options: object) => unknown]>([
  ["createReceiver", (options) => createReceiver({ secrets: "s3cret", ...options })],
  ["createRelay", (options) => createRelay({ authorize: () => true, ...options })],
  ["memoryDedupe", (options) => memoryDedupe(options)],
  ["memoryEventLog", (options) => memoryEventLog(options)],
  ["subscribe", (options) => subscribe("https://app.example.com/events", options)],
])("%s refuses an option that there is not", (owner, make) => {
  expect(() => make({})).not.toThrow();
  expect(() => make({ onEror: () => {} })).toThrow(new ConfigurationError(`${owner} onEror: is not known here`));
});

it("verify refuses an option that there is not", async () => {
  const error = await rejection(verify("{}", {}, "s3cret", { header: "x-signature" } as object));
  expect(error).toEqual(new ConfigurationError("verify header: is not known here"));
});

it("toNodeListener wants the handler, and not the receiver that has it", () => {
  const receiver = createReceiver({ secrets: "s3cret" });
  expect(() => toNodeListener(receiver.handle)).not.toThrow();
  expect(() => toNodeListener(receiver as never)).toThrow(ConfigurationError);
});
