/** The store of examples/key-value-store.ts, over a sorted map. */
import type { Document } from "notetaker-sdk";
import { type KeyValues, keyValueStore } from "../../../examples/key-value-store.js";
import { storeContract } from "./store-contract.js";

/** Transactions run one after the other, as in the storage of a Durable Object, and are undone if they fail. */
function sortedMap() {
  let values = new Map<string, unknown>();
  let previous: Promise<unknown> = Promise.resolve();
  const bytes = (text: string) => Buffer.from(text);
  const kv: KeyValues = {
    get: async <T>(key: string) => structuredClone(values.get(key)) as T | undefined,
    put: async (key, value) => void values.set(key, structuredClone(value)),
    delete: async (key) => void values.delete(key),
    list: async (prefix, after, max) =>
      [...values.keys()]
        .filter((key) => key.startsWith(prefix) && Buffer.compare(bytes(key), bytes(after)) > 0)
        .sort((left, right) => Buffer.compare(bytes(left), bytes(right)))
        .slice(0, max),
    transaction(work) {
      const run = previous.then(async () => {
        const before = new Map(values);
        try {
          return await work(kv);
        } catch (error) {
          values = before;
          throw error;
        }
      });
      previous = run.catch(() => {});
      return run;
    },
  };
  return kv;
}

interface Stored {
  meeting?: unknown;
  transcript?: unknown;
  documents: Document[];
  missing: unknown[];
  isGone: boolean;
}

storeContract(
  "the key-value store of the guide",
  async () => {
    const kv = sortedMap();
    return {
      store: keyValueStore(kv),
      another: () => keyValueStore(kv),
      async read(id) {
        const stored = await kv.get<Stored>(`meeting/${id}`);
        if (stored?.meeting === undefined) return undefined;
        const { meeting, transcript, documents, missing, isGone } = stored;
        return { meeting, transcript, documents, missing, isGone };
      },
    };
  },
  { hasLock: false },
);
