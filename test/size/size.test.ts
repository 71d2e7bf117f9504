import { expect, test } from "vitest";
import { budgets, measure } from "../../scripts/size.js";

test.each(budgets)("$name is smaller than its size limit, and imports no Node module", async (budget) => {
  const { bytes, nodeModules } = await measure(budget);
  expect(bytes).toBeGreaterThan(1_000);
  expect(bytes).toBeLessThanOrEqual(budget.limit);
  expect(nodeModules).toEqual([]);
});
