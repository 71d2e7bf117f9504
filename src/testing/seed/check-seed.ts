/** Finds the mistakes in a seed and their paths. A seed may come from a file, which no compiler checks. */
import type { IssueInit } from "../../checks/format-issues.js";
import { mistakesIn } from "../emulator-error.js";
import { type Seed, seedSchema } from "./seed.js";

/** Every mistake in the seed. Whether an id occurs twice is checked only if each part is valid. */
export function seedMistakes(seed: unknown): IssueInit[] {
  const mistakes = mistakesIn(seedSchema, seed);
  return mistakes.length > 0 ? mistakes : repeatedIds(seed as Seed);
}

/** The lists of records in a seed, in a room and in a meeting. */
const SEED_LISTS = ["rooms", "meetings", "documents", "permissions", "events", "webhooks"] as const;

type SeedRecord = { [L in (typeof SEED_LISTS)[number]]?: readonly SeedRecord[] | undefined } & {
  id?: string | undefined;
};

/** Every id in `holder`, with the path of its record. */
function* idsIn(holder: SeedRecord, prefix = ""): Generator<[path: string, id: string | undefined]> {
  for (const list of SEED_LISTS) {
    for (const [index, record] of (holder[list] ?? []).entries()) {
      const path = `${prefix}${list}[${index}]`;
      yield [path, record.id];
      // The `events` of a webhook are kinds of event.
      if (list !== "webhooks") yield* idsIn(record, `${path}.`);
    }
  }
}

function repeatedIds(seed: Seed): IssueInit[] {
  const pathById = new Map<string, string>();
  return [...idsIn(seed as SeedRecord)].flatMap(([path, id]) => {
    if (id === undefined) return [];
    const first = pathById.get(id);
    pathById.set(id, first ?? path);
    return first === undefined ? [] : [{ path: `${path}.id`, message: `${id} is already the id of ${first}` }];
  });
}
