import { setupServer } from "msw/node";
import { createEmulator } from "notetaker-sdk/testing";
import { describe, expectTypeOf, it } from "vitest";

describe("the emulator's types", () => {
  it("lets msw take the handlers without a cast", () => {
    expectTypeOf(setupServer(...createEmulator().handlers())).toHaveProperty("listen");
  });
});
