/** Runs cells of the matrix of faults, and finds those that differ from the table. */

/** The number of cells that run at the same time. Most of their time is waiting. */
const CONCURRENCY = 40;
/** A busy machine may exceed the short time limits. A cell that differs is run again, alone and with longer limits. */
const PATIENCE = 10;

type Job<C> = (patience: number) => Promise<C>;

export async function differing<C extends { passed: boolean }>(jobs: readonly Job<C>[]): Promise<C[]> {
  const pending = [...jobs];
  const doubtful: Job<C>[] = [];
  const work = async () => {
    for (let job = pending.shift(); job !== undefined; job = pending.shift()) {
      if (!(await job(1)).passed) doubtful.push(job);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  const cells: C[] = [];
  for (const job of doubtful) cells.push(await job(PATIENCE));
  return cells.filter(({ passed }) => !passed);
}
