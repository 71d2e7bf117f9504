import { createEmulator, EmulatorError } from "notetaker-sdk/testing";
import { describe, expect, it } from "vitest";

/** What `createEmulator` throws for options that no compiler has seen. */
function mistakesOf(options: unknown) {
  try {
    createEmulator(options as object);
  } catch (error) {
    expect(error).toBeInstanceOf(EmulatorError);
    expect((error as EmulatorError).message).toMatch(/^createEmulator: /);
    return (error as EmulatorError).mistakes;
  }
  return [];
}

describe("the options of an emulator", () => {
  it.each([
    ["that are null", null, "", "expected an object"],
    ["that are a list", [], "", "expected an object"],
    ["with a misspelt name", { limit: "all" }, "limit", /^is not known here; expected token, seed, now/],
    ["with an empty token", { token: "" }, "token", /./],
    ["with a seed that is none", { seed: null }, "seed", "expected an object, or a whole number"],
    ["with half a seed number", { seed: 1.5 }, "seed", "expected an object, or a whole number"],
    ["with a strict that is no boolean", { strict: "no" }, "strict", /./],
    ["with limits that do not exist", { limits: "some" }, "limits", 'expected "interface", "all", "none"'],
    ["with a life that does not exist", { life: "fast" }, "life", 'expected "manual"'],
    ["with a misspelt time", { life: { transcribeMS: 1 } }, "life.transcribeMS", /^is not known here/],
    ["with a negative time", { life: { callMs: -1 } }, "life.callMs", "expected milliseconds from 0 up"],
    ["with a time without end", { life: { callMs: Number.POSITIVE_INFINITY } }, "life.callMs", /from 0 up$/],
    ["with an onRequest that is no function", { onRequest: true }, "onRequest", "expected a function"],
    ["with an allowDeliveryTo that is no function", { allowDeliveryTo: "*" }, "allowDeliveryTo", "expected a function"],
    ["with other names for an unknown list", { unshown: { room: {} } }, "unshown.room", /^is not known here/],
    ["with an empty name", { unshown: { rooms: { ids: "" } } }, "unshown.rooms.ids", /./],
  ])("%s are refused, naming the place", (_, options, path, message) => {
    expect(mistakesOf(options)).toEqual([
      { path, message: typeof message === "string" ? message : expect.stringMatching(message) },
    ]);
  });

  it("are all looked at", () => {
    expect(mistakesOf({ tokn: "x", life: { callMs: "1" }, strict: 1 }).map(({ path }) => path)).toEqual([
      "strict",
      "life.callMs",
      "tokn",
    ]);
  });

  it("may each be left undefined", () => {
    const names = ["token", "seed", "now", "baseUrl", "strict", "limits", "life", "allowDeliveryTo", "onRequest"];
    const none = Object.fromEntries([...names, "unshown"].map((name) => [name, undefined]));
    expect(mistakesOf({ ...none, life: undefined })).toEqual([]);
    expect(mistakesOf({ life: { callMs: undefined }, unshown: { rooms: { ids: undefined } } })).toEqual([]);
    expect(createEmulator(none).token).toBe(createEmulator().token);
  });
});
