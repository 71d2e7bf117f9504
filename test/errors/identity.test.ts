/** Names and `instanceof`: within one copy of the package, across two copies, and for a user's subclasses. */
import * as sdk from "notetaker-sdk";
import { afterEach, describe, expect, it, vi } from "vitest";
import { oneOfEachClass as instances, type Sdk } from "./one-of-each-class.js";

type Name = Exclude<Extract<keyof Sdk, `${string}Error`>, "isNotetakerError">;
const NAMES = ["NotetakerError", ...instances(sdk).map(({ name }) => name)] as readonly Name[];

/** The classes of which an error is an instance. */
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

  it("restores every error from the record that the other copy wrote", async () => {
    vi.resetModules();
    const other = (await import("notetaker-sdk")) as Sdk;
    for (const error of instances(sdk)) {
      Object.assign(error, { cause: new TypeError("why", { cause: new Error("deeper") }) });
      const rateLimit = { limit: 60, remaining: 0, resetAt: new Date(0) };
      const details = [{ field: "title", message: "too long" }];
      if (error instanceof sdk.ApiError) Object.assign(error, { rateLimit, details });
      if ("issues" in error) {
        const isOfService = error instanceof sdk.InvalidRequestError;
        const issue = isOfService ? { loc: ["a"], msg: "m", type: "t" } : { path: "a", code: "missing", message: "m" };
        Object.assign(error, { issues: [issue] });
      }
      const revived = other.errorFromJSON(JSON.stringify(error));
      expect(revived.constructor).toBe(other[error.name as "NotFoundError"]);
      expect(other.isNotetakerError(revived)).toBe(true);
      expect(revived.toJSON()).toEqual(error.toJSON());
      expect(revived.toJSON()).toMatchObject({ cause: { name: "TypeError", cause: { message: "deeper" } } });
    }
  });

  it("refuses a record with missing fields and names them, in both copies", async () => {
    vi.resetModules();
    const other = (await import("notetaker-sdk")) as Sdk;
    const missing = (name: string) => {
      try {
        other.errorFromJSON({ name });
      } catch (error) {
        return (error as sdk.InvalidArgumentError).issues.map(({ path }) => path);
      }
      throw new Error("expected a refusal");
    };
    const common = ["message", "outcome", "retryable", "attempts"];
    const further: Record<string, string[]> = {
      InvalidArgumentError: ["issues"],
      InvalidRequestError: ["status", "issues"],
      ResponseValidationError: ["status", "issues"],
    };
    for (const error of instances(sdk)) {
      const own = further[error.name] ?? (error instanceof sdk.ApiError ? ["status"] : []);
      expect(missing(error.name), error.name).toEqual([...common, ...own]);
    }
    expect(missing("AxiosError")).toEqual(["name"]);
  });
});

describe("a user's subclass", () => {
  class TeamError extends sdk.NotFoundError {
    readonly team = "a";
  }

  it("accepts only its own errors as instances, and these are instances of its base classes", () => {
    const own = new TeamError({ message: "m" });
    expect(own).toBeInstanceOf(TeamError);
    expect(own).toBeInstanceOf(sdk.NotFoundError);
    expect(own).toBeInstanceOf(sdk.ApiError);
    expect(new sdk.NotFoundError({ message: "m" })).not.toBeInstanceOf(TeamError);
    class Other extends sdk.NotFoundError {}
    expect(own).not.toBeInstanceOf(Other);
    expect(own).not.toBeInstanceOf(sdk.ForbiddenError);
  });

  it("does not accept the errors of another class with the same name", () => {
    const first = class Same extends sdk.ApiError {};
    const second = class Same extends sdk.ApiError {};
    expect(new first({ message: "m" })).not.toBeInstanceOf(second);
    expect(new first({ message: "m" })).toBeInstanceOf(first);
  });
});
