/** The types of the error classes. */
import {
  type AnyNotetakerError,
  ApiError,
  isNotetakerError,
  NotFoundError,
  type Outcome,
  RateLimitedError,
  type TimeoutError,
} from "notetaker-sdk";
import { expectTypeOf, it } from "vitest";

it("the name of each error class is a string literal type", () => {
  expectTypeOf(new NotFoundError().name).toEqualTypeOf<"NotFoundError">();
  expectTypeOf<"ApiError" | "ServerError">().toExtend<AnyNotetakerError["name"]>();
  expectTypeOf<AnyNotetakerError["name"]>().not.toEqualTypeOf<string>();
});

it("an error is narrowed by instanceof", () => {
  const error = new Error() as unknown;
  if (!(error instanceof RateLimitedError)) return;
  expectTypeOf(error.retryAfterMs).toEqualTypeOf<number | undefined>();
  expectTypeOf(error.outcome).toEqualTypeOf<Outcome>();
});

it("editors offer the names of the classes for the name of an ApiError", () => {
  expectTypeOf<Extract<ApiError["name"], "NotFoundError" | "TimeoutError">>().toEqualTypeOf<"NotFoundError">();
});

it("AnyNotetakerError is narrowed by its name", () => {
  const error = new Error() as unknown;
  if (!isNotetakerError(error)) return;
  expectTypeOf(error).toEqualTypeOf<AnyNotetakerError>();
  if (error.name === "RateLimitedError") expectTypeOf(error).toEqualTypeOf<RateLimitedError>();
  if (error.name === "TimeoutError") expectTypeOf(error).toEqualTypeOf<TimeoutError>();
  if (error.name === "ApiError") expectTypeOf(error.status).toEqualTypeOf<number>();
});

it("an error can be constructed from any part of its optional fields", () => {
  expectTypeOf(RateLimitedError).toBeConstructibleWith({ retryAfterMs: 1_000 });
  expectTypeOf(RateLimitedError).toBeConstructibleWith();
  expectTypeOf(ApiError).toBeConstructibleWith({ message: "message", status: 418 });
  // @ts-expect-error a misspelt field
  new RateLimitedError({ retryAfter: 1_000 });
});

it("a user's subclass may have its own name", () => {
  class TeamError extends ApiError {
    override readonly name = "TeamError";
  }
  expectTypeOf(new TeamError().name).toExtend<string>();
});

it("an error of another copy of the package has the same type", () => {
  type Copy = { [K in keyof RateLimitedError]: RateLimitedError[K] };
  expectTypeOf<Copy>().toExtend<RateLimitedError>();
});
