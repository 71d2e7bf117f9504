import { createEmulator } from "notetaker-sdk/testing";
import { describe, expect, it } from "vitest";
import { mistakesOf } from "./mistakes-of.js";

describe("createEmulator", () => {
  it.each([
    ["options that are null", null, "", "expected an object, received null"],
    ["a misspelt option", { limit: "all" }, "limit", "unknown option; did you mean limits?"],
    ["an empty token", { token: "" }, "token", "expected a string that is not empty, received an empty string"],
    ["a seed that is null", { seed: null }, "seed", "expected an object or an integer, received null"],
    ["a seed number with a fraction", { seed: 1.5 }, "seed", "expected an object or an integer, received a number"],
    ["a strict that is a string", { strict: "no" }, "strict", "expected a boolean, received a string"],
    ["unknown limits", { limits: "some" }, "limits", 'expected one of specified, all, none, received "some"'],
    ["an unknown kind of step times", { stepTimes: "fast" }, "stepTimes", 'expected manual, received "fast"'],
    ["a misspelt duration", { stepTimes: { callMS: 1 } }, "stepTimes.callMS", "unknown option; did you mean callMs?"],
    [
      "a negative duration",
      { stepTimes: { callMs: -1 } },
      "stepTimes.callMs",
      "expected milliseconds from 0 up, received -1",
    ],
    ["an onRequest that is a boolean", { onRequest: true }, "onRequest", "expected a function, received a boolean"],
    ["names of an unknown list", { assumptions: { room: {} } }, "assumptions.room", /option; did you mean rooms/],
    [
      "a now that is null",
      { now: null },
      "now",
      "expected a Date, milliseconds, a timestamp or a function, received null",
    ],
    ["a base URL without /v1", { baseUrl: "https://a.example" }, "baseUrl", /ends in \/v1, received https:\/\/a/],
    ["a now that is not a time", { now: "yesterday" }, "now", /^expected a Date, .* received yesterday$/],
    ["a now without a text", { now: Object.create(null) }, "now", /received object$/],
    ["a now that is a symbol", { now: Symbol("now") }, "now", /received Symbol\(now\)$/],
    ["a base URL without a text", { baseUrl: Object.create(null) }, "baseUrl", /received object$/],
    ["a speed of 0", { now: Date.now, speed: 0 }, "speed", "expected a number above 0, received 0"],
    ["a speed without a clock", { speed: 60 }, "speed", "needs a clock to follow, such as now: Date.now"],
    ["accounts beside a token", { accounts: { a: {} }, token: "b" }, "token", "cannot be combined with accounts"],
    ["accounts without an account", { accounts: {} }, "accounts", "expected at least one account"],
    ["an empty token of an account", { accounts: { "": {} } }, "accounts", /^expected a token, received an empty/],
    ["a webhook without a URL", { webhooks: [{}] }, "webhooks[0].url", /^expected a string/],
    [
      "a webhook of an unknown account",
      { accounts: { a: {} }, webhooks: [{ token: "b", url: "http://127.0.0.1:1" }] },
      "webhooks[0].token",
      "no account has this token",
    ],
  ])("refuses %s and names its path", (_, options, path, message) => {
    expect(mistakesOf(options)).toMatchObject([
      { path, message: typeof message === "string" ? message : expect.stringMatching(message) },
    ]);
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
