/** Names and `instanceof`: within one copy of the package, across two copies, and for a user's subclasses. */
import * as sdk from "notetaker-sdk";
import { afterEach, describe, expect, it, vi } from "vitest";
import { oneOfEachClass as instances, type Sdk } from "./one-of-each-class.js";

type Name = Exclude<Extract<keyof Sdk, `${string}Error`>, "isNotetakerError">;
const NAMES = ["NotetakerError", ...instances(sdk).map(({ name }) => name)] as readonly Name[];

const classesOf = (error: unknown, from: Sdk) => NAMES.filter((name) => error instanceof from[name]);

afterEach(() => void vi.resetModules());

describe("within one copy of the package, an error class", () => {
  it.each(instances(sdk).map((error) => [error.constructor.name, error] as const))(
    "%s has its own name as a string, and its errors are instances of its base classes",
    (name, error) => {
      expect(error.name).toBe(name);
      expect(error).toBeInstanceOf(Error);
      const api = error instanceof sdk.ApiError && name !== "ApiError";
      expect(classesOf(error, sdk).sort()).toEqual(["NotetakerError", name, ...(api ? ["ApiError"] : [])].sort());
      expect(String(error)).toMatch(new RegExp(`^${name}: `));
    },
  );

  it.each([undefined, null, 5, "NotFoundError", {}, [], new Error("x"), { name: "NotetakerError" }])(
    "does not accept %o as an instance",
    (value) => {
      expect(classesOf(value, sdk)).toEqual([]);
    },
  );
});

describe("across two copies of the package, an error class", () => {
  it("accepts the other copy's errors of the same class as instances, and no other errors", async () => {
    vi.resetModules();
    const other = (await import("notetaker-sdk")) as Sdk;
    expect(other.NotFoundError).not.toBe(sdk.NotFoundError);
    const [mine, theirs] = [instances(sdk), instances(other)];
    for (const [index, error] of mine.entries()) {
      expect(classesOf(error, other)).toEqual(classesOf(error, sdk));
      expect(classesOf(theirs[index], sdk)).toEqual(classesOf(error, sdk));
    }
  });
});

it("a user's subclass accepts only its own errors as instances, and these are instances of its base classes", () => {
  class TeamError extends sdk.NotFoundError {}
  const own = new TeamError({ message: "m" });
  for (const ErrorClass of [TeamError, sdk.NotFoundError, sdk.ApiError]) expect(own).toBeInstanceOf(ErrorClass);
  // A class of the same name, another subclass, and another class.
  const { Same } = { Same: class TeamError extends sdk.NotFoundError {} };
  for (const ErrorClass of [Same, sdk.ForbiddenError]) expect(own).not.toBeInstanceOf(ErrorClass);
  expect(new sdk.NotFoundError({ message: "m" })).not.toBeInstanceOf(TeamError);
});
