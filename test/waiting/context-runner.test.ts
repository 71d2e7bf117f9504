/** Work that runs in the async context in which its runner was created. */
import { AsyncLocalStorage } from "node:async_hooks";
import { expect, it } from "vitest";
import { ContextRunner } from "../../src/waiting/poll/context-runner.js";

it("work runs in the context of its runner, and the caller continues in its own context", async () => {
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

it("work may start other work, and an error of the work rejects only its own caller", async () => {
  const runner = new ContextRunner();
  const failing = runner.run(async () => Promise.reject(new Error("mine")));
  expect(await runner.run(() => runner.run(async () => "further"))).toBe("further");
  await expect(failing).rejects.toThrow("mine");
});
