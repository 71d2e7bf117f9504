import { expect, it, vi } from "vitest";
import { readChunks } from "../../../src/webhooks/http/read-chunks.js";

it("a loop over the chunks of a stream leaves no listener on the signal", async () => {
  const { signal } = new AbortController();
  const added = vi.spyOn(signal, "addEventListener");
  const removed = vi.spyOn(signal, "removeEventListener");
  const chunks: unknown[] = [];
  for await (const chunk of readChunks(new Response("a").body!, signal)) chunks.push(chunk);
  expect(chunks).toEqual([new TextEncoder().encode("a")]);
  expect(removed.mock.calls).toEqual(added.mock.calls);
});
