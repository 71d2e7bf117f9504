/**
 * How property tests run. They use the same examples in each run, so that only a change of the code can make them fail;
 * SEED=… chooses other examples. PROPERTY_RUNS is the number of examples: 200 in `npm test`, 40 in `npm run check`,
 * 10,000 every night.
 */
import fc from "fast-check";

const USUAL_RUNS = 200;
const wanted = Number(process.env.PROPERTY_RUNS ?? USUAL_RUNS);

/** For a property with slow examples or rare failures: `usually` in `npm test`, more in the long form. */
export const runs = (usually: number): number => Math.max(1, Math.round((usually * wanted) / USUAL_RUNS));

/** Whether there are so many examples that each kind of result must occur. */
export const hasUsualRuns = wanted >= USUAL_RUNS;

/** The time limit of a test that has many more examples than usual. */
export const patience = (milliseconds: number): number => milliseconds * Math.max(1, wanted / USUAL_RUNS);

fc.configureGlobal({
  ...fc.readConfigureGlobal(),
  seed: Number(process.env.SEED ?? 20_261_120),
  numRuns: runs(USUAL_RUNS),
});
