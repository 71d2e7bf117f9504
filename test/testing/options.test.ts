import { createEmulator } from "notetaker-sdk/testing";
import { describe, expect, it } from "vitest";
import { mistakesOf } from "./mistakes-of.js";

describe("createEmulator", () => {
  it.each<[what: string, options: unknown, path: string]>([
    ["options that are null", null, ""],
    ["a misspelt option", { limit: "all" }, "limit"],
    ["an empty token", { token: "" }, "token"],
    ["a seed that is null", { seed: null }, "seed"],
    ["a seed number with a fraction", { seed: 1.5 }, "seed"],
    ["a strict that is a string", { strict: "no" }, "strict"],
    ["unknown limits", { limits: "some" }, "limits"],
    ["an unknown kind of step times", { stepTimes: "fast" }, "stepTimes"],
    ["a misspelt duration", { stepTimes: { callMS: 1 } }, "stepTimes.callMS"],
    ["a negative duration", { stepTimes: { callMs: -1 } }, "stepTimes.callMs"],
    ["an onRequest that is a boolean", { onRequest: true }, "onRequest"],
    ["names of an unknown list", { assumptions: { room: {} } }, "assumptions.room"],
    ["a now that is null", { now: null }, "now"],
    ["a now that is not a time", { now: "yesterday" }, "now"],
    ["a now without a text", { now: Object.create(null) }, "now"],
    ["a now that is a symbol", { now: Symbol("now") }, "now"],
    ["a base URL without /v1", { baseUrl: "https://a.example" }, "baseUrl"],
    ["a base URL without a text", { baseUrl: Object.create(null) }, "baseUrl"],
    ["a speed of 0", { now: Date.now, speed: 0 }, "speed"],
    ["a speed without a clock", { speed: 60 }, "speed"],
    ["accounts beside a token", { accounts: { a: {} }, token: "b" }, "token"],
    ["accounts without an account", { accounts: {} }, "accounts"],
    ["an empty token of an account", { accounts: { "": {} } }, "accounts"],
    ["a webhook without a URL", { webhooks: [{}] }, "webhooks[0].url"],
    [
      "a webhook of an unknown account",
      { accounts: { a: {} }, webhooks: [{ token: "b", url: "http://127.0.0.1:1" }] },
      "webhooks[0].token",
    ],
  ])("refuses %s and names its path", (_, options, path) => {
    expect(mistakesOf(options).map((mistake) => mistake.path)).toEqual([path]);
  });

  it("reports every wrong option at once", () => {
    expect(mistakesOf({ tokn: "x", stepTimes: { callMs: "1" }, strict: 1 }).map(({ path }) => path)).toEqual([
      "strict",
      "stepTimes.callMs",
      "tokn",
    ]);
  });

  it("treats an option that is undefined as its default", () => {
    const names = "token seed accounts now speed baseUrl strict limits stepTimes onRequest assumptions".split(" ");
    const undefinedOptions = Object.fromEntries(names.map((name) => [name, undefined]));
    expect(mistakesOf(undefinedOptions)).toEqual([]);
    expect(mistakesOf({ stepTimes: { callMs: undefined }, assumptions: { rooms: { ids: undefined } } })).toEqual([]);
    expect(createEmulator(undefinedOptions).token).toBe(createEmulator().token);
  });
});
