import * as sdk from "notetaker-sdk";
import { expect, it } from "vitest";

it("the main entry exports these names, and no other", () => {
  expect(Object.keys(sdk).sort()).toEqual([]);
});
