/** The table of docs/errors.md agrees with the error classes. */
import { readFileSync } from "node:fs";
import * as sdk from "notetaker-sdk";
import { expect, it } from "vitest";

const guide = readFileSync(new URL("../../docs/errors.md", import.meta.url), "utf8");

/** The columns: class, when, outcome, retryable, what to do. */
const rows = [...guide.matchAll(/^\| `(\w+Error)` \| (.*) \|$/gm)].map(([, name, cells]) => ({
  name: name ?? "",
  outcome: cells?.split(" | ")[1] ?? "",
}));

const errors: sdk.NotetakerError[] = [
  new sdk.ConfigurationError(),
  new sdk.InvalidArgumentError(),
  new sdk.BadRequestError(),
  new sdk.UnauthorizedError(),
  new sdk.ForbiddenError(),
  new sdk.NotFoundError(),
  new sdk.InvalidRequestError(),
  new sdk.RateLimitedError(),
  new sdk.ServerError(),
  new sdk.ApiError({ status: 418 }),
  new sdk.ConnectionError(),
  new sdk.TimeoutError({ timeoutMs: 1 }),
  new sdk.ResponseValidationError(),
  new sdk.PaginationError(),
  new sdk.MeetingFailedError({ meetingId: "mtg_1" }),
  new sdk.WaitTimeoutError({ meetingId: "mtg_1", waitedMs: 1 }),
  new sdk.WebhookVerificationError({ reason: "too_large" }),
];

it("the table of docs/errors.md has a row for every error class", () => {
  const classes = Object.keys(sdk).filter((name) => name.endsWith("Error") && name !== "isNotetakerError");
  expect([...new Set(rows.map(({ name }) => name))].sort()).toEqual(
    classes.filter((name) => name !== "NotetakerError").sort(),
  );
});

it.each(errors.map((error) => [error.name, error] as const))(
  "the table of docs/errors.md shows the outcome of %s",
  (name, error) => {
    const [row] = rows.filter((candidate) => candidate.name === name);
    expect(row?.outcome).toContain(`\`${error.outcome}\``);
  },
);
