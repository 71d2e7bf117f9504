/** What the types of the errors promise. */
import {
  type AnyNotetakerError,
  ApiError,
  type ApiErrorName,
  isNotetakerError,
  type NotetakerErrorName,
  NotFoundError,
  RateLimitedError,
  TimeoutError,
} from "notetaker-sdk";
import { expectTypeOf, it } from "vitest";

it("the name of each class is literal", () => {
  expectTypeOf(new NotFoundError().name).toEqualTypeOf<"NotFoundError">();
  expectTypeOf<"ApiError" | "ServerError">().toExtend<ApiErrorName>();
  expectTypeOf<NotetakerErrorName>().not.toEqualTypeOf<string>();
});

it("AnyNotetakerError is told apart by name", () => {
  const error = new Error() as unknown;
  if (!isNotetakerError(error)) return;
  expectTypeOf(error).toEqualTypeOf<AnyNotetakerError>();
  if (error.name === "RateLimitedError") expectTypeOf(error).toEqualTypeOf<RateLimitedError>();
  if (error.name === "TimeoutError") expectTypeOf(error).toEqualTypeOf<TimeoutError>();
  if (error.name === "ApiError") expectTypeOf(error.status).toEqualTypeOf<number>();
});

it("errors are made from the fields at hand", () => {
  expectTypeOf(RateLimitedError).toBeConstructibleWith({ retryAfterMs: 1_000 });
  expectTypeOf(RateLimitedError).toBeConstructibleWith();
  expectTypeOf(ApiError).toBeConstructibleWith("message", { status: 418 });
  // @ts-expect-error a misspelt field
  new RateLimitedError({ retryAfter: 1_000 });
  // @ts-expect-error the limit that was reached is not known
  new TimeoutError({});
});

it("a subclass of a user's own may have a name of its own", () => {
  class TeamError extends ApiError {
    override readonly name = "TeamError";
  }
  expectTypeOf(new TeamError().name).toExtend<string>();
});

it("instances of two copies of the package are of one type", () => {
  type Copy = { [K in keyof RateLimitedError]: RateLimitedError[K] };
  expectTypeOf<Copy>().toExtend<RateLimitedError>();
});
