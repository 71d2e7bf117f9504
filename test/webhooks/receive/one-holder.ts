import { expect } from "vitest";
import type { DedupeStore } from "../../../src/webhooks/receive/dedupe.js";

/** In each store, a delivery has one holder until that holder releases or completes it. */
export async function expectOneHolder(store: DedupeStore, key: string): Promise<void> {
  expect(await store.claim(key, "a")).toBe("claimed");
  expect(await store.claim(key, "b")).toBe("in_progress");
  await store.release(key, "b");
  await store.complete(key, "b");
  expect(await store.claim(key, "b")).toBe("in_progress");
  await store.release(key, "a");
  expect(await store.claim(key, "b")).toBe("claimed");
  await store.complete(key, "b");
  await store.release(key, "b");
  expect(await store.claim(key, "a")).toBe("done");
  expect(await store.claim(`another ${key}`, "a")).toBe("claimed");
  await store.complete(`another ${key}`, "a");
}
