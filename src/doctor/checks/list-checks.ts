/** Checks the parameters that every list has, and the filters of rooms and meetings. */
import type { Group } from "./candidates.js";
import type { CheckLog } from "./check-log.js";
import { IMPROBABLE_TEXT, type ListFacts } from "./list-facts.js";

/** The name of a list's items in the details of a check. */
export type ItemName = "room" | "meeting" | "permission";

/** Checks the page size and the cursor. */
export async function checkPaging(log: CheckLog, group: Group, facts: ListFacts, item: ItemName): Promise<void> {
  await log.check({
    group,
    meaning: "limit",
    probe: facts.hasTwo ? facts.limitProbe : `needs at least 2 ${item}s`,
    hint: log.hintFor(group, "limit"),
    ifNone:
      facts.first.rows.length > 1 ? undefined : `needs a page of more than 1 ${item}: the service sends no larger one`,
    limitation: async (name) => {
      const cap = await facts.pageSizeCap(name);
      return cap === undefined ? undefined : `cuts a page of 100 to ${cap}`;
    },
  });
  const size = log.nameOf(group, "limit") === undefined ? ", more than the service puts on one page" : "";
  await log.check({
    group,
    meaning: "cursor",
    probe: facts.hasNextPage ? facts.cursorProbe : `needs a second page: at least 2 ${item}s${size}`,
    hint: log.hintFor(group, "cursor"),
  });
}

/** Checks ids, scope, search and expansion. */
export async function checkFilters(
  log: CheckLog,
  group: "rooms" | "meetings",
  facts: ListFacts,
  expansions: readonly string[],
): Promise<void> {
  const item = group === "rooms" ? "room" : "meeting";
  const needsOne = `needs at least 1 ${item}`;
  const isEmpty = facts.first.rows.length === 0;
  const hintFor = (meaning: string) => log.hintFor(group, meaning);
  await log.check({
    group,
    meaning: "ids",
    probe: facts.idsProbe ?? `needs at least 2 ${item}s`,
    tellsApart: true,
    hint: hintFor("ids"),
  });
  await log.check({
    group,
    meaning: "scope",
    probe: isEmpty ? needsOne : facts.scopeProbe,
    secondProbe: facts.ownedProbe,
    hint: hintFor("scope"),
  });
  if (group === "meetings") await log.check({ group, meaning: "q", probe: isEmpty ? needsOne : facts.semanticProbe });
  await log.check({
    group,
    meaning: "search",
    probe: isEmpty ? needsOne : facts.emptyProbe(IMPROBABLE_TEXT),
    hint: hintFor("search"),
  });
  const alwaysSent = `the service always sends ${expansions.join(" and ")}, even if they are not requested`;
  await log.check({
    group,
    meaning: "expand",
    probe: isEmpty ? needsOne : (facts.expandProbe(expansions) ?? alwaysSent),
    hint: hintFor("expand"),
  });
}
