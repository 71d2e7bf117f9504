/** Work that runs in the context in which its runner was made. */
import { AsyncLocalStorage } from "node:async_hooks";
import { expect, it } from "vitest";
import { ContextRunner } from "../../src/waiting/poll/context-runner.js";

it("work has the context of the runner, and its caller goes on in its own", async () => {
  const store = new AsyncLocalStorage<string>();
  const runner = store.run("runner", () => new ContextRunner());
  const seen = ["ada", "bob"].map((user) =>
    store.run(user, async () => [await runner.run(async () => store.getStore()), store.getStore()]),
  );
  expect(await Promise.all(seen)).toEqual([
    ["runner", "ada"],
    ["runner", "bob"],
  ]);
});

it("work may bring further work with it, and fails for its caller alone", async () => {
  const runner = new ContextRunner();
  const failing = runner.run(async () => Promise.reject(new Error("mine")));
  expect(await runner.run(() => runner.run(async () => "further"))).toBe("further");
  await expect(failing).rejects.toThrow("mine");
});
