/** The CPU time of `work` in milliseconds: the machine may be busy with other things. */
export function cpuTimeOf(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
