/** A stream that takes a chunk from its source only when it is read. */
import { describe, expect, it } from "vitest";
import { pullStream } from "../../../src/media/bytes/pull-stream.js";

/** Chunks of one byte each: 1, 2, 3 …, and a count of the chunks that were taken. */
function counted(end = Number.POSITIVE_INFINITY) {
  const state = { taken: 0 };
  const chunks = (async function* () {
    while (state.taken < end) {
      state.taken += 1;
      yield Uint8Array.of(state.taken);
    }
  })();
  return { state, chunks };
}

const aTurn = () => new Promise((resolve) => setImmediate(resolve));

describe("pullStream()", () => {
  it("takes a chunk only when a reader asks for it", async () => {
    const { state, chunks } = counted();
    const reader = pullStream(chunks, () => {}).stream.getReader();
    await aTurn();
    expect(state.taken).toBe(0);
    expect(await reader.read()).toEqual({ done: false, value: Uint8Array.of(1) });
    await aTurn();
    expect(state.taken).toBe(1);
  });

  it("starts with a first chunk that was taken before, and ends after the last chunk", async () => {
    const { chunks } = counted(2);
    const { stream } = pullStream(chunks, () => {}, Uint8Array.of(0));
    expect(new Uint8Array(await new Response(stream).arrayBuffer())).toEqual(Uint8Array.of(0, 1, 2));
  });

  it("fails at once with the error of fail(), even while a read is waiting", async () => {
    const never: AsyncIterator<Uint8Array<ArrayBuffer>, void> = { next: () => new Promise(() => {}) };
    const { stream, fail } = pullStream(never, () => {});
    const read = stream.getReader().read();
    fail("gone");
    await expect(read).rejects.toBe("gone");
  });
});
