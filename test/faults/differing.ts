/** Runs cells of the matrix of faults, and finds those that differ from the table. */

/** The number of cells that run at the same time. Most of their time is waiting. */
const CONCURRENCY = 40;
/** A busy machine may exceed the short time limits. Cells that differ are run again, a few at a time, with longer ones. */
const DOUBTFUL_CONCURRENCY = 5;
const PATIENCE = 10;

type Job<C> = (patience: number) => Promise<C>;

export async function differing<C extends { passed: boolean }>(jobs: readonly Job<C>[]): Promise<C[]> {
  const doubtful = await failed(jobs, CONCURRENCY, 1);
  const differs = await failed(
    doubtful.map(({ job }) => job),
    DOUBTFUL_CONCURRENCY,
    PATIENCE,
  );
  return differs.map(({ cell }) => cell);
}

async function failed<C extends { passed: boolean }>(jobs: readonly Job<C>[], concurrency: number, patience: number) {
  const pending = [...jobs];
  const results: { job: Job<C>; cell: C }[] = [];
  const work = async () => {
    for (let job = pending.shift(); job !== undefined; job = pending.shift()) {
      const cell = await job(patience);
      if (!cell.passed) results.push({ job, cell });
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return results;
}
