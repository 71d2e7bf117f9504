/** The lines of the caller in the stack of an error. */
import { ServerError } from "notetaker-sdk";
import { describe, expect, it, onTestFinished } from "vitest";
import { withCallerStack } from "../../src/transport/caller-stack.js";
import { clientOf, refusal, rejectionOf } from "../support/recorder.js";

/** An error of the library with this stack. */
async function errorWith(stack: unknown): Promise<ServerError> {
  const { notetaker } = clientOf(() => refusal(500, "internal_error"), { maxRetries: 0 });
  const error = await rejectionOf(ServerError, notetaker.webhooks.list());
  error.stack = stack as string;
  return error;
}

const HEAD = "ServerError: two\nlines\n    at fetch (client.js:1:1)";

describe("the lines of the caller in an error's stack", () => {
  it("follow the lines of the error once, without the library's own function", async () => {
    const error = await errorWith(HEAD);
    const stacks: (string | undefined)[] = [];
    for (let time = 0; time < 2; time += 1) stacks.push((withCallerStack(error) as Error).stack);
    const added = stacks[0]?.slice(HEAD.length).split("\n") ?? [];
    expect(stacks[0]?.startsWith(HEAD)).toBe(true);
    expect(added[1]).toMatch(/^ {4}at .*caller-stack\.test\.ts/);
    expect(added.slice(1).every((line) => line.startsWith("    at "))).toBe(true);
    expect(stacks[1]).toBe(stacks[0]);
  });

  it.each([[undefined], [["a", "b"]]])("are not added to a stack that is not a string: %j", async (stack) => {
    expect(withCallerStack(await errorWith(stack))).toHaveProperty("stack", stack);
  });

  it("are not added if the program formats stacks with its own Error.prepareStackTrace", async () => {
    const error = await errorWith(HEAD);
    const before = Error.prepareStackTrace;
    onTestFinished(() => {
      Error.prepareStackTrace = before;
    });
    Error.prepareStackTrace = (_, places) => places;
    expect((withCallerStack(error) as Error).stack).toBe(HEAD);
  });

  it("are not added to an error of other code", () => {
    const error = Object.assign(new Error("mine"), { stack: HEAD });
    expect(withCallerStack(error)).toBe(error);
    expect(error.stack).toBe(HEAD);
    expect(withCallerStack("no error")).toBe("no error");
  });
});
