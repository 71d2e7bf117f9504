/** Finds the mistakes in a seed and their paths. A seed may come from a file, which no compiler checks. */
import type { IssueInit } from "../../checks/format-issues.js";
import { mistakesIn } from "../emulator-error.js";
import { type Seed, seedSchema } from "./seed.js";

/** Every mistake in the seed. References between its parts are checked only if each part is valid. */
export function seedMistakes(seed: unknown): IssueInit[] {
  const mistakes = mistakesIn(seedSchema, seed);
  return mistakes.length > 0 ? mistakes : referenceMistakes(seed as Seed);
}

/** The lists of records in a seed, in a room and in a meeting. */
const SEED_LISTS = ["documents", "permissions", "meetings", "rooms", "events", "webhooks"] as const;

type SeedRecord = { [L in (typeof SEED_LISTS)[number]]?: readonly (SeedRecord | string)[] | undefined } & {
  id?: string | undefined;
};

/** Every record in `holder`, and every id that stands for a record, with its path. */
function* recordsIn(holder: SeedRecord, prefix = ""): Generator<[path: string, record: SeedRecord | string]> {
  for (const list of SEED_LISTS) {
    for (const [index, record] of (holder[list] ?? []).entries()) {
      const path = `${prefix}${list}[${index}]`;
      yield [path, record];
      // The `events` of a webhook are kinds of event.
      if (typeof record !== "string" && list !== "webhooks") yield* recordsIn(record, `${path}.`);
    }
  }
}

/** The ids that two records have, and the ids in lists that no record has. */
function referenceMistakes(seed: Seed): IssueInit[] {
  const pathById = new Map<string, string>();
  const mistakes: IssueInit[] = [];
  const references: [path: string, id: string][] = [];
  for (const [path, record] of recordsIn(seed)) {
    if (typeof record === "string") {
      references.push([path, record]);
      continue;
    }
    const { id } = record;
    const first = pathById.get(id ?? "");
    if (first !== undefined) mistakes.push({ path: `${path}.id`, message: `${id} is already the id of ${first}` });
    else if (id !== undefined) pathById.set(id, path);
  }
  for (const [path, id] of references) {
    const [, noun] = /(\w+)s\[\d+\]$/.exec(path) ?? [];
    if (!pathById.has(id)) mistakes.push({ path, message: `this seed has no ${noun} ${id}` });
  }
  return mistakes;
}
